import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { shareConsole, signIn } from '../console.ts';
import { visit } from '../visit.ts';
import { findTreeItem, openCatalog } from './open-catalog.ts';

const shared = shareConsole({ ada: {}, vic: { role: 'VIEWER' } });

beforeAll(async () => {
  const { admin } = shared;
  await admin.make('folders', '@Shared/team');
  await admin.make('folders', '@Shared/other');
});

/** Opens the dialog of an action from the menu of the shown item. */
async function startAction(page: Page, name: string, action: string): Promise<Locator> {
  await page
    .getByRole('button', { name: `Actions for ${name}`, exact: true })
    .last()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
  return page.getByRole('dialog');
}

async function readContent(path: string): Promise<unknown> {
  return ((await shared.admin.read(path)).body as { data?: { content?: string } }).data?.content;
}

/** Lets `ada` only view a folder. */
async function withdrawEdit(url: string, target: string): Promise<void> {
  const visit = await signIn(url, 'admin');
  const restricted = await visit.send('POST', 'manage/grants/restrict', { body: { target } });
  expect(restricted.status, restricted.text).toBe(200);
  const body = { subject: 'user:ada', level: 'VIEW', target };
  const granted = await visit.send('PUT', 'manage/grants', { body });
  expect(granted.status, granted.text).toBe(200);
}

