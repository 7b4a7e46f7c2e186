import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { runQuern } from '../../../support/server.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { findText, openEditor, typeAtEnd } from './open-editor.ts';

const shared = shareConsole({ ada: {} });

/** Runs until it is cancelled. */
const LASTING = 'SELECT count(*) AS n FROM range(1000000000) a, range(1000000) b';

const findButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

interface ListedRun {
  readonly id: string;
  readonly user: string;
  readonly connection: string | null;
}

/** What `quern ps` lists of ada on a connection; checks of the text are without one. */
async function listRuns(): Promise<readonly ListedRun[]> {
  const { data } = JSON.parse(await runQuern(shared.server.cwd, 'ps --json')) as {
    readonly data: readonly ListedRun[];
  };
  return data.filter(({ user, connection }) => user === 'ada' && connection !== null);
}

const expectRuns = (count: number) => expect.poll(async () => (await listRuns()).length).toBe(count);

/** Opens a query that runs until it is cancelled. */
async function openLasting() {
  const tab = await openEditor(shared.server.url, 'ada');
  await typeAtEnd(tab.page, findText(tab.page, 'Query 1'), LASTING);
  await tab.page.keyboard.press('ControlOrMeta+Enter');
  await findButton(tab.page, 'Stop').waitFor();
  await expectRuns(1);
  return tab;
}

describe.skipIf(chromiumPath === null)('a text that runs', () => {
  it('is stopped by the button that has run it', async () => {
    const { page, complaints } = await openLasting();
    await findButton(page, 'Stop').click();
    await findButton(page, 'Run').waitFor();
    await page.getByRole('status').filter({ hasText: 'Cancelled' }).first().waitFor();
    await expectRuns(0);
    expect(complaints).toEqual([]);
  });

  it('asks before it runs again, and stops the earlier run first', async () => {
    const { page, complaints } = await openLasting();
    const [first] = await listRuns();
    await page.keyboard.press('ControlOrMeta+Enter');
    const dialog = page.getByRole('dialog', { name: 'Query 1 is running' });
    await dialog.waitFor();
    await visit(page, 'editor-running-again');
    await dialog.getByRole('button', { name: 'Wait' }).click();
    expect(await listRuns()).toEqual([expect.objectContaining({ id: first!.id })]);
    await findText(page, 'Query 1').focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    await dialog.getByRole('button', { name: 'Stop it and run' }).click();
    await expect.poll(async () => (await listRuns()).filter(({ id }) => id !== first!.id).length).toBe(1);
    await expectRuns(1);
    await findButton(page, 'Stop').click();
    await expectRuns(0);
    expect(complaints).toEqual([]);
  });

  it('may end while the question is open', async () => {
    const { page, complaints } = await openLasting();
    await page.keyboard.press('ControlOrMeta+Shift+Enter');
    await page.getByRole('dialog', { name: 'Query 1 is running' }).waitFor();
    const [run] = await listRuns();
    await runQuern(shared.server.cwd, ['kill', run!.id]);
    const dialog = page.getByRole('dialog', { name: 'Query 1 has ended' });
    await dialog.getByRole('button', { name: 'Keep its results' }).click();
    await findButton(page, 'Run').waitFor();
    await expectRuns(0);
    expect(complaints).toEqual([]);
  });

  it('is stopped when its text is closed, if the person wants that', async () => {
    const { page, complaints } = await openLasting();
    await findButton(page, 'Close Query 1').click();
    const dialog = page.getByRole('dialog', { name: 'Close Query 1?' });
    await dialog.getByLabel('Stop its run').waitFor();
    await visit(page, 'editor-close-running');
    await dialog.getByRole('button', { name: 'Close it' }).click();
    await findText(page, 'Query 2').waitFor();
    await expectRuns(0);
    expect(complaints).toEqual([]);
  });

  it('runs to its end without its text, and is listed and stopped in the top bar', async () => {
    const { page, complaints } = await openLasting();
    await findButton(page, 'Close Query 1').click();
    const dialog = page.getByRole('dialog', { name: 'Close Query 1?' });
    await dialog.getByLabel('Stop its run').uncheck();
    await dialog.getByRole('button', { name: 'Close it' }).click();
    await findText(page, 'Query 2').waitFor();
    await findButton(page, '1 running').click();
    const list = page.getByRole('list', { name: 'Your runs' });
    await list.getByRole('link', { name: '@Personal/query-1' }).waitFor();
    await visit(page, 'live-runs');
    await list.getByRole('button', { name: 'Stop @Personal/query-1' }).click();
    await findButton(page, '1 running').waitFor({ state: 'detached' });
    await expectRuns(0);
    expect(complaints).toEqual([]);
  });
});
