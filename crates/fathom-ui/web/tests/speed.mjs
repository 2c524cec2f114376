// How long people wait, in a real browser: `node tests/speed.mjs FATHOM TRACES TARGET RUN ROUNDS`
// prints JSON with times in seconds. Called by `fathom-testkit performance explorer`.
import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';

const [program, traces, target, run, rounds] = process.argv.slice(2);

/** The program and its address. */
async function served() {
  const child = spawn(program, ['ui', '--no-open', traces], { stdio: ['ignore', 'pipe', 'ignore'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (bytes) => {
      said += bytes;
      if (said.includes('\n')) resolve(said.split('\n')[0]);
    });
    child.once('exit', () => reject(new Error('fathom ui ended')));
  });
  return { child, address };
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});

// The browser itself starts before anything is measured.
await (await browser.newPage()).goto('about:blank');

/** From starting the program to the target's line on the screen; nothing is known from before. */
async function firstPicture() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const began = performance.now();
  const { child, address } = await served();
  await page.goto(`${address}#target=${encodeURIComponent(target)}&run=${run}`);
  await page.locator('[data-testid=target-chart] canvas').first().waitFor();
  await page.waitForFunction(drawn);
  const seconds = (performance.now() - began) / 1000;
  return { page, context, child, seconds };
}

/** Whether a line is on the target's canvas: something else than grid and background. */
function drawn() {
  const canvas = document.querySelector('[data-testid=target-chart] canvas');
  const context = canvas?.getContext('2d');
  if (!context || canvas.width === 0) return false;
  const { data } = context.getImageData(canvas.width / 4, 0, canvas.width / 2, canvas.height);
  let dark = 0;
  for (let n = 0; n < data.length; n += 4) {
    if (data[n + 3] > 200 && data[n] < 90 && data[n + 1] < 90 && data[n + 2] < 90) dark += 1;
  }
  return dark > 200;
}

async function ended({ context, child }) {
  await context.close();
  child.kill('SIGINT');
}

const pictures = [];
let last;
for (let round = 0; round < Number(rounds); round += 1) {
  if (last) await ended(last);
  last = await firstPicture();
  pictures.push(last.seconds);
}

/** From letting go of the brush to the ranking on the screen. */
async function brushed(page, from, to) {
  const box = await page.locator('[data-testid=target-chart] .u-over').boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, y, { steps: 3 });
  await page.mouse.move(box.x + to * box.width, y, { steps: 3 });
  const old = await page.evaluate(() => document.querySelector('[data-testid=command]')?.textContent ?? '');
  const began = performance.now();
  await page.mouse.up();
  await page.waitForFunction(
    (before) => {
      const command = document.querySelector('[data-testid=command]')?.textContent ?? '';
      const sentence = document.querySelector('[data-testid=sentence]');
      return command !== '' && command !== before && sentence?.dataset.state === 'answered';
    },
    old,
    { timeout: 120_000, polling: 10 },
  );
  return (performance.now() - began) / 1000;
}

const { page } = last;
// The first question reads the run and waits for runs to be aligned; later ones do not.
const first = await brushed(page, 0.3, 0.35);
const brushes = [];
for (let round = 0; round < Number(rounds); round += 1) {
  const from = 0.2 + (0.6 * ((round * 7) % 10)) / 10;
  brushes.push(await brushed(page, from, from + 0.05));
}
const rows = await page.locator('[data-testid=ranking-row]').count();
process.stdout.write(`${JSON.stringify({ pictures, first, brushes, rows })}\n`);
await ended(last);
await browser.close();
