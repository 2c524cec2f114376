// Reports opened from disk, with scripts and without.
import type { Browser } from 'playwright-core';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launched, opened, picture } from './browser';
import { fathom, SHOP } from './fathom';

let browser: Browser;
let scratch: string;
beforeAll(async () => {
  browser = await launched();
  scratch = mkdtempSync(join(tmpdir(), 'fathom-report-'));
});
afterAll(async () => {
  await browser.close();
  rmSync(scratch, { recursive: true });
});

test('a report of traces opens from disk and asks for nothing', async () => {
  const file = join(scratch, 'why.html');
  fathom('report', SHOP, '--target', 'latency_ms', '--window', '260..276', '--common', 'requests', '-o', file);
  expect(statSync(file).size).toBeLessThan(12e6);
  const { page, troubles } = await opened(browser, `file://${file}`);
  await page.getByTestId('ranking-row').first().waitFor();
  expect(await page.getByTestId('ranking-row').first().getAttribute('data-metric')).toBe('gc.pause_ms');
  await picture(page, 'report');
  expect(troubles).toEqual([]);
  await page.close();
});

test('without scripts the answer and its tables are there', async () => {
  const file = join(scratch, 'plain.html');
  fathom('report', SHOP, '--target', 'latency_ms', '--window', '260..276', '--common', 'requests', '-o', file);
  const { page } = await opened(browser, `file://${file}`, { javaScript: false });
  const words = await page.locator('body').innerText();
  expect(words).toContain('latency_ms rises 56%');
  expect(words).toContain('gc.pause_ms');
  expect(words).toContain('fathom explain');
  expect(await page.locator('table').count()).toBeGreaterThan(0);
  await picture(page, 'report-plain');
  await page.close();
});

test('a report of a session has the verdict', async () => {
  const file = join(scratch, 'session.html');
  fathom('report', 'testdata/series/warmup.csv', '-o', file);
  for (const javaScript of [true, false]) {
    const { page, troubles } = await opened(browser, `file://${file}`, { javaScript });
    await expect.poll(async () => (await page.locator('body').innerText()).toLowerCase()).toContain('median');
    expect(troubles).toEqual([]);
    await page.close();
  }
});
