// How functions grow with the size of their input, in a report opened from disk.
import type { Browser, Locator } from 'playwright-core';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launched, opened, picture } from './browser';
import { fathom } from './fathom';

/** Batches of a bench, as it writes them. */
function bench(family: string, size: number, time: number) {
  return {
    name: `${family}/${size}`,
    unit: 's',
    values: Array.from({ length: 40 }, (_, place) => time * (1 + 0.0005 * ((place * 37) % 11))),
    function: { calls_per_batch: 100, zero_measurement: false, input: { family, size } },
  };
}

let browser: Browser;
let scratch: string;
let file: string;
beforeAll(async () => {
  browser = await launched();
  scratch = mkdtempSync(join(tmpdir(), 'fathom-growth-'));
  const subjects = [
    ...[10, 100, 1000, 10_000, 100_000].map((n) => bench('sort', n, 2e-9 * n * Math.log(n))),
    ...[16, 32, 64, 128, 256].map((n) => bench('scan', n, 1e-7 + 2e-9 * n)),
    ...[10, 100, 1000, 10_000].map((n) => bench('odd', n, 1e-9 * n ** 1.5)),
    ...[10, 20, 40].map((n) => bench('few', n, 1e-9 * n)),
  ];
  // Where `cargo bench` keeps what it measured.
  process.env['CARGO_TARGET_DIR'] = scratch;
  const results = join(scratch, 'fathom/growth');
  mkdirSync(results, { recursive: true });
  const document = { schema: 'fathom/1', command_line: 'cargo bench --bench growth', seed: 1, subjects };
  writeFileSync(join(results, 'latest.json'), JSON.stringify(document));
  file = join(scratch, 'growth.html');
  fathom('report', 'growth@latest', '-o', file);
});
afterAll(async () => {
  await browser.close();
  rmSync(scratch, { recursive: true });
});

/** What a reader is told of each, in the order of the page. */
const SENTENCES = [
  /^sort grows like n log n \(95% confidence; exponent from 10000 to 100000: 1\.097, 95% CI 1\.09\d to 1\.09\d\)\.$/,
  /^scan grows like log n, n or n log n: sizes 16 to 256 cannot tell them apart .* Measure larger sizes, up to about/,
  /^None of the laws .* fits odd: its exponent is 1\.5\d* \(10 to 100\) and 1\.5\d* /,
  /^few: not enough sizes: 4 different ones are needed, 3 can be used; add sizes\.$/,
];

/** Pairs of labels on top of each other. */
function overlaps(figure: Locator): Promise<string[]> {
  return figure.evaluate((one) => {
    const labels = [...one.querySelectorAll('svg text')].filter((label) => label.textContent !== '');
    const boxes = labels.map((label) => ({ text: label.textContent, box: label.getBoundingClientRect() }));
    return boxes.flatMap(({ text, box }, index) =>
      boxes
        .slice(index + 1)
        .filter(({ box: other }) => {
          const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
          const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
          return wide > 0.5 && high > 2;
        })
        .map(({ text: other }) => `${text} and ${other}`),
    );
  });
}

test('each function has a sentence and the laws that are left', async () => {
  const { page, troubles } = await opened(browser, `file://${file}`, { height: 1000 });
  await page.getByTestId('growth-sentence').first().waitFor();
  const sentences = await page.getByTestId('growth-sentence').allInnerTexts();
  expect(sentences).toEqual(SENTENCES.map((sentence) => expect.stringMatching(sentence)));
  const figures = page.getByTestId('chart-growth');
  // The possible laws; where there is none, the medians are joined.
  for (const [index, [curves, joined]] of [
    [1, 0],
    [3, 0],
    [0, 1],
    [0, 1],
  ].entries()) {
    expect(await figures.nth(index).locator('path.curve').count()).toBe(curves);
    expect(await figures.nth(index).locator('path.joined').count()).toBe(joined);
  }
  await figures.first().scrollIntoViewIfNeeded();
  await picture(page, 'growth');
  expect(troubles).toEqual([]);
  await page.close();
});

test('keys and the table tell the sizes and the times', async () => {
  const { page, troubles } = await opened(browser, `file://${file}`);
  const figure = page.getByTestId('chart-growth').first();
  await figure.getByRole('slider').press('Home');
  await expect.poll(() => figure.locator('output').innerText()).toMatch(/^size 10: 46\.\d+ ns \(95% CI 46/);
  await figure.getByRole('button', { name: 'Growth as a table' }).click();
  expect(await figure.locator('tbody tr').count()).toBe(5);
  expect(await figure.locator('tbody tr').last().innerText()).toMatch(/^100000\s/);
  expect(troubles).toEqual([]);
  await page.close();
});

test.each([
  { width: 1280, dark: false },
  { width: 1280, dark: true },
  { width: 390, dark: false },
  { width: 390, dark: true },
])('labels have room, $width pixels wide, dark: $dark', async ({ width, dark }) => {
  const { page, troubles } = await opened(browser, `file://${file}`, { width, dark });
  await page.getByTestId('growth-sentence').first().waitFor();
  for (const figure of await page.getByTestId('chart-growth').all()) {
    expect(await overlaps(figure)).toEqual([]);
    const wide = await figure.evaluate((one) => one.getBoundingClientRect().right);
    expect(wide).toBeLessThanOrEqual(width);
    // The curve and the background are not of one colour.
    const colours = await figure.evaluate((one) => {
      const line = one.querySelector('path.curve, path.joined');
      return [line ? getComputedStyle(line).stroke : '', getComputedStyle(document.body).backgroundColor];
    });
    expect(colours[0]).not.toBe(colours[1]);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  expect(troubles).toEqual([]);
  await page.close();
});

test('without scripts the sentences and the times are there', async () => {
  const { page } = await opened(browser, `file://${file}`, { javaScript: false });
  const words = await page.locator('body').innerText();
  const lines = words.split('\n');
  for (const sentence of SENTENCES) expect(lines.some((line) => sentence.test(line))).toBe(true);
  expect(words).toMatch(/sort\/100000\s+100000\s+2\.3\d+ ms/);
  const tables = page.locator('table', { hasText: 'sort/100000' });
  expect(await tables.first().locator('tbody tr').count()).toBe(5);
  await page.close();
});
