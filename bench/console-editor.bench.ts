import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { Bench, Figures } from './bench.ts';
import { browser, fillForm, inPage, signIn, url, watchSize } from './console-page.ts';

// The editor and the results of the console in Chromium: how much a browser loads, how soon rows are visible, how smoothly
// they scroll, how much memory they need, and how fast typed text appears.
const MILLION =
  "SELECT i AS id, 'name ' || i AS name, i * 1.25 AS price, DATE '2026-01-01' + (i % 900)::INTEGER AS day";
const LINES = 5_000;
const KEYS = 200;

const EMPTY: Figures = { wall: Number.NaN, cpu: Number.NaN, peak: Number.NaN };

/** Runs work on a page where the administrator is signed in. */
const inConsole = <Result>(work: (page: Page) => Promise<Result>) =>
  inPage(async (page) => {
    await fillForm(page);
    await signIn(page);
    return work(page);
  });

/** Sends a request of the page's user. */
function send(page: Page, path: string, body: object): Promise<{ readonly id: string }> {
  return page.evaluate(
    async ([target, text]) => {
      const session = await (await fetch('/console/api/session')).json();
      const headers = {
        'content-type': 'application/json',
        'x-csrf-token': session.csrf_token,
        prefer: 'respond-async',
      };
      return (await fetch(`/console/api/${target}`, { method: 'POST', headers, body: text })).json();
    },
    [path, JSON.stringify(body)] as const,
  );
}

/** Opens the page of a new run, and waits for its first rows. */
async function openRows(page: Page, sql: string): Promise<void> {
  const { id } = await send(page, 'exec/sql?results=all', { sql, connection: { name: 'duckdb' } });
  await page.goto(`${url}/runs/${id}`);
  await page.getByRole('gridcell').first().waitFor();
}

const openMillion = (page: Page) => openRows(page, `${MILLION} FROM range(1000000) r(i)`);

/** The bytes of all responses until the editor is usable, or until a chart is drawn. */
const measureSize = (hasChart: boolean) => () =>
  inPage(async (page) => {
    const readSize = await watchSize(page);
    await fillForm(page);
    await signIn(page);
    await page.getByRole('link', { name: 'SQL' }).click();
    await page.locator('.cm-content').waitFor();
    await page.waitForLoadState('networkidle');
    if (hasChart) {
      await page.locator('.cm-content').fill("SELECT 'a' AS name, 1 AS n UNION ALL SELECT 'b', 2");
      await page.getByRole('combobox', { name: 'Connection' }).click();
      await page.getByRole('option', { name: 'duckdb' }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByText('Chart', { exact: true }).click();
      await page.getByRole('img', { name: /^Bars/ }).waitFor();
    }
    return { ...EMPTY, size: readSize() };
  });

/** From the first byte of a million rows to the first visible row. */
const measureFirstRows = () =>
  inConsole(async (page) => {
    await openMillion(page);
    const wall = await page.evaluate<number>(`(() => {
      const bytes = performance.getEntriesByType('resource').find(({ name }) => /results\\/0\\?/.test(name));
      return performance.now() - bytes.responseStart;
    })()`);
    return { ...EMPTY, wall };
  });

/** The mean time of a frame while the rows scroll. */
const measureFrames = () =>
  inConsole(async (page) => {
    await openMillion(page);
    await page.getByText('1,000,000 rows ·').waitFor();
    const wall = await page.evaluate<number>(`new Promise((resolve) => {
      let box = document.querySelector('[role=grid]');
      const scrolls = (each) => each.scrollHeight > each.clientHeight + 100;
      if (!scrolls(box)) box = [...box.querySelectorAll('*')].find(scrolls);
      let frames = 0;
      const start = performance.now();
      const step = () => {
        frames += 1;
        box.scrollTop += 400;
        const time = performance.now() - start;
        if (time < 3000) requestAnimationFrame(step);
        else resolve(time / frames);
      };
      requestAnimationFrame(step);
    })`);
    return { ...EMPTY, wall };
  });

/** The memory of the page's process, in megabytes. */
async function readMemory(): Promise<number> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8')));
  return Math.max(...sizes.map((found) => Number(found?.[1] ?? 0))) / 1024;
}

const measureMemory = () =>
  inConsole(async (page) => {
    await openMillion(page);
    await page.getByText('1,000,000 rows ·').waitFor();
    return { ...EMPTY, peak: await readMemory() };
  });

/** Opens a million strings in no order, and sorts them by a click; the time until the rows and the arrow have changed. */
async function sortMillion(page: Page): Promise<number> {
  await openRows(
    page,
    "SELECT 'name ' || lpad((i * 7919 % 1000003)::VARCHAR, 7, '0') AS name FROM range(1000000) r(i)",
  );
  await page.getByText('1,000,000 rows ·').waitFor();
  return page.evaluate<number>(`new Promise((resolve) => {
    const header = document.querySelector('[role=columnheader][data-place="0"]');
    const start = performance.now();
    new MutationObserver((_, observer) => {
      if (header.getAttribute('aria-sort') !== 'ascending') return;
      observer.disconnect();
      resolve(performance.now() - start);
    }).observe(header, { attributes: true });
    header.querySelector('span').click();
  })`);
}

