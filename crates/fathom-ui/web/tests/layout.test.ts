// How the explorer is laid out, and what a brush shows: the real program, a real browser.
import type { Browser, Page } from 'playwright-core';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launched, opened, picture } from './browser';
import { serve, SHOP, type Served } from './fathom';

const TARGET = '#target=latency_ms&run=run-1&common=requests';
const ASKED = `${TARGET}&window=260..276`;

let browser: Browser;
let scratch: string;
let served: Served;
beforeAll(async () => {
  browser = await launched();
  scratch = mkdtempSync(join(tmpdir(), 'fathom-layout-'));
  served = await serve(SHOP, '--labels', join(scratch, 'labels.json'));
});
afterAll(async () => {
  await served.stop();
  await browser.close();
  rmSync(scratch, { recursive: true });
});

async function answered(page: Page): Promise<void> {
  await page.locator('[data-testid=sentence][data-state=answered]').waitFor();
}

/** Where a part of the page is. */
async function box(page: Page, part: string): Promise<{ x: number; y: number; width: number; height: number }> {
  const found = await page.locator(part).first().boundingBox();
  if (!found) throw new Error(`${part} is not shown`);
  return found;
}

async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await page.mouse.up();
}

const PLOTS = ['[data-testid=target-chart] .u-over', '[data-testid=run-strip] svg', '[data-testid=minimap] svg'];

test('target, minimap, runs and stack share one time axis', async () => {
  const { page, troubles } = await opened(browser, `${served.address}${ASKED}`, { width: 1400, height: 900 });
  await answered(page);
  await page.getByTestId('stack-pane').first().waitFor();
  const stacked = await box(page, '[data-testid=stack-pane] .u-over');
  for (const part of PLOTS) {
    const { x, width } = await box(page, part);
    expect([Math.round(x), Math.round(width)], part).toEqual([Math.round(stacked.x), Math.round(stacked.width)]);
  }
  // The window of a run lies under that of the target, where its ends are sure to a few pixels.
  const window = await box(page, '[data-testid=window-band]');
  const inRun = await box(page, '[data-testid=run-strip] rect.window');
  expect(Math.abs(inRun.x - window.x)).toBeLessThan(2);
  expect(troubles).toEqual([]);
  await page.close();
});

test('the minimap moves the view', async () => {
  const { page } = await opened(browser, `${served.address}${TARGET}`, { width: 1400, height: 900 });
  await page.locator('[data-testid=minimap] path.line').waitFor();
  const { x, y, width, height } = await box(page, '[data-testid=minimap] svg');
  const at = (share: number): [number, number] => [x + share * width, y + height / 2];
  await drag(page, at(0.25), at(0.5));
  await expect.poll(() => page.url()).toContain('zoom=');
  const first = page.url();
  const view = await box(page, '[data-testid=minimap-view]');
  expect(view.width / width).toBeCloseTo(0.25, 1);
  await drag(page, at(0.4), at(0.6));
  await expect.poll(() => page.url()).not.toBe(first);
  const moved = await box(page, '[data-testid=minimap-view]');
  expect(moved.width).toBeCloseTo(view.width, 0);
  expect(moved.x - view.x).toBeGreaterThan(0.1 * width);
  await page.getByTestId('minimap').dblclick();
  await expect.poll(() => page.url()).not.toContain('zoom=');
  await page.close();
});

test('panes are resized by pointer and keys, folded, and stay so', async () => {
  const { page } = await opened(browser, `${served.address}${ASKED}`, { width: 1400, height: 900 });
  await answered(page);
  const ranking = () => box(page, 'section[aria-label=Ranking]');
  const before = (await ranking()).width;
  const splitter = await box(page, '[data-testid=split-ranking]');
  await drag(page, [splitter.x, 400], [splitter.x + 120, 400]);
  await expect.poll(async () => (await ranking()).width).toBeLessThan(before - 90);
  const chart = (await box(page, '[data-testid=target-chart]')).height;
  await page.getByTestId('split-target').focus();
  for (let n = 0; n < 4; n += 1) await page.keyboard.press('ArrowDown');
  await expect.poll(async () => (await box(page, '[data-testid=target-chart]')).height).toBeGreaterThan(chart + 30);
  await page.getByTestId('fold-runs').click();
  await expect.poll(() => page.getByTestId('run-strip').count()).toBe(0);
  await page.getByTestId('split-ranking').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByTestId('ranking-row').count()).toBe(0);
  await page.reload();
  await page.getByTestId('fold-ranking').waitFor();
  expect(await page.getByTestId('run-strip').count()).toBe(0);
  expect((await box(page, '[data-testid=target-chart]')).height).toBeGreaterThan(chart + 30);
  await page.getByTestId('fold-ranking').click();
  await page.getByTestId('fold-runs').click();
  await page.getByTestId('run-strip').first().waitFor();
  await page.getByTestId('split-ranking').dblclick();
  await expect.poll(async () => Math.abs((await ranking()).width - before)).toBeLessThan(2);
  await page.close();
});

