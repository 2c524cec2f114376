// Debian's Chromium, and what went wrong in it.
import type { AxeResults } from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { TOP } from './fathom';

export const PICTURES = process.env['FATHOM_PICTURES'] ?? resolve(TOP, 'target/pictures');

export function launched(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    // Containers have no namespaces for its sandbox; the pages are ours.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}

export interface Opened {
  page: Page;
  /** What the console complained about, and requests to elsewhere. */
  troubles: string[];
}

export async function opened(
  browser: Browser,
  address: string,
  options: { width?: number; height?: number; dark?: boolean; javaScript?: boolean } = {},
): Promise<Opened> {
  const { width = 1280, height = 800, dark = false, javaScript = true } = options;
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    javaScriptEnabled: javaScript,
    reducedMotion: 'reduce',
  });
  const troubles: string[] = [];
  page.on('console', (said) => {
    if (said.type() === 'error' || said.type() === 'warning') troubles.push(said.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  const origin = new URL(address).origin;
  page.on('request', (request) => {
    const url = new URL(request.url());
    const own = url.origin === origin || ['data:', 'blob:', 'file:'].includes(url.protocol);
    if (!own) troubles.push(`asked for ${request.url()}`);
  });
  await page.goto(address);
  return { page, troubles };
}

/** A picture of the whole view for docs/, or for whoever looks at what failed. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: resolve(PICTURES, `${name}.png`), animations: 'disabled' });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core, with all rules that it runs by default, has against the page as it is now. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate('axe.run(document)').then((found) => found as AxeResults);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any, all, none }) => {
      const why = [...any, ...all, ...none].map(({ message }) => message).join('; ');
      return `${id}: ${help}: ${html.slice(0, 160)}: ${why}`;
    }),
  );
}
