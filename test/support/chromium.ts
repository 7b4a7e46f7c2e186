import { execFileSync } from 'node:child_process';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';

/** Where the machine's Chromium is; null where there is none. */
export const chromiumPath = findChromium();

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

/** A page with cookies and storage of its own, which ends with the test; the tests of a file share the browser's processes. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= chromium.launch({ executablePath: chromiumPath!, args: ARGS });
  const context = await (await browser).newContext({ locale: 'en-GB', ...options });
  onTestFinished(() => context.close());
  return context.newPage();
}

function findChromium(): string | null {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
