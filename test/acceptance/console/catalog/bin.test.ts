import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { findTreeItem, openCatalog } from './open-catalog.ts';

const shared = shareConsole({ ada: {}, bob: {} });
let folder: string;
let count = 0;

beforeEach(async () => {
  folder = await shared.admin.make('folders', `@Shared/team ${++count}`);
  await shared.admin.make('assets', `${folder}/report`, { content: 'SELECT 42' });
});

async function readContent(path: string): Promise<unknown> {
  return ((await shared.admin.read(path)).body as { data?: { content?: string } }).data?.content;
}

/** Opens the dialog that deletes the shown item. */
async function startDeletion(page: Page, name: string) {
  await page
    .getByRole('button', { name: `Actions for ${name}`, exact: true })
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  return page.getByRole('dialog');
}

async function openBin(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Catalog' }).getByRole('link', { name: 'Bin' }).click();
  await page.getByRole('heading', { name: 'Bin', exact: true }).waitFor();
}

describe.skipIf(chromiumPath === null)('the bin in the console', () => {
  it('gets back what was deleted with Undo', async () => {
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', `${folder}/report`);
    const dialog = await startDeletion(page, 'report');
    await dialog.getByText('The bin keeps it for 30 days.').waitFor();
    await dialog.getByRole('button', { name: 'Delete script' }).click();
    const message = page.getByRole('region', { name: 'Notifications' });
    await message.getByText('Deleted report').waitFor();
    expect((await shared.admin.read(`${folder}/report`)).status).toBe(404);
    await visit(page, 'deleted-with-undo');
    await message.getByRole('button', { name: 'Undo' }).click();
    await message.getByText('Restored report').waitFor();
    await findTreeItem(page, 'report').waitFor();
    expect(await readContent(`${folder}/report`)).toBe('SELECT 42');
    expect(complaints).toEqual([]);
  });

  it('says why Undo restored nothing', async () => {
    const { page } = await openCatalog(shared.server.url, 'ada', `${folder}/report`);
    const dialog = await startDeletion(page, 'report');
    await dialog.getByRole('button', { name: 'Delete script' }).click();
    const message = page.getByRole('region', { name: 'Notifications' });
    await message.getByText('Deleted report').waitFor();
    await shared.admin.make('assets', `${folder}/report`, { content: 'another' });
    await message.getByRole('button', { name: 'Undo' }).click();
    await message.getByText('report was not restored: Name already exists.').waitFor();
    expect(await readContent(`${folder}/report`)).toBe('another');
  });

  it('lists, restores and permanently deletes items, each with an address', async () => {
    const { url } = shared.server;
    const { page, complaints } = await openCatalog(url, 'ada', folder);
    await (await startDeletion(page, `team ${count}`)).getByRole('button', { name: 'Delete folder' }).click();
    await page.waitForURL('**/@Shared');
    await openBin(page);
    await page
      .getByRole('row')
      .filter({ hasText: `team ${count}` })
      .getByText('ada')
      .waitFor();
    await visit(page, 'bin');
    await page.getByRole('link', { name: `team ${count}` }).click();
    const panel = page.getByRole('complementary', { name: `team ${count}` });
    await panel.getByText(folder).waitFor();
    await visit(page, 'bin-item');
    await page.reload();
    await panel.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.waitForURL(`**/team%20${count}`);
    expect(await readContent(`${folder}/report`)).toBe('SELECT 42');

    await page.getByRole('link', { name: 'report' }).click();
    await (await startDeletion(page, 'report')).getByRole('button', { name: 'Delete script' }).click();
    await page.waitForURL(`**/team%20${count}`);
    await openBin(page);
    await page.getByLabel('Search items').fill(folder);
    await page.waitForURL('**/bin?q=*');
    const row = page.getByRole('row').filter({ hasText: folder });
    await row.getByRole('link', { name: 'report' }).click();
    const report = page.getByRole('complementary', { name: 'report' });
    await report.getByRole('button', { name: 'Delete…' }).click();
    const asked = page.getByRole('dialog', { name: 'Delete permanently?' });
    await asked.getByText('You cannot undo this.').waitFor();
    await visit(page, 'dialog-delete-permanently');
    await asked.getByRole('button', { name: 'Delete permanently' }).click();
    await report.waitFor({ state: 'detached' });
    await page.getByText('Nothing found').waitFor();
    expect(complaints).toEqual([]);
  });

  it('restores elsewhere when the name is taken, and shows other users nothing', async () => {
    const { url } = shared.server;
    await shared.admin.remove('assets', `${folder}/report`, '*');
    await shared.admin.make('assets', `${folder}/report`, { content: 'another' });
    const other = await openCatalog(url, 'bob', folder);
    await openBin(other.page);
    await other.page.getByText('The bin is empty').waitFor();
    await visit(other.page, 'bin-empty');
    const { page } = await openCatalog(url, 'admin', folder);
    await openBin(page);
    await page.getByRole('link', { name: 'report' }).first().click();
    const panel = page.getByRole('complementary', { name: 'report' });
    await panel.getByRole('button', { name: 'Restore', exact: true }).click();
    await panel.getByRole('alert').getByText('Name already exists.').waitFor();
    await panel.getByRole('button', { name: 'Restore elsewhere' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore report' });
    await dialog.getByLabel('Name').fill(`old report ${count}`);
    await visit(page, 'dialog-restore');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.waitForURL(`**/@Shared/old%20report%20${count}`);
    expect(await readContent(`@Shared/old report ${count}`)).toBe('SELECT 42');
    expect(other.complaints).toEqual([]);
  });

  it('restores several items at once, and says which one failed', async () => {
    await shared.admin.make('assets', `${folder}/second`);
    for (const name of ['report', 'second']) await shared.admin.remove('assets', `${folder}/${name}`, '*');
    await shared.admin.make('assets', `${folder}/report`, { content: 'another' });
    const { page } = await openCatalog(shared.server.url, 'admin', folder);
    await openBin(page);
    await page.getByLabel('Search items').fill(folder);
    await page.waitForURL('**/bin?q=*');
    for (const name of ['report', 'second'])
      await page.getByRole('checkbox', { name: `Select ${folder}/${name}` }).check();
    await page
      .getByRole('region', { name: 'Selected items' })
      .getByRole('button', { name: 'Restore' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Restore 2 items?' });
    await visit(page, 'dialog-restore-several');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.getByText(`1 item of 2 failed. ${folder}/report: Name already exists.`).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('checkbox', { name: `Select ${folder}/second` }).waitFor({ state: 'detached' });
    expect((await shared.admin.read(`${folder}/second`)).status).toBe(200);
  });

  it('asks for the name of a folder with more than 100 items', async () => {
    for (let at = 0; at < 101; at++) await shared.admin.make('assets', `${folder}/${at}`);
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', folder);
    const dialog = await startDeletion(page, `team ${count}`);
    const button = dialog.getByRole('button', { name: 'Delete folder' });
    const field = dialog.getByLabel(`Type “team ${count}” to delete so many items`);
    await field.waitFor();
    await visit(page, 'dialog-delete-large-folder');
    expect(await button.isDisabled()).toBe(true);
    await field.fill('team');
    expect(await button.isDisabled()).toBe(true);
    await field.fill(`team ${count}`);
    await button.click();
    await page.waitForURL('**/@Shared');
    expect((await shared.admin.read(folder)).status).toBe(404);
    expect(complaints).toEqual([]);
  });
});
