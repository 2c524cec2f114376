// Checks as people look at them: a session, files with groups, a report; light, dark, on a phone, by keys.
import type { Browser } from 'playwright-core';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launched, opened, picture } from './browser';
import { checked, execution, fathom, serve, type Served } from './fathom';

let browser: Browser;
let scratch: string;
let signals: string;
let several: string;
let served: Served;

beforeAll(async () => {
  browser = await launched();
  scratch = mkdtempSync(join(tmpdir(), 'fathom-check-'));
  process.env['XDG_DATA_HOME'] = scratch;
  const files = Array.from({ length: 40 }, (_, number) => {
    const file = join(scratch, `run-${String(number).padStart(2, '0')}.json`);
    writeFileSync(file, execution(number));
    return file;
  });
  const data = files.flatMap((file) => ['--data', file]);
  signals = join(scratch, 'signals.json');
  checked('G (queue < 10)', '--probability', '0.9', '--confidence', '0.9', ...data, '--export-json', signals);
  several = join(scratch, 'several.json');
  const asked = ['fast: runtime < 1.3 s', 'G (queue < 10)', 'F (queue > 3)'];
  checked(...asked, '--estimate', 'runtime', '--probability', '0.8', ...data, '--export-json', several);
  served = await serve(several);
});
afterAll(async () => {
  await served.stop();
  await browser.close();
  rmSync(scratch, { recursive: true });
});

test('one question shows its answer and every figure', async () => {
  const one = await serve(signals);
  const { page, troubles } = await opened(browser, one.address, { height: 1900 });
  await expect.poll(() => page.getByTestId('verdict').innerText()).toMatch(/queue < 10/u);
  for (const chart of ['margins', 'thresholds', 'signals-1', 'methods']) {
    expect(await page.getByTestId(`chart-${chart}`).count(), chart).toBe(1);
  }
  const worst = page.getByTestId('chart-signals-1');
  expect(await worst.locator('path.violated').count()).toBeGreaterThan(0);
  await picture(page, 'check');
  expect(troubles).toEqual([]);
  await page.close();
  await one.stop();
});

test('choosing a question shows its figures, by pointer, keys and address', async () => {
  const { page, troubles } = await opened(browser, served.address, { height: 1600 });
  const rows = page.getByTestId('questions').locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(4);
  const heading = () => page.locator('section h2').innerText();
  expect(await heading()).toBe('fast');
  await rows.nth(3).click();
  await expect.poll(heading).toContain('runtime');
  expect(page.url()).toContain('question=4');
  await page.goBack();
  await expect.poll(heading).toBe('fast');
  await page.locator('body').press('j');
  await expect.poll(heading).toContain('queue < 10');
  await page.locator('body').press('k');
  await expect.poll(heading).toBe('fast');
  await page.locator('body').press('k');
  expect(await heading()).toBe('fast');
  await picture(page, 'check-questions');
  expect(troubles).toEqual([]);
  await page.close();
});

test('a figure is walked by keys, shown as a table and saved as SVG', async () => {
  const { page, troubles } = await opened(browser, served.address, { height: 1600 });
  const figure = page.getByTestId('chart-margins');
  await figure.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await expect.poll(() => figure.locator('output').innerText()).toContain('run-00.json');
  await figure.getByRole('button', { name: 'as a table' }).click();
  expect(await figure.locator('tbody tr').count()).toBe(40);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    figure.getByRole('button', { name: 'as SVG' }).click(),
  ]);
  const path = join(scratch, 'margins.svg');
  await file.saveAs(path);
  const folder = join(scratch, 'figures');
  fathom('report', several, '-o', join(scratch, 'r.html'), '--figures', folder);
  expect(readdirSync(folder)).toContain('1-margins.svg');
  expect(readFileSync(path, 'utf8')).toBe(readFileSync(join(folder, '1-margins.svg'), 'utf8'));
  expect(troubles).toEqual([]);
  await page.close();
});

test('a phone shows all of it without scrolling sideways, light and dark', async () => {
  for (const dark of [false, true]) {
    const { page, troubles } = await opened(browser, served.address, { width: 390, height: 844, dark });
    await page.getByTestId('chart-margins').waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    await picture(page, dark ? 'check-phone-dark' : 'check-phone');
    await page.getByTestId('chart-margins').scrollIntoViewIfNeeded();
    await picture(page, dark ? 'check-phone-figure-dark' : 'check-phone-figure');
    expect(troubles).toEqual([]);
    await page.close();
  }
  const { page } = await opened(browser, served.address, { height: 1600, dark: true });
  await page.getByTestId('chart-margins').waitFor();
  await picture(page, 'check-dark');
  await page.close();
});

