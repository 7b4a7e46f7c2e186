import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import type { Bench, Figures } from './bench.ts';
import { fillForm, folder, inPage, signIn, watchSize } from './console-page.ts';

// The console in Chromium: how much a browser loads, and how long it takes on a slow computer. Without Chromium, this file
// has no benches.
const THROTTLING = 4;

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

const emptyPage = await serveEmptyPage();

/** The bytes of all responses until the catalog is usable. */
function measureLoad(): Promise<Figures> {
  return inPage(async (page) => {
    const readSize = await watchSize(page);
    await fillForm(page);
    await signIn(page);
    return { wall: Number.NaN, cpu: Number.NaN, peak: Number.NaN, size: readSize() };
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

const SLOW = {
  offline: false,
  latency: 300,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 1_600_000 / 8,
};

/** Signs in, slows the network down, and measures work: the browser has the files of the page in its cache, as on a second visit. */
const onSlowNetwork = (work: (page: Page) => Promise<unknown>) => () =>
  inPage(async (page) => {
    await fillForm(page);
    await signIn(page);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW);
    const start = performance.now();
    await work(page);
    return { wall: performance.now() - start, cpu: Number.NaN, peak: Number.NaN };
  });

const measureSlowCatalog = onSlowNetwork(async (page) => {
  await page.reload({ waitUntil: 'commit' });
  await page.getByRole('treeitem', { name: '@Shared' }).waitFor();
});

const measureRoundTrip = onSlowNetwork((page) =>
  page.evaluate(`fetch('/console/api/session').then((response) => response.text())`),
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
  {
    name: 'a usable catalog, with 300 ms and 1.6 Mbit/s',
    peerName: 'one round trip',
    runs: 5,
    ours: measureSlowCatalog,
    peer: measureRoundTrip,
    limits: [{ metric: 'wall', most: 4 }],
  },
];