const measureSort = () => inConsole(async (page) => ({ ...EMPTY, wall: await sortMillion(page) }));

/** An indirect sort of the same strings in an empty page. */
const measureBareSort = () =>
  inConsole(async (page) => {
    const wall = await page.evaluate<number>(`(() => {
      const names = Array.from({ length: 1_000_000 }, (_, i) => 'name ' + String((i * 7919) % 1000003).padStart(7, '0'));
      const start = performance.now();
      Uint32Array.from({ length: names.length }, (_, i) => i).sort((one, other) =>
        names[one] < names[other] ? -1 : names[one] > names[other] ? 1 : 0);
      return performance.now() - start;
    })()`);
    return { ...EMPTY, wall };
  });

const measureSortedMemory = () =>
  inConsole(async (page) => {
    await sortMillion(page);
    return { ...EMPTY, peak: await readMemory() };
  });

const measureEmptyMemory = () => inConsole(async () => ({ ...EMPTY, peak: await readMemory() }));

/** Types into the focused text; returns how long its characters took to appear, the 95th percentile. */
async function typeKeys(page: Page): Promise<Figures> {
  await page.evaluate(`
    globalThis.waits = [];
    addEventListener('keydown', () => {
      const start = performance.now();
      requestAnimationFrame(() => setTimeout(() => waits.push(performance.now() - start)));
    }, { capture: true });`);
  for (let key = 0; key < KEYS; key += 1) await page.keyboard.type('x', { delay: 30 });
  const waits = await page.evaluate<number[]>('waits');
  const wall = waits.toSorted((one, other) => one - other)[Math.floor(waits.length * 0.95)] ?? Number.NaN;
  return { ...EMPTY, wall };
}

const LONG = Array.from(
  { length: LINES },
  (_, line) => `SELECT ${line} AS n, 'a text of this script' AS t; -- a comment of line ${line}`,
).join('\n');

/** From a key to the frame that shows its character, in a long script. */
const measureTyping = () =>
  inConsole(async (page) => {
    const name = `long ${Date.now()}`;
    await send(page, 'catalog/assets', { parent_path: '@Shared', name, content: LONG });
    await page.goto(`${url}/sql/@Shared/${encodeURIComponent(name)}`);
    await page.locator('.cm-line').first().click();
    return typeKeys(page);
  });

/** The same in a text field of a page without scripts. */
const measureTextArea = () =>
  inPage(async (page) => {
    await page.setContent('<textarea rows="40" cols="120"></textarea>');
    await page.locator('textarea').fill(LONG);
    await page.locator('textarea').press('Control+Home');
    return typeKeys(page);
  });

export const benches: readonly Bench[] = [
  {
    name: 'sign-in page, catalog and editor, all responses',
    peerName: '',
    runs: 1,
    isWarm: true,
    ours: measureSize(false),
    limits: [{ metric: 'size', most: 430, compare: 'alone' }],
  },
  {
    name: 'the same with results and a chart',
    peerName: '',
    runs: 1,
    isWarm: true,
    ours: measureSize(true),
    limits: [{ metric: 'size', most: 530, compare: 'alone' }],
  },
  {
    name: 'from the first byte of a million rows to the first visible row',
    peerName: '',
    runs: 5,
    ours: measureFirstRows,
    limits: [{ metric: 'wall', most: 500, compare: 'alone' }],
  },
  {
    name: 'a frame while a million rows scroll, mean',
    peerName: '',
    runs: 3,
    ours: measureFrames,
    limits: [{ metric: 'wall', most: 20, compare: 'alone' }],
  },
  {
    name: 'memory of a page with a million rows',
    peerName: 'the catalog',
    runs: 3,
    ours: measureMemory,
    peer: measureEmptyMemory,
    limits: [
      { metric: 'peak', most: 400, compare: 'alone' },
      { metric: 'peak', most: null },
    ],
  },
  {
    name: 'a click that sorts a million strings ÷ an indirect sort in the page',
    peerName: 'indirect sort',
    runs: 3,
    ours: measureSort,
    peer: measureBareSort,
    limits: [{ metric: 'wall', most: 2 }],
  },
  {
    name: 'memory of a page after sorting a million strings',
    peerName: '',
    runs: 3,
    ours: measureSortedMemory,
    limits: [{ metric: 'peak', most: 450, compare: 'alone' }],
  },
  {
    name: `from a key to its character in a script of ${Math.round(LONG.length / 1000)} KB, 95th percentile`,
    peerName: 'a textarea',
    runs: 3,
    ours: measureTyping,
    peer: measureTextArea,
    limits: [
      { metric: 'wall', most: 50, compare: 'alone' },
      { metric: 'wall', most: 2 },
    ],
  },
];
