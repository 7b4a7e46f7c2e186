import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestServer } from '../../../support/server.ts';
import { openAs, type Tab } from '../browser.ts';
import { signIn, type Visit } from '../console.ts';

/** Few rows and much work. */
export const BUSY =
  'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3';

/** Starts a run of a user whose results are stored, and returns its id. */
export async function startRun(visit: Visit, target: 'sql' | 'bundle', body: object): Promise<string> {
  const headers = { prefer: 'respond-async' };
  const answer = await visit.send('POST', `exec/${target}?results=all`, {
    headers,
    body: { connection: { name: 'duckdb' }, ...body },
  });
  expect(answer.status, answer.text).toBe(202);
  return (answer.body as { readonly id: string }).id;
}

/** The page of a new run of these statements. */
export interface RunTab extends Tab {
  readonly id: string;
}

/** Runs statements as the administrator, and opens the page of the run; `query` as `?show=chart`. */
export async function openRun({ url }: TestServer, sql: string, query = ''): Promise<RunTab> {
  const id = await startRun(await signIn(url), 'sql', { sql });
  return { id, ...(await openAs(url, 'admin', `/runs/${id}${query}`)) };
}

/** Opens the page of a run. */
export function openRunPage(url: string, id: string, login = 'admin'): Promise<Tab> {
  return openAs(url, login, `/runs/${id}`);
}

/** Waits until the page shows a state of its run. */
export async function waitForState(page: Page, state: string): Promise<void> {
  await page.getByRole('status').filter({ hasText: state }).first().waitFor();
}

/** The text of the active cell, as a screen reader finds it. */
export function readActiveCell(page: Page): Promise<string | null> {
  return page.evaluate<string | null>(`
    document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent ?? null
  `);
}

/** The texts of the visible cells of a column, from the top. */
export function readColumn(page: Page, column: number): Promise<readonly string[]> {
  return page.locator(`[role=gridcell][aria-colindex="${column + 2}"]`).allTextContents();
}

/** Expects a value, and waits until the page shows it. */
export function eventually<Value>(read: () => Promise<Value>) {
  return expect.poll(read);
}
