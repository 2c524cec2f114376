// Every page, in light and dark, on a screen and a phone: axe-core finds nothing, and keys lead everywhere.
import type { Browser, Page } from 'playwright-core';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launched, opened, violations } from './browser';
import { checked, execution, fathom, serve, SHOP, type Served } from './fathom';

const ASKED = '#target=latency_ms&run=run-1&window=260..276&common=requests';
const QUESTION = ['--target', 'latency_ms', '--window', '260..276', '--common', 'requests'];

let browser: Browser;
let scratch: string;
beforeAll(async () => {
  browser = await launched();
  scratch = mkdtempSync(join(tmpdir(), 'fathom-accessible-'));
  process.env['XDG_DATA_HOME'] = scratch;
});
afterAll(async () => {
  await browser.close();
  rmSync(scratch, { recursive: true });
});

const LOOKS = [
  { name: 'a screen in light', width: 1400, height: 1000, dark: false },
  { name: 'a screen in the dark', width: 1400, height: 1000, dark: true },
  { name: 'a phone in light', width: 390, height: 844, dark: false },
  { name: 'a phone in the dark', width: 390, height: 844, dark: true },
];

/** Opens an address on every kind of screen, waits until it is `ready`, and looks for violations. */
async function accessible(
  address: string,
  ready: (page: Page) => Promise<void>,
  states: string[] = [''],
): Promise<void> {
  for (const { name, ...look } of LOOKS) {
    const { page } = await opened(browser, address, look);
    await ready(page);
    for (const keys of states) {
      for (const key of keys.split(' ').filter(Boolean)) await page.keyboard.press(key);
      // The page may still be opening what the keys asked for.
      if (keys !== '') await page.waitForTimeout(300);
      expect(await violations(page), `${name}, after ${keys || 'opening'}`).toEqual([]);
      if (keys !== '') await page.keyboard.press('Escape');
    }
    await page.close();
  }
}

async function answered(page: Page): Promise<void> {
  await page.locator('[data-testid=sentence][data-state=answered]').waitFor();
  await page.waitForLoadState('networkidle');
}

describe('the explorer', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(SHOP, '--labels', join(scratch, 'labels.json'));
  });
  afterAll(() => served.stop());

  test('has nothing against it before a question', () =>
    accessible(served.address, (page) => page.getByTestId('start').waitFor(), ['', '/', '?']));

  test('has nothing against it with an answer', () =>
    accessible(`${served.address}${ASKED}&segments=4&beside=pearson`, answered, ['', 'j y', 'p', 'b', 'c', 'x']));

  test('has nothing against it when zoomed', () =>
    accessible(`${served.address}${ASKED}&zoom=240..300&baseline=100..200`, answered));

  test('is used without a pointer, from the target to the stack', async () => {
    const { page, troubles } = await opened(browser, served.address, { width: 1400, height: 1000 });
    await page.getByTestId('target-chart').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('latency');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('target=latency_ms');
    await page.getByTestId('target-chart').focus();
    await page.keyboard.press('End');
    for (let n = 0; n < 5; n += 1) await page.keyboard.press('Shift+ArrowLeft');
    await answered(page);
    await page.keyboard.press('z');
    await expect.poll(() => page.url()).toContain('zoom=');
    const zoomed = page.url();
    await page.getByTestId('minimap').focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.url()).not.toBe(zoomed);
    await page.keyboard.press('0');
    await expect.poll(() => page.url()).not.toContain('zoom=');
    expect(troubles).toEqual([]);
    await page.close();
  });

  test('is walked by Tab, and no stop is hidden or without a name', async () => {
    const { page } = await opened(browser, `${served.address}${ASKED}`, { width: 1400, height: 1000 });
    await answered(page);
    const stops: string[] = [];
    for (let n = 0; n < 80; n += 1) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const one = document.activeElement;
        if (!(one instanceof HTMLElement) || one === document.body) return null;
        const box = one.getBoundingClientRect();
        const isShown = one.checkVisibility() && box.width > 0 && box.height > 0;
        return `${isShown ? '' : 'hidden: '}${one.dataset['testid'] ?? one.getAttribute('aria-label') ?? one.textContent}`;
      });
      if (stop === null) break;
      stops.push(stop.trim());
    }
    expect(stops.filter((stop) => stop === '' || stop.startsWith('hidden'))).toEqual([]);
    for (const stop of [
      'search',
      'target-chart',
      'minimap',
      'run-strip',
      'stack-view',
      'split-ranking',
      'Ranked metrics',
    ]) {
      expect(stops).toContain(stop);
    }
    await page.close();
  });
});

test('a session has nothing against it', async () => {
  const files = [0, 1].map((more) => {
    const path = join(scratch, `samples-${more}.txt`);
    const level = (place: number): number => 1000 + ((31 * place * place + 37 * place) % 101) + 20 * more;
    writeFileSync(path, Array.from({ length: 120 }, (_, n) => (n === 50 ? 9000 : level(n))).join('\n'));
    return path;
  });
  const served = await serve(...files);
  await accessible(served.address, (page) => page.getByTestId('verdict').waitFor());
  await served.stop();
});

test('a check has nothing against it, with one question and with several', async () => {
  const data = Array.from({ length: 24 }, (_, number) => {
    const file = join(scratch, `run-${number}.json`);
    writeFileSync(file, execution(number));
    return ['--data', file];
  }).flat();
  const one = join(scratch, 'one.json');
  checked('G (queue < 10)', '--probability', '0.9', ...data, '--export-json', one);
  const several = join(scratch, 'several.json');
  checked(
    'runtime < 1.3 s',
    'G (queue < 10)',
    '--estimate',
    'runtime',
    '--probability',
    '0.8',
    ...data,
    '--export-json',
    several,
  );
  for (const file of [one, several]) {
    const served = await serve(file);
    await accessible(served.address, (page) => page.getByTestId('chart-margins').waitFor());
    await served.stop();
  }
  const report = join(scratch, 'check.html');
  fathom('report', several, '-o', report);
  await accessible(`file://${report}`, (page) => page.getByTestId('chart-margins').waitFor());
});

test('reports have nothing against them, with scripts and without', async () => {
  const traces = join(scratch, 'why.html');
  fathom('report', SHOP, ...QUESTION, '-o', traces);
  await accessible(`file://${traces}`, answered);
  const session = join(scratch, 'session.html');
  fathom('report', 'testdata/series/warmup.csv', '-o', session);
  await accessible(`file://${session}`, (page) => page.getByTestId('verdict').waitFor());
  for (const file of [traces, session]) {
    for (const { name, ...look } of LOOKS) {
      const { page } = await opened(browser, `file://${file}`, { ...look, javaScript: false });
      expect(await violations(page), `${name}, without scripts`).toEqual([]);
      await page.close();
    }
  }
});
