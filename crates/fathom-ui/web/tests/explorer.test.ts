// The explorer as people use it: the real program, a real browser.
import type { Browser, Page } from 'playwright-core';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Explanation } from '../src/contract';
import { launched, opened, picture, type Opened } from './browser';
import { fathom, serve, SHOP, type Served } from './fathom';

const ASKED = '#target=latency_ms&run=run-1&window=260..276&common=requests';

let browser: Browser;
let scratch: string;
beforeAll(async () => {
  browser = await launched();
  scratch = mkdtempSync(join(tmpdir(), 'fathom-page-'));
});
afterAll(async () => {
  await browser.close();
  rmSync(scratch, { recursive: true });
});

/** The metrics of the ranking, in the order that they are shown. */
async function ranked(page: Page): Promise<string[]> {
  const rows = page.getByTestId('ranking-row');
  await rows.first().waitFor();
  return rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-metric') ?? ''));
}

/** Waits until the answer is there, not an older or a provisional one. */
async function answered(page: Page): Promise<void> {
  await page.locator('[data-testid=sentence][data-state=answered]').waitFor();
}

/** Drags over the target's chart, by shares of its width. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = await page.getByTestId('target-chart').locator('.u-over').boundingBox();
  if (!box) throw new Error('the chart is not shown');
  const [y, x] = [box.y + box.height / 2, (share: number) => box.x + share * box.width];
  await page.mouse.move(x(from), y);
  await page.mouse.down();
  await page.mouse.move(x((from + to) / 2), y, { steps: 4 });
  await page.mouse.move(x(to), y, { steps: 4 });
  await page.mouse.up();
}

function explained(...words: string[]): Explanation {
  return JSON.parse(fathom('explain', SHOP, '--format', 'json', ...words)) as Explanation;
}

describe('traces', () => {
  let served: Served;
  let at: Opened;
  beforeAll(async () => {
    served = await serve(SHOP, '--labels', join(scratch, 'labels.json'));
  });
  afterAll(() => served.stop());

  test('what is there is shown, and what to do with it', async () => {
    at = await opened(browser, served.address);
    await at.page.getByTestId('target-chart').waitFor();
    const words = await at.page.locator('body').innerText();
    expect(words).toContain('3 runs');
    expect(words).toContain('14 metrics');
    await picture(at.page, 'explorer-start');
    expect(at.troubles).toEqual([]);
    await at.page.close();
  });

  test('search finds a metric, Enter makes it the target', async () => {
    at = await opened(browser, served.address);
    await at.page.keyboard.press('/');
    await at.page.getByTestId('search').fill('lat ms');
    await expect.poll(() => at.page.getByTestId('metric-row').count()).toBe(1);
    await at.page.keyboard.press('Enter');
    await expect.poll(() => at.page.url()).toContain('target=latency_ms');
    await at.page.close();
  });

  test('a brush is answered as the command line answers', async () => {
    at = await opened(browser, `${served.address}#target=latency_ms&run=run-1&common=requests`);
    await at.page.getByTestId('target-chart').waitFor();
    await drag(at.page, 0.651, 0.69);
    await answered(at.page);
    const shown = await ranked(at.page);
    const command = (await at.page.getByTestId('command').innerText()).trim();
    expect(command).toMatch(/^fathom explain testdata\/traces\/shop /);
    const words = command.split(/\s+/).slice(3);
    const { ranking } = explained(...words);
    expect(shown).toEqual(ranking.filter((one) => one.copy_of === null).map((one) => one.metric));
    expect(shown[0]).toBe('gc.pause_ms');
    expect(at.troubles).toEqual([]);
    await at.page.close();
  });

  test('the answer is in words, and the stack under it', async () => {
    at = await opened(browser, `${served.address}${ASKED}`);
    await answered(at.page);
    expect(await at.page.getByTestId('sentence').innerText()).toContain('Significant: 3 of 11 metrics');
    await expect.poll(() => at.page.getByTestId('stack-pane').count()).toBeGreaterThan(2);
    // Lines are drawn as they come.
    await at.page.waitForLoadState('networkidle');
    await picture(at.page, 'explorer');
    await at.page.close();
  });

  test('a view is in its address', async () => {
    const first = await opened(browser, `${served.address}${ASKED}&correlator=pearson`);
    await answered(first.page);
    const shown = await ranked(first.page);
    const { ranking } = explained(
      '--target',
      'latency_ms',
      '--run',
      'run-1',
      '--window',
      '260..276',
      '--common',
      'requests',
      '--correlator',
      'pearson',
    );
    expect(shown).toEqual(ranking.filter((one) => one.copy_of === null).map((one) => one.metric));
    await first.page.reload();
    await answered(first.page);
    expect(await ranked(first.page)).toEqual(shown);
    const second = await opened(browser, first.page.url());
    await answered(second.page);
    expect(await ranked(second.page)).toEqual(shown);
    await first.page.close();
    await second.page.close();
  });

  test('a drawn pattern is dragged and ranks anew', async () => {
    at = await opened(
      browser,
      `${served.address}${ASKED}&correlator=manual_pattern&pattern=258:42,268:110,277:42&zoom=240..300`,
    );
    await answered(at.page);
    await at.page.keyboard.press('p');
    const knots = at.page.getByTestId('pattern-knot');
    await expect.poll(() => knots.count()).toBe(3);
    const box = await knots.nth(1).boundingBox();
    if (!box) throw new Error('the knot is not shown');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await at.page.mouse.move(x, y);
    await at.page.mouse.down();
    await at.page.mouse.move(x - 40, y + 30, { steps: 5 });
    await at.page.mouse.up();
    await expect.poll(() => at.page.url()).not.toContain('268:110');
    await answered(at.page);
    const command = (await at.page.getByTestId('command').innerText()).trim();
    expect(command).toContain('--pattern');
    const { ranking } = explained(...command.split(/\s+/).slice(3));
    expect(await ranked(at.page)).toEqual(ranking.filter((one) => one.copy_of === null).map((one) => one.metric));
    await picture(at.page, 'pattern');
    await at.page.close();
  });

  test('looking at a pattern or a baseline changes nothing', async () => {
    at = await opened(browser, `${served.address}${ASKED}&segments=4`);
    await answered(at.page);
    // A pattern begins with the segments, which take a moment.
    await at.page.waitForLoadState('networkidle');
    const [shown, address] = [await ranked(at.page), at.page.url()];
    for (const key of ['p', 'b']) {
      await at.page.keyboard.press(key);
      await expect.poll(() => at.page.url()).not.toBe(address);
      await at.page.keyboard.press('Escape');
      await expect.poll(() => at.page.url()).toBe(address);
      await answered(at.page);
      expect(await ranked(at.page)).toEqual(shown);
    }
    await at.page.close();
  });

  test('Back, Forward and Ctrl-Z lead through what was done', async () => {
    at = await opened(browser, `${served.address}#target=latency_ms&run=run-1&common=requests`);
    const { page } = at;
    const start = page.url();
    await page.getByTestId('target-chart').waitFor();
    await drag(page, 0.651, 0.69);
    await expect.poll(() => page.url()).toContain('window=');
    await answered(page);
    const one = page.url();
    await page.keyboard.press('z');
    await expect.poll(() => page.url()).toContain('zoom=');
    const zoomed = page.url();
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.url()).toBe(one);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => page.url()).toBe(zoomed);
    await page.goBack();
    await page.goBack();
    await expect.poll(() => page.url()).toBe(start);
    expect(await page.getByTestId('ranking-row').count()).toBe(0);
    await page.goForward();
    await expect.poll(() => page.url()).toBe(one);
    await answered(page);
    expect((await ranked(page))[0]).toBe('gc.pause_ms');
    // Keys that are held are one movement, and the first step of the page is where undoing ends.
    for (let n = 0; n < 5; n += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.url()).not.toBe(one);
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.url()).toBe(one);
    for (let n = 0; n < 5; n += 1) {
      await page.keyboard.press('Control+z');
      await page.waitForTimeout(100);
    }
    expect(page.url()).toBe(start);
    expect(await page.getByRole('alert').innerText()).toContain('Nothing to undo');
    expect(at.troubles).toEqual([]);
    await page.close();
  });

  test('a link opens the same view after the server has ended', async () => {
    at = await opened(browser, `${served.address}${ASKED}&correlator=pearson`);
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await answered(at.page);
    const shown = await ranked(at.page);
    await at.page.getByTestId('copy-link').click();
    await at.page.getByText('Copied').waitFor();
    const command = await at.page.evaluate(() => navigator.clipboard.readText());
    expect(command).toMatch(/^fathom ui testdata\/traces\/shop --target latency_ms --window 260\.\.276 /);
    await at.page.close();
    const next = await serve(...command.split(' ').slice(2));
    const again = await opened(browser, next.address);
    await answered(again.page);
    expect(await ranked(again.page)).toEqual(shown);
    await again.page.close();
    // An address of an earlier start says what to do.
    const old = next.address.replace(/[0-9a-f]{32}/, '0'.repeat(32));
    expect(await (await fetch(old)).text()).toContain('Open the address it printed this time');
    await next.stop();
  });

  test('a file that the browser is given leads to the page', async () => {
    const file = join(scratch, 'open.html');
    writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${served.address}">`);
    at = await opened(browser, `file://${file}`);
    await at.page.getByTestId('target-chart').waitFor();
    expect(at.page.url()).toContain(served.address);
    await at.page.close();
  });

  test('labels belong to a window', async () => {
    at = await opened(browser, `${served.address}${ASKED}`);
    const { page } = at;
    await answered(page);
    const first = page.getByTestId('ranking-row').first();
    const row = `[data-testid=ranking-row][data-metric="${await first.getAttribute('data-metric')}"]`;
    await first.getByTestId('label-maybe').click();
    const pressed = (name: string) => page.locator(row).getByTestId(name).getAttribute('aria-pressed');
    await expect.poll(() => pressed('label-maybe')).toBe('true');
    await page.goto(`${served.address}${ASKED.replace('260..276', '100..120')}`);
    await answered(page);
    await page.locator(row).waitFor();
    expect(await pressed('label-maybe')).toBe('false');
    await page.goto(`${served.address}${ASKED.replace('260..276', '261..277')}`);
    await answered(page);
    await expect.poll(() => pressed('label-maybe')).toBe('true');
    await page.locator(row).getByTestId('label-maybe').click();
    await expect.poll(() => pressed('label-maybe')).toBe('false');
    await page.close();
  });

  test('labels are given by keys, kept, and scored', async () => {
    at = await opened(browser, `${served.address}${ASKED}`);
    await answered(at.page);
    await at.page.keyboard.press('g');
    await at.page.keyboard.press('g');
    for (const key of ['y', 'j', 'y', 'j', 'm', 'j', 'n', 'j', 'n']) await at.page.keyboard.press(key);
    await at.page.getByTestId('agreement').waitFor();
    const kept = () => JSON.parse(readFileSync(join(scratch, 'labels.json'), 'utf8')) as Record<string, unknown>;
    await expect.poll(() => JSON.stringify(kept())).toContain('"no"');
    const again = await opened(browser, `${served.address}${ASKED}`);
    await answered(again.page);
    await again.page.getByTestId('agreement').waitFor();
    await picture(again.page, 'labels');
    expect(at.troubles).toEqual([]);
    await at.page.close();
    await again.page.close();
  });

  test('what is exported is what the command line writes', async () => {
    at = await opened(browser, `${served.address}${ASKED}&score-in=every`);
    await answered(at.page);
    await at.page.keyboard.press('x');
    const [csv] = await Promise.all([at.page.waitForEvent('download'), at.page.getByTestId('export-csv').click()]);
    const path = join(scratch, 'ranking.csv');
    await csv.saveAs(path);
    const columns = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => line.split(',').slice(0, 8).join());
    expect(columns(readFileSync(path, 'utf8'))).toEqual(
      columns(
        fathom(
          'explain',
          SHOP,
          '--target',
          'latency_ms',
          '--run',
          'run-1',
          '--window',
          '260..276',
          '--common',
          'requests',
          '--format',
          'csv',
        ),
      ),
    );
    await at.page.keyboard.press('x');
    const [png] = await Promise.all([at.page.waitForEvent('download'), at.page.getByTestId('export-png').click()]);
    await png.saveAs(join(scratch, 'view.png'));
    expect(readFileSync(join(scratch, 'view.png')).subarray(1, 4).toString()).toBe('PNG');
    expect(at.troubles).toEqual([]);
    await at.page.close();
  });

  test('it is legible in the dark and on large screens', async () => {
    for (const [name, options] of [
      ['explorer-dark', { dark: true }],
      ['explorer-large', { width: 2560, height: 1440 }],
    ] as const) {
      at = await opened(browser, `${served.address}${ASKED}`, options);
      await answered(at.page);
      const wide = await at.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
      await picture(at.page, name);
      await at.page.close();
    }
  });

  test('every control has a name', async () => {
    at = await opened(browser, `${served.address}${ASKED}`);
    await answered(at.page);
    const nameless = await at.page.locator('button, input, select, [role=button], [tabindex="0"]').evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility())
        .filter((one) => {
          const labelled = (one as HTMLInputElement).labels?.length;
          const named = one.getAttribute('aria-label') ?? one.getAttribute('aria-labelledby') ?? one.textContent;
          return !labelled && !named?.trim() && !one.getAttribute('title');
        })
        .map((one) => one.outerHTML.slice(0, 120)),
    );
    expect(nameless).toEqual([]);
    await at.page.close();
  });
});

describe('a recording', () => {
  test('of a real program is explored like any other', async () => {
    const folder = join(scratch, 'recording');
    const program = 'for i in 1 2 3 4 5 6; do head -c 4000000 /dev/urandom | gzip >/dev/null; sleep 0.15; done';
    fathom('record', '-o', folder, '--group', 'process', '--interval', '10ms', '--', 'sh', '-c', program);
    const served = await serve(folder);
    const at = await opened(browser, `${served.address}#target=process.stat.utime&run=run-1&window=0.3..0.8`);
    await answered(at.page);
    const shown = await ranked(at.page);
    const command = (await at.page.getByTestId('command').innerText()).trim();
    const words = command.split(/\s+/).slice(3);
    const { ranking } = JSON.parse(fathom('explain', folder, '--format', 'json', ...words)) as Explanation;
    const expected = ranking.filter((one) => one.copy_of === null).map((one) => one.metric);
    expect(shown.length).toBeGreaterThan(5);
    expect(shown).toEqual(expected.slice(0, shown.length));
    // Labels of a recording are kept in its folder.
    await at.page.keyboard.press('j');
    await at.page.keyboard.press('y');
    await expect.poll(() => readFileSync(join(folder, 'labels.json'), 'utf8')).toContain('"yes"');
    expect(at.troubles).toEqual([]);
    await at.page.close();
    await served.stop();
  });
});

describe('hostile names', () => {
  const NAMES = ['<img src=x onerror=alert(1)>', '</script><script>alert(2)</script>', '"><b>bold', 'a\u202egnp.exe'];

  test('are shown as they are', async () => {
    const rows = Array.from({ length: 200 }, (_, row) => {
      const bump = row > 120 && row < 150 ? 10 : 0;
      return [row, bump + (row % 7), ...NAMES.map((_, n) => bump * (n + 1) + ((row * (n + 3)) % 11))].join();
    });
    const quoted = NAMES.map((name) => `"${name.replaceAll('"', '""')}"`);
    const file = join(scratch, 'hostile.csv');
    writeFileSync(file, [['time', 'target', ...quoted].join(), ...rows, ''].join('\n'));
    const served = await serve(file);
    const at = await opened(browser, `${served.address}#target=target&run=hostile&window=120..150`);
    at.page.on('dialog', () => at.troubles.push('a script ran'));
    await answered(at.page);
    expect((await ranked(at.page)).toSorted()).toEqual(NAMES.toSorted());
    expect(await at.page.locator('img').count()).toBe(0);
    const report = join(scratch, 'hostile.html');
    fathom('report', file, '--target', 'target', '--window', '120..150', '-o', report);
    const sent = await opened(browser, `file://${report}`);
    sent.page.on('dialog', () => sent.troubles.push('a script ran'));
    await answered(sent.page);
    expect([...at.troubles, ...sent.troubles]).toEqual([]);
    await at.page.close();
    await sent.page.close();
    await served.stop();
  });
});

test('the answer of a command opens with its question', async () => {
  const file = join(scratch, 'why.json');
  const question = [
    '--target',
    'latency_ms',
    '--window',
    'rows:260..276',
    '--common',
    'requests',
    '--correlator',
    'shape',
  ];
  fathom('explain', SHOP, '--quiet', '--export-json', file, ...question);
  const served = await serve(file, '--labels', join(scratch, 'other-labels.json'));
  const { page, troubles } = await opened(browser, served.address);
  await answered(page);
  const metrics = explained(...question)
    .ranking.filter(({ copy_of }) => copy_of === null)
    .map(({ metric }) => metric);
  expect(await ranked(page)).toEqual(metrics.slice(0, (await ranked(page)).length));
  await expect.poll(() => page.url()).toContain('window=260..276');
  expect(page.url()).toContain('correlator=shape');
  expect(troubles).toEqual([]);
  await page.close();
  await served.stop();
});

test('an answer about all of a metric opens with all of it', async () => {
  const file = join(scratch, 'whole.json');
  fathom('explain', SHOP, '--quiet', '--export-json', file, '--target', 'latency_ms');
  const served = await serve(file, '--labels', join(scratch, 'whole-labels.json'));
  const { page, troubles } = await opened(browser, served.address);
  await answered(page);
  expect((await ranked(page))[0]).toBe(explained('--target', 'latency_ms').ranking[0]?.metric);
  expect(troubles).toEqual([]);
  await page.close();
  await served.stop();
});
