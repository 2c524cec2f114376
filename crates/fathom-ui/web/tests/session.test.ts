// A session that was measured for real, looked at.
import type { Browser } from 'playwright-core';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launched, opened, picture } from './browser';
import { fathom, serve, type Served } from './fathom';

let browser: Browser;
let scratch: string;
let served: Served;
beforeAll(async () => {
  browser = await launched();
  scratch = mkdtempSync(join(tmpdir(), 'fathom-session-'));
  // Sessions of their own, as a user has them: no option says where.
  process.env['XDG_DATA_HOME'] = scratch;
  fathom('compare', '--pairs', '200', '--style', 'none', '-n', 'old', '-n', 'new', 'sleep 0.004', 'sleep 0.005');
  served = await serve();
});
afterAll(async () => {
  await served.stop();
  await browser.close();
  rmSync(scratch, { recursive: true });
});

test('the verdict is in words, and the pictures are there', async () => {
  const { page, troubles } = await opened(browser, served.address, { height: 1400 });
  await expect.poll(() => page.getByTestId('verdict').innerText()).toMatch(/^.*new is .*% slower than old/s);
  for (const chart of ['samples', 'histogram', 'ecdf', 'correlogram', 'shift', 'blocks']) {
    expect(await page.getByTestId(`chart-${chart}`).count(), chart).toBeGreaterThan(0);
  }
  await picture(page, 'session');
  expect(troubles).toEqual([]);
  await page.close();
});

test('every chart is saved as SVG, as light as paper', async () => {
  const { page, troubles } = await opened(browser, served.address, { height: 1400, dark: true });
  const charts = page.locator('figure[data-testid^="chart-"]');
  await expect.poll(() => charts.count()).toBeGreaterThan(5);
  for (const chart of await charts.all()) {
    const name = await chart.getAttribute('data-testid');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      chart.getByRole('button', { name: 'as SVG' }).click(),
    ]);
    const path = join(scratch, `${name}.svg`);
    await file.saveAs(path);
    const text = readFileSync(path, 'utf8');
    expect(text, String(name)).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/u);
    expect(text, String(name)).toContain('<title>');
    for (const left of ['class=', 'var(', 'light-dark', '<!--']) expect(text, String(name)).not.toContain(left);
    // The ink of the light theme, not of the dark one.
    expect(text, String(name)).not.toContain('rgb(228, 231, 235)');
  }
  const saved = await browser.newPage();
  await saved.goto(`file://${join(scratch, 'chart-ecdf.svg')}`);
  await picture(saved, 'session-ecdf-svg');
  await saved.close();
  expect(troubles).toEqual([]);
  await page.close();
});

test('a switch recomputes at once, and is in the address', async () => {
  const { page, troubles } = await opened(browser, served.address);
  const before = await page.getByTestId('estimates').first().innerText();
  await page.getByTestId('switch-confidence').getByText('99').click();
  await expect.poll(() => page.getByTestId('estimates').first().innerText()).not.toBe(before);
  expect(page.url()).toContain('confidence=0.99');
  const after = await page.getByTestId('estimates').first().innerText();
  await page.reload();
  await expect.poll(() => page.getByTestId('estimates').first().innerText()).toBe(after);
  expect(troubles).toEqual([]);
  await page.close();
});

test('Back and Ctrl-Z take a switch back', async () => {
  const { page, troubles } = await opened(browser, served.address);
  const start = page.url();
  const estimates = () => page.getByTestId('estimates').first().innerText();
  const before = await estimates();
  await page.getByTestId('switch-confidence').getByText('99').click();
  await expect.poll(() => page.url()).toContain('confidence=0.99');
  await expect.poll(estimates).not.toBe(before);
  await page.goBack();
  await expect.poll(estimates).toBe(before);
  expect(page.url()).toBe(start);
  await page.goForward();
  await expect.poll(estimates).not.toBe(before);
  await page.locator('body').press('Control+z');
  await expect.poll(() => page.url()).toBe(start);
  await expect.poll(estimates).toBe(before);
  expect(troubles).toEqual([]);
  await page.close();
});

test('samples that say nothing of their distribution are drawn without a band, and it says why', async () => {
  const level = (place: number): number => 10 + Math.sin(place / 60) + 0.1 * ((place * 37) % 11);
  const files = [0, 0.5].map((more, side) => {
    const path = join(scratch, `drifting-${side}.txt`);
    writeFileSync(path, Array.from({ length: 200 }, (_, place) => level(place) + more).join('\n'));
    return path;
  });
  const drifting = await serve(...files);
  const { page, troubles } = await opened(browser, `${drifting.address}#steady_state=off`, { height: 1400 });
  for (const chart of ['ecdf', 'shift']) {
    const figure = page.getByTestId(`chart-${chart}`).first();
    await expect.poll(() => figure.innerText()).toContain('no confidence band');
    expect(await figure.locator('path.line').count()).toBeGreaterThan(0);
    expect(await figure.locator('path.band').count()).toBe(0);
  }
  expect(await page.locator('body').innerText()).toContain(
    'no confidence band for the distribution: the samples are so strongly',
  );
  await picture(page, 'session-no-band');
  expect(troubles).toEqual([]);
  await page.close();
  await drifting.stop();
});

test('the rule that finds outliers can be switched, and each outlier says how it lies', async () => {
  const path = join(scratch, 'outlier.txt');
  const level = (place: number): number => 1000 + ((31 * place * place + 37 * place) % 101);
  writeFileSync(path, Array.from({ length: 300 }, (_, place) => (place === 50 ? 9000 : level(place))).join('\n'));
  const one = await serve(path);
  const { page, troubles } = await opened(browser, one.address, { height: 1400 });
  const samples = page.getByTestId('chart-samples').first();
  await samples.getByRole('button', { name: 'as a table' }).click();
  await expect.poll(() => samples.innerText()).toMatch(/outlier, kept \(standalone, local outlier factor \d+\)/u);
  await page.getByTestId('switch-outlier-method').getByText('MAD').click();
  await expect.poll(() => samples.innerText()).toMatch(/outlier, kept \(local outlier factor \d+\)/u);
  expect(page.url()).toContain('outlier_method=mad');
  expect(troubles).toEqual([]);
  await page.close();
  await one.stop();
});
