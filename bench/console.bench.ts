import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import type { Bench, Figures } from './bench.ts';
import { quern, serve } from './served.ts';

// The console in Chromium: how much a browser loads, and how long it takes on a slow computer. Without Chromium, this file
// has no benches.
const PASSWORD = 'a mill of two stones';
const THROTTLING = 4;

const executablePath = spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim();
const folder = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const home = path.join(folder, 'home');
const run = (args: readonly string[], input = '') => {
  const { status, stderr } = spawnSync(process.execPath, [quern, ...args, '--home', home], { input });
  if (status !== 0) throw new Error(`quern ${args.join(' ')}: ${stderr}`);
};
run(['init', '--empty']);
run(['admin', 'reset-password', '--password-stdin'], `${PASSWORD}\n`);
const { port } = await serve({ home, token: '' });
const url = `http://127.0.0.1:${port}`;

/** Builds the empty page, and serves it; its address. */
async function serveEmptyPage(): Promise<string> {
  const out = path.join(folder, 'empty-page');
  await build({
    configFile: false,
    root: path.join(import.meta.dirname, 'empty-page'),
    logLevel: 'error',
    build: { outDir: out, target: 'es2022' },
  });
  const server = createServer(({ url: target = '/' }, response) => {
    const file = path.join(out, target === '/' ? 'index.html' : path.normalize(target));
    const type = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }[path.extname(file)];
    response.writeHead(existsSync(file) ? 200 : 404, { 'content-type': type ?? 'text/plain' });
    response.end(existsSync(file) ? readFileSync(file) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: emptyPort } = server.address() as AddressInfo;
  return `http://127.0.0.1:${emptyPort}/`;
}

const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});
const emptyPage = await serveEmptyPage();

/** Runs work in a browser context without a cache. */
async function inPage<Result>(work: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await browser.newContext();
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Fills in the sign-in form; meanwhile, as while a person types, the page loads what comes next. */
async function fillForm(page: Page): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('User name or e-mail').fill('admin');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.waitForLoadState('networkidle');
}

/** Signs in, and waits for the catalog with its data. */
async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Catalog' }).waitFor();
  await page.getByRole('treeitem', { name: '@Shared' }).waitFor();
}

/** The bytes of all responses until the catalog is usable. */
function measureLoad(): Promise<Figures> {
  return inPage(async (page) => {
    const devtools = await page.context().newCDPSession(page);
    let bytes = 0;
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await devtools.send('Network.enable');
    await fillForm(page);
    await signIn(page);
    return { wall: Number.NaN, cpu: Number.NaN, peak: Number.NaN, size: bytes / 1024 };
  });
}

async function measureThrottled(page: Page, work: () => Promise<unknown>): Promise<Figures> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLING });
  const start = performance.now();
  await work();
  return { wall: performance.now() - start, cpu: Number.NaN, peak: Number.NaN };
}

const measureSignIn = () =>
  inPage(async (page) => {
    await fillForm(page);
    return measureThrottled(page, () => signIn(page));
  });

const measureEmptyPage = () =>
  inPage((page) =>
    measureThrottled(page, async () => {
      await page.goto(emptyPage);
      await page.locator('h1').waitFor();
    }),
  );

export const benches: readonly Bench[] = [
  {
    name: 'sign-in page and catalog, all responses',
    peerName: '',
    runs: 1,
    isWarm: true,
    ours: measureLoad,
    limits: [{ metric: 'size', most: 280, compare: 'alone' }],
  },
  {
    name: 'from the button Sign in to a usable catalog, processor throttled 4 ×',
    peerName: 'an empty page with the same libraries',
    runs: 7,
    ours: measureSignIn,
    peer: measureEmptyPage,
    limits: [
      { metric: 'wall', most: 1_200, compare: 'alone' },
      { metric: 'wall', most: null },
    ],
  },
];
