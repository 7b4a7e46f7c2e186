import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { quern, serve } from './served.ts';

// A server with an administrator, and a browser for the benches of the console.
const PASSWORD = 'a mill of two stones';

const executablePath = spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim();
/** A folder that is removed at the end. */
export const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const home = path.join(folder, 'home');
const run = (args: readonly string[], input = '') => {
  const { status, stderr } = spawnSync(process.execPath, [quern, ...args, '--home', home], { input });
  if (status !== 0) throw new Error(`quern ${args.join(' ')}: ${stderr}`);
};
run(['init', '--empty']);
run(['admin', 'reset-password', '--password-stdin'], `${PASSWORD}\n`);
const { port } = await serve({ home, token: '' });
/** The address of the server. */
export const url = `http://127.0.0.1:${port}`;

/** Chromium without its window. */
export const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});

/** Runs work in a browser context without a cache. */
export async function inPage<Result>(work: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await browser.newContext();
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Fills in the sign-in form; meanwhile, as while a person types, the page loads what comes next. */
export async function fillForm(page: Page): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('User name or e-mail').fill('admin');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.waitForLoadState('networkidle');
}

/** Signs in, and waits for the catalog with its data. */
export async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Catalog' }).waitFor();
  await page.getByRole('treeitem', { name: '@Shared' }).waitFor();
}

/** Counts the bytes of all responses from now on; returns a function that reads their sum, in kilobytes. */
export async function watchSize(page: Page): Promise<() => number> {
  const devtools = await page.context().newCDPSession(page);
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await devtools.send('Network.enable');
  return () => bytes / 1024;
}
