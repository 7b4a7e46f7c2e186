import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

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

/** A browser with a new profile, which ends with the test. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const profile = mkdtempSync(path.join(tmpdir(), 'quern-chromium-'));
  onTestFinished(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath!,
    args: ARGS,
    locale: 'en-GB',
    ...options,
  });
  onTestFinished(() => context.close());
  return context;
}

function findChromium(): string | null {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
