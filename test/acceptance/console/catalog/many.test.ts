import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { createClient } from '../../../support/http.ts';
import { createToken, makeAdminHome, runQuern, serve } from '../../../support/server.ts';
import { setPassword, shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { fillFolder, openCatalog } from './open-catalog.ts';

const shared = shareConsole({ ada: {}, eve: { role: 'VIEWER' }, bob: {} });
let folder: string;
let count = 0;

beforeEach(async () => {
  folder = await shared.admin.make('folders', `@Shared/many ${++count}`);
  for (const name of ['a', 'b', 'c']) await shared.admin.make('assets', `${folder}/${name}`);
  await shared.admin.make('folders', `${folder}/to`);
});

async function listNames(path: string): Promise<string[]> {
  const { body } = await shared.admin.list(path);
  return (body as { data: { name: string }[] }).data.map(({ name }) => name);
}

async function select(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
}

const findBar = (page: Page) => page.getByRole('region', { name: 'Selected items' });
const findMessages = (page: Page) => page.getByRole('region', { name: 'Notifications' });

async function start(page: Page, action: string) {
  await findBar(page).getByRole('button', { name: action }).click();
  return page.getByRole('dialog');
}

async function chooseFolder(page: Page, ...names: readonly string[]): Promise<void> {
  const tree = page.getByRole('dialog').getByRole('tree');
  for (const name of names) await tree.getByRole('treeitem', { name, exact: true }).getByText(name).click();
}

describe.skipIf(chromiumPath === null)('several items of a folder', () => {
  it('are moved together, and moved back with Undo', async () => {
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', folder);
    await select(page, 'a', 'b');
    await findBar(page).getByText('2 items selected').waitFor();
    await visit(page, 'catalog-selected');
    const dialog = await start(page, 'Move');
    await visit(page, 'dialog-move-many');
    expect(await dialog.getByRole('button', { name: 'Move' }).isDisabled()).toBe(true);
    await chooseFolder(page, `many ${count}`, 'to');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await findMessages(page).getByText('2 items moved').waitFor();
    expect(await listNames(folder)).toEqual(['to', 'c']);
    expect(await listNames(`${folder}/to`)).toEqual(['a', 'b']);
    await findBar(page).waitFor({ state: 'detached' });
    await findMessages(page).getByRole('button', { name: 'Undo' }).click();
    await findMessages(page).getByText('2 items moved back').waitFor();
    expect(await listNames(folder)).toEqual(['to', 'a', 'b', 'c']);
    await page.getByRole('link', { name: 'a', exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('say which of them were not changed, and why', async () => {
    await shared.admin.make('assets', `${folder}/to/b`);
    const { page } = await openCatalog(shared.server.url, 'ada', folder);
    await select(page, 'a', 'b');
    const dialog = await start(page, 'Move');
    await chooseFolder(page, `many ${count}`, 'to');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await dialog.getByText('Not everything was moved').waitFor();
    await dialog.getByText('1 of 2 items moved.').waitFor();
    const others = dialog.getByRole('list', { name: 'Items that were not transferred' });
    expect(await others.getByRole('listitem').allTextContents()).toEqual([
      `${folder}/bFailed: Name already exists.`,
    ]);
    await findMessages(page).getByText(`1 item moved, 1 not: ${folder}/b: Name already exists.`).waitFor();
    await visit(page, 'dialog-move-many-result');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    expect(await listNames(folder)).toEqual(['to', 'b', 'c']);
  });

  it('are copied to a folder or next to themselves, and downloaded in one file', async () => {
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', folder);
    await page.getByRole('checkbox', { name: 'Select the items in the list' }).check();
    await findBar(page).getByText('4 items selected').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), start(page, 'Download')]);
    expect(download.suggestedFilename()).toBe(`many ${count}.zip`);
    const files = unzipSync(readFileSync(await download.path()));
    expect(Object.keys(files).toSorted()).toEqual(
      ['a.sql', 'b.sql', 'c.sql', 'to/'].map((name) => `many ${count}/${name}`),
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await select(page, 'a', 'c');
    const dialog = await start(page, 'Copy');
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await findMessages(page).getByText('2 items copied').waitFor();
    expect(await listNames(folder)).toEqual(['to', 'a', 'a copy', 'b', 'c', 'c copy']);
    expect(complaints).toEqual([]);
  });

  it('are only copied and downloaded by a user who may not change them', async () => {
    await runQuern(shared.server.cwd, ['grant', 'restrict', folder]);
    for (const name of ['eve', 'bob'])
      await runQuern(shared.server.cwd, ['grant', 'add', `user:${name}`, 'view', folder]);
    for (const [name, actions] of [
      ['bob', ['Copy…', 'Download']],
      ['eve', ['Download']],
    ] as const) {
      const { page } = await openCatalog(shared.server.url, name, folder);
      await select(page, 'a');
      expect(await findBar(page).getByRole('button').allTextContents()).toEqual([
        'Select all 4 items',
        'Clear the selection',
        ...actions,
      ]);
    }
  });

  it('are deleted after a question for their number if more than 100 are below them', async () => {
    for (let at = 0; at < 99; at += 1) await shared.admin.make('assets', `${folder}/to/${at}`);
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', folder);
    await select(page, 'a', 'to');
    const dialog = await start(page, 'Delete');
    await dialog.getByText('The bin keeps them for 30 days.').waitFor();
    const button = dialog.getByRole('button', { name: 'Delete' });
    const field = dialog.getByLabel('Type “2” to delete so many items');
    await field.waitFor();
    await visit(page, 'dialog-delete-many');
    expect(await button.isDisabled()).toBe(true);
    await field.fill('2');
    await button.click();
    await findMessages(page).getByText('2 items deleted').waitFor();
    expect(await listNames(folder)).toEqual(['b', 'c']);
    expect(complaints).toEqual([]);
  });

  it('are selected, deleted and restored when they are 10,000', async () => {
    const { cwd } = await makeAdminHome();
    await setPassword(cwd, 'admin');
    const names = Array.from({ length: 10_000 }, (_, at) => `script ${String(at).padStart(5, '0')}`);
    fillFolder(cwd, 'many', names);
    const server = await serve(cwd);
    try {
      const client = createClient(server.url, await createToken(cwd, 'admin'));
      const path = '@Shared/many/script 05000';
      const { etag } = (await client.read(path)).headers;
      const { page, complaints } = await openCatalog(server.url, 'admin', '@Shared/many');
      await select(page, 'script 00000');
      await findBar(page).getByRole('button', { name: 'Select all 10,000 items' }).click();
      await findBar(page).getByText('10,000 items selected').waitFor();
      const dialog = await start(page, 'Delete');
      await dialog.getByLabel('Type “10000” to delete so many items').fill('10,000');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await findMessages(page).getByText('10,000 items deleted').waitFor({ timeout: 120_000 });
      expect((await client.list('@Shared/many')).body).toEqual({ data: [] });
      const found = await client.send('GET', '/manage/search?name=script');
      expect(found.body).toMatchObject({ data: [] });
      await findMessages(page).getByRole('button', { name: 'Undo' }).click();
      await findMessages(page).getByText('10,000 items restored').waitFor({ timeout: 120_000 });
      const { body } = await client.list('@Shared/many');
      expect((body as { data: unknown[] }).data).toHaveLength(10_000);
      expect((await client.remove('assets', path, etag!)).status).toBe(412);
      expect(complaints).toEqual([]);
    } finally {
      await server.stop();
    }
  }, 300_000);
});