test('a report of a check needs no server, and reads without scripts', async () => {
  const file = join(scratch, 'check.html');
  fathom('report', several, '-o', file);
  const { page, troubles } = await opened(browser, `file://${file}`);
  await expect.poll(() => page.getByTestId('questions').locator('tbody tr').count()).toBe(4);
  expect(troubles).toEqual([]);
  await page.close();
  const plain = await opened(browser, `file://${file}`, { javaScript: false, height: 1600 });
  const words = await plain.page.locator('#fathom-document').innerText();
  expect(words).toContain('worst execution');
  expect(words).toContain('\\begin{tabular}');
  expect(await plain.page.locator('#fathom-document svg.fathom-figure').count()).toBeGreaterThan(8);
  await picture(plain.page, 'check-plain');
  await plain.page.close();
});

test('a session of a check opens as well', async () => {
  checked('x < 90', '--metric', 'x=last-number', '--seed', '1', '-M', '60', '--', 'echo', '{seed}');
  const session = await serve('last');
  const { page, troubles } = await opened(browser, session.address, { height: 1200 });
  await page.getByTestId('chart-margins').waitFor();
  expect(troubles).toEqual([]);
  await page.close();
  await session.stop();
});

/** A study whose second benchmark crashes now and then, and is faster with the larger cache. */
function studied(): void {
  const simulator = join(scratch, 'sim.sh');
  writeFileSync(
    simulator,
    `x=$(( $3 % 100 ))
[ "$1" = canneal ] && [ $x -lt 6 ] && exit 3
echo "latency: $(( (x + 40) * 256 / $2 ))"
`,
  );
  const study = join(scratch, 'study.toml');
  writeFileSync(
    study,
    `command = "sh ${simulator} {benchmark} {l2} {seed}"
baseline = "l2=256"

[parameters]
benchmark = ["ferret", "canneal", "blackscholes"]
l2 = [256, 512, 1024]

[metrics]
latency = "latency: ([0-9]+)"

[properties]
fast = "latency < 120"

[estimates]
tail = "latency"
`,
  );
  checked('--study', study, '--seed', '1', '--runs', '90');
}

test('a study shows its grid, its comparisons and what failed, also on a phone', async () => {
  studied();
  const study = await serve('last');
  const { page, troubles } = await opened(browser, study.address, { height: 2400 });
  await expect.poll(() => page.getByTestId('verdict').innerText()).toMatch(/of 9 promises hold/u);
  for (const chart of ['grid-1', 'grid-2', 'comparison-1', 'comparison-2', 'margins']) {
    expect(await page.getByTestId(`chart-${chart}`).count(), chart).toBe(1);
  }
  expect(await page.getByTestId('questions').locator('tbody tr').count()).toBe(18);
  const notes = await page.locator('ul.notes').first().innerText();
  expect(notes).toMatch(/tail at l2=512 relative to 256: 0\.5\d+x, geometric mean over benchmark/u);
  expect(notes).toMatch(/failed: benchmark=canneal l2=256: \d+ of 90; run \d+ \(seed \d+\) exited with status 3/u);
  expect(notes).not.toContain('ferret: ');
  await picture(page, 'check-study');
  expect(troubles).toEqual([]);
  await page.close();
  const phone = await opened(browser, study.address, { width: 390, height: 844, dark: true });
  await phone.page.getByTestId('chart-comparison-1').waitFor();
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await picture(phone.page, 'check-study-phone');
  await phone.page.getByTestId('chart-grid-1').scrollIntoViewIfNeeded();
  await picture(phone.page, 'check-study-phone-grid');
  await phone.page.getByTestId('chart-comparison-1').scrollIntoViewIfNeeded();
  await picture(phone.page, 'check-study-phone-comparison');
  expect(phone.troubles).toEqual([]);
  await phone.page.close();
  await study.stop();
  const folder = join(scratch, 'study-figures');
  fathom('report', 'last', '-o', join(scratch, 'study.html'), '--figures', folder);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['grid-1.svg', 'comparison-1.svg', '1-margins.svg']));
});