test('below 1100 pixels everything is in one column, in the order of reading', async () => {
  for (const [name, width, dark] of [
    ['explorer-narrow', 1000, false],
    ['explorer-phone', 390, false],
    ['explorer-phone-dark', 390, true],
  ] as const) {
    const { page, troubles } = await opened(browser, `${served.address}${ASKED}`, { width, height: 844, dark });
    await answered(page);
    await page.getByTestId('run-strip').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const parts = ['target-chart', 'minimap', 'sentence', 'ranking-row', 'run-strip', 'stack'];
    const tops = [];
    for (const part of parts) tops.push((await box(page, `[data-testid=${part}]`)).y);
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    await picture(page, name);
    // The list of metrics opens above it, and goes when one was chosen.
    await page.getByRole('button', { name: 'List of metrics' }).click();
    await page.locator('[data-testid=metric-row][data-metric=queue] button.name').click();
    await expect.poll(() => page.url()).toContain('target=queue');
    expect(await page.getByTestId('metric-row').count()).toBe(0);
    expect(troubles).toEqual([]);
    await page.close();
  }
});

test('a brush snaps to the suggested anomaly, and says whether it can be significant', async () => {
  const { page, troubles } = await opened(browser, `${served.address}${TARGET}`, { width: 1400, height: 900 });
  const band = page.getByTestId('suggestion-band').first();
  await band.waitFor();
  const anomaly = await box(page, '[data-testid=suggestion-band]');
  const [suggestion] = (await page.evaluate(() =>
    fetch('api/suggestions?run=run-1&metric=latency_ms').then((answer) => answer.json()),
  )) as { windows: [number, number][] }[];
  const y = anomaly.y + anomaly.height / 2;
  // Its end is near another anomaly's, so the nearer one counts.
  await drag(page, [anomaly.x - 5, y], [anomaly.x + anomaly.width + 1, y]);
  await answered(page);
  const edges = page.getByTestId('window-band');
  const span = [await edges.getAttribute('data-start'), await edges.getAttribute('data-end')].map(Number);
  expect(span).toEqual(suggestion?.windows[0]);
  // Half of the run leaves too little outside.
  const plot = await box(page, '[data-testid=target-chart] .u-over');
  await page.mouse.move(plot.x + 0.05 * plot.width, y);
  await page.mouse.down();
  await page.mouse.move(plot.x + 0.1 * plot.width, y, { steps: 3 });
  const verdict = page.getByTestId('window-context');
  await expect.poll(() => verdict.innerText()).toContain('enough data around it for significance');
  await page.mouse.move(plot.x + 0.55 * plot.width, y, { steps: 3 });
  await expect.poll(() => verdict.innerText()).toContain('choose a window of at most');
  await page.mouse.up();
  await expect.poll(() => verdict.count()).toBe(0);
  await answered(page);
  expect(await page.getByTestId('sentence').innerText()).toContain('not enough data');
  expect(troubles).toEqual([]);
  await page.close();
});

test('long work is cancelled and asked again', async () => {
  const { page } = await opened(browser, `${served.address}${TARGET}`, { width: 1400, height: 900 });
  let isHeld = true;
  await page.route('**/api/explain', async (route) => {
    if (!isHeld) await route.continue();
  });
  await page.getByTestId('suggestion').first().click();
  await page.getByTestId('cancel').click();
  await page.getByTestId('cancelled').waitFor();
  expect(await page.getByTestId('ranking-row').count()).toBe(0);
  isHeld = false;
  await page.getByTestId('ask-again').click();
  await answered(page);
  await page.getByTestId('ranking-row').first().waitFor();
  await page.close();
});

test('every metric of the stack shows its segments', async () => {
  const { page, troubles } = await opened(browser, `${served.address}${ASKED}&segments=4`, {
    width: 1400,
    height: 900,
  });
  await answered(page);
  const pane = page.getByTestId('stack-pane').first();
  expect(await pane.getAttribute('data-lines')).toBe('0');
  await page.getByTestId('stack-segments').click();
  await expect.poll(() => pane.getAttribute('data-lines')).toBe('4');
  await picture(page, 'segments');
  expect(troubles).toEqual([]);
  await page.close();
});

test('a pattern begins empty, zoomed to the window, or with the segments', async () => {
  const { page } = await opened(browser, `${served.address}${ASKED}&segments=4`, { width: 1400, height: 900 });
  await answered(page);
  await page.keyboard.press('p');
  await expect.poll(() => page.url()).toContain('zoom=');
  expect(await page.getByTestId('pattern-knot').count()).toBe(0);
  await page.getByTestId('from-segments').click();
  await expect.poll(() => page.getByTestId('pattern-knot').count()).toBeGreaterThan(3);
  await expect.poll(() => page.url()).toContain('pattern=');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).not.toContain('zoom=');
  expect(page.url()).toContain('pattern=');
  await page.close();
});