describe.skipIf(chromiumPath === null)('changing the catalog', () => {
  it('creates, renames, describes, moves and deletes a script', async () => {
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', '@Shared/team');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Script' }).click();
    const creation = page.getByRole('dialog', { name: 'Create a script' });
    await creation.getByLabel('Name').fill('a/b');
    await creation.getByLabel('Text').fill('SELECT 42');
    await page.keyboard.press('Escape');
    await creation.getByRole('button', { name: 'Create script' }).click();
    await creation.getByRole('alert').getByText("Name cannot contain '/' character").waitFor();
    await visit(page, 'dialog-create-script');
    await creation.getByLabel('Name').fill('first name');
    await creation.getByRole('button', { name: 'Create script' }).click();
    await page.getByLabel('Content of first name').getByText('SELECT 42').waitFor();

    const renaming = await startAction(page, 'first name', 'Rename');
    await renaming.getByLabel('New name').waitFor();
    await visit(page, 'dialog-rename');
    await renaming.getByLabel('New name').fill('second name');
    await renaming.getByRole('button', { name: 'Rename' }).click();
    await page.waitForURL('**/team/second%20name');
    await findTreeItem(page, 'second name').waitFor();

    const describing = await startAction(page, 'second name', 'Edit description');
    await describing.getByLabel('Description').fill('what it is for');
    await visit(page, 'dialog-describe');
    await describing.getByRole('button', { name: 'Save' }).click();
    await describing.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Properties' }).click();
    await page.getByRole('definition').filter({ hasText: 'what it is for' }).waitFor();

    const moving = await startAction(page, 'second name', 'Move');
    const picker = moving.getByRole('tree', { name: 'To the folder' });
    await picker.focus();
    await picker.getByRole('treeitem', { name: 'team' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await visit(page, 'dialog-move');
    await moving.getByRole('button', { name: 'Move' }).click();
    await page.waitForURL('**/other/second%20name');
    expect(await readContent('@Shared/other/second name')).toBe('SELECT 42');

    const deleting = await startAction(page, 'second name', 'Delete');
    await deleting.getByText('Scripts that import it stop working').waitFor();
    await visit(page, 'dialog-delete-script');
    await deleting.getByRole('button', { name: 'Delete script' }).click();
    await page.waitForURL('**/@Shared/other');
    await page.getByText('This folder is empty').waitFor();
    expect(complaints).toEqual([]);
  });

  it('creates folders and projects, and says what is lost before it deletes one', async () => {
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', '@Shared/team');
    for (const [kind, name] of [
      ['Folder', 'reports'],
      ['Project', 'sales'],
    ]) {
      await page.getByRole('button', { name: 'New', exact: true }).click();
      await page.getByRole('menuitem', { name: kind! }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(name!);
      await visit(page, `dialog-create-${kind!.toLowerCase()}`);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: name! }).waitFor();
    }
    const { type } = (await shared.admin.read('@Shared/team/reports/sales')).body as { type: string };
    expect(type).toBe('PROJECT');
    for (const name of ['a', 'b']) await shared.admin.make('assets', `@Shared/team/reports/sales/${name}`);
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'reports' }).click();
    await page.getByRole('heading', { name: 'reports' }).waitFor();
    const deleting = await startAction(page, 'reports', 'Delete');
    await deleting.getByText('1 folder and 2 scripts').waitFor();
    await visit(page, 'dialog-delete-folder');
    await deleting.getByRole('button', { name: 'Delete folder' }).click();
    await page.waitForURL('**/@Shared/team');
    await findTreeItem(page, 'reports').waitFor({ state: 'detached' });
    expect((await shared.admin.read('@Shared/team/reports')).status).toBe(404);
    expect(complaints).toEqual([]);
  });

  it('says that another user was first, and keeps what was typed', async () => {
    const { url } = shared.server;
    await shared.admin.make('assets', '@Shared/team/both', { content: 'SELECT 1' });
    const { page, complaints } = await openCatalog(url, 'ada', '@Shared/team/both');
    const dialog = await startAction(page, 'both', 'Edit description');
    await dialog.getByLabel('Description').fill('of ada');
    const other = await openCatalog(url, 'admin', '@Shared/team/both');
    const first = await startAction(other.page, 'both', 'Edit description');
    await first.getByLabel('Description').fill('of the administrator');
    await first.getByRole('button', { name: 'Save' }).click();
    await first.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('Someone else has changed this item').waitFor();
    await dialog.getByText('Changed just now').waitFor();
    await visit(page, 'dialog-conflict');
    expect(await dialog.getByLabel('Description').inputValue()).toBe('of ada');
    await dialog.getByRole('button', { name: 'Load the current version' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await shared.admin.read('@Shared/team/both')).body).toMatchObject({ description: 'of ada' });
    expect([...complaints, ...other.complaints]).toEqual([]);
  });

  it('offers only what the user may do', async () => {
    await shared.admin.make('assets', '@Shared/team/to read');
    const { page, complaints } = await openCatalog(shared.server.url, 'vic', '@Shared/team');
    await page.getByRole('table').getByText('to read').waitFor();
    expect(await page.getByRole('button', { name: 'New', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Actions for to read' }).click();
    await page.getByText('You may not change this item').waitFor();
    expect(await page.getByRole('menuitem', { name: 'Rename' }).isDisabled()).toBe(true);
    await visit(page, 'catalog-menu-viewer');
    expect(complaints).toEqual([]);
  });

  it('says so when a right is withdrawn while a dialog is open', async () => {
    const { server, admin } = shared;
    await admin.make('folders', '@Shared/withdrawn');
    const { page, complaints } = await openCatalog(server.url, 'ada', '@Shared/withdrawn');
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Script' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('too late');
    const visit = await signIn(server.url, 'admin');
    const body = { target: '@Shared/withdrawn' };
    expect((await visit.send('POST', 'manage/grants/restrict', { body })).status).toBe(200);
    await dialog.getByRole('button', { name: 'Create script' }).click();
    await dialog.getByRole('alert').getByText('Path not found: @Shared/withdrawn').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('too late');
    expect(complaints).toEqual([]);
  });

  it('says that an item may only be viewed now, and offers changes no longer', async () => {
    const { server, admin } = shared;
    const folder = '@Shared/only viewed';
    await admin.make('folders', folder);
    await admin.make('assets', `${folder}/orders`);
    const { page, complaints } = await openCatalog(server.url, 'ada', folder);
    await page.getByRole('button', { name: 'Actions for orders' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('returns');
    await withdrawEdit(server.url, folder);
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByRole('alert').getByText('You may no longer edit orders.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New', exact: true }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('says that nothing can be created any more in a folder that may only be viewed', async () => {
    const { server, admin } = shared;
    const folder = '@Shared/closed';
    await admin.make('folders', folder);
    const { page, complaints } = await openCatalog(server.url, 'ada', folder);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Folder' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('too late');
    await withdrawEdit(server.url, folder);
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    await dialog.getByRole('alert').getByText('You may no longer edit closed.').waitFor();
    expect(complaints).toEqual([]);
  });
});
