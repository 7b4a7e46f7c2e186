import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';

/**
 * The path of Chromium on this machine; null if it is not installed. The package without a user interface has the same
 * engine and takes less than half of the processor time.
 */
export const chromiumPath = findProgram('chromium-headless-shell') ?? findProgram('chromium');

/** Whether Chromium can trust a certificate authority of the tests. */
export const canTrust = chromiumPath !== null && findProgram('certutil') !== null;

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
let home: string | undefined;
afterAll(async () => (await browser)?.close());

/**
 * A page with separate cookies and storage, which ends with the test; the tests of a file share the browser's
 * processes.
 */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const env = { ...process.env, ...(home === undefined ? {} : { HOME: home }) };
  browser ??= chromium.launch({ executablePath: chromiumPath!, args: ARGS, env });
  const context = await (await browser).newContext({ locale: 'en-GB', ...options });
  onTestFinished(() => context.close());
  return context.newPage();
}

/** A separate browser that keeps its history in a folder; the test closes it. */
export async function openPersistent(folder: string): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath!,
    args: ARGS,
  });
  onTestFinished(() => context.close());
  return context;
}

/**
 * Makes the browser, before its first page, trust a certificate authority (a file); `folder` becomes its
 * home.
 */
export function trustAuthority(authority: string, folder: string): void {
  if (browser !== undefined) throw new Error('the browser runs already');
  home = folder;
  const database = path.join(home, '.pki/nssdb');
  mkdirSync(database, { recursive: true });
  const run = (...args: readonly string[]) => execFileSync('certutil', ['-d', `sql:${database}`, ...args]);
  run('-N', '--empty-password');
  run('-A', '-t', 'C,,', '-n', 'tests', '-i', authority);
}

function findProgram(name: string): string | null {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
