import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { onTestFinished } from 'vitest';
import { listDescendants, readCommand, shareProcess } from './processes.ts';

/**
 * The path of Chromium on this machine; null if it is not installed. The package without a user interface has the same
 * engine and takes less than half of the processor time.
 */
export const chromiumPath = findProgram('chromium-headless-shell') ?? findProgram('chromium');

/** Whether Chromium can trust a certificate authority of the tests. */
export const canTrust = chromiumPath !== null && findProgram('certutil') !== null;

const ARGS = [
  // Each page lives too briefly for code that takes long to compile.
  '--js-flags=--no-opt --no-maglev',
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The browser of this process, which ends with it. */
let browser: Promise<Browser> | undefined;

/**
 * A page with separate cookies and storage, which ends with the test; the tests of a process share the processes of one
 * browser, unless they give another one.
 */
export async function openPage(options: BrowserContextOptions = {}, other?: Browser): Promise<Page> {
  browser ??= other === undefined ? launchShared() : undefined;
  const context = await (other ?? (await browser!)).newContext({ locale: 'en-GB', ...options });
  onTestFinished(() => context.close());
  return context.newPage();
}

async function launchShared(): Promise<Browser> {
  const mark = `--shared=${randomUUID()}`;
  const launched = await chromium.launch({ executablePath: chromiumPath!, args: [...ARGS, mark] });
  shareProcess(listDescendants(process.pid).find((pid) => readCommand(pid).includes(mark))!);
  return launched;
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

/** A separate browser that trusts a certificate authority (a file); `home` becomes its home. The caller closes it. */
export function launchTrusting(authority: string, home: string): Promise<Browser> {
  const database = path.join(home, '.pki/nssdb');
  mkdirSync(database, { recursive: true });
  const run = (...args: readonly string[]) => execFileSync('certutil', ['-d', `sql:${database}`, ...args]);
  run('-N', '--empty-password');
  run('-A', '-t', 'C,,', '-n', 'tests', '-i', authority);
  const env = { ...process.env, HOME: home };
  return chromium.launch({ executablePath: chromiumPath!, args: ARGS, env });
}

function findProgram(name: string): string | null {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
