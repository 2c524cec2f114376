// Debian's Chromium, and what went wrong in it.
import { chromium, type Browser, type Page } from 'playwright-core';
import { mkdirSync } from 'node:fs';
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
