import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { runQuern } from '../../support/server.ts';
import { openAs, waitForFocus } from './browser.ts';
import { shareConsole } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({
  ada: { display_name: 'Ada Lovelace' },
  bob: { role: 'VIEWER' },
  boss: { role: 'ADMIN' },
});

const openPermissions = (query = '', login = 'admin') =>
  openAs(shared.server.url, login, `/administration/permissions${query}`);
const getPanel = (page: Page, name: string) => page.getByRole('complementary', { name });
const getLevel = (page: Page, subject: string, target: string) =>
  page.getByRole('combobox', { name: new RegExp(`^Level of ${subject} on ${target}(, changed)?$`) });
const readGrants = async (target: string) =>
  (await shared.admin.send('GET', `/manage/grants?target=${encodeURIComponent(target)}`)).body as {
    readonly data: readonly { readonly subject: string; readonly level: string }[];
    readonly restricted: readonly string[];
  };

describe.skipIf(chromiumPath === null)('the page of permissions', () => {
  beforeAll(async () => {
    const { cwd } = shared.server;
    for (const line of [
      'group create analysts',
      'group add-member analysts ada',
      'catalog mkdir @Shared/reports',
      'catalog mkdir @Shared/reports/monthly',
      'grant restrict @Shared/reports',
    ]) {
      await runQuern(cwd, line);
    }
  });

  it('previews the access of a group, applies it, and explains it, by clicks', async () => {
    const { page, complaints } = await openPermissions();
    await getLevel(page, 'everyone', '@Shared').waitFor();
    await page.getByLabel('Add a group').first().fill('ANALYSTS');
    await page.getByRole('option', { name: 'analysts' }).click();
    await page.getByLabel('Add a user').first().fill('lovelace');
    await page.getByRole('option', { name: 'ada (Ada Lovelace)' }).click();
    await page.getByRole('button', { name: 'Content of @Shared' }).click();
    await page.getByRole('button', { name: 'Content of reports' }).click();
    const monthly = getLevel(page, 'the group analysts', '@Shared/reports/monthly');
    await expect.poll(() => monthly.inputValue()).toBe('NONE');
    expect(await monthly.locator('option:checked').textContent()).toBe('No access');
    await getLevel(page, 'the group analysts', '@Shared/reports').selectOption('EDIT');
    await page.getByRole('checkbox', { name: 'Restrict @Shared/reports/monthly' }).check();
    await page.getByText('2 changes, not applied yet').waitFor();
    await visit(page, 'permissions-changed');
    await page.getByRole('button', { name: 'Review and apply' }).click();
    const review = getPanel(page, 'Review the changes');
    await review.getByText('Grant EDIT on @Shared/reports to the group analysts').waitFor();
    await review.getByText('ada gains EDIT on @Shared/reports', { exact: true }).waitFor();
    expect((await readGrants('@Shared/reports')).data).toEqual([]);
    await visit(page, 'permissions-review');
    await review.getByRole('button', { name: 'Apply 2 changes' }).click();
    await page.getByText('Applied 2 changes').waitFor();
    expect((await readGrants('@Shared/reports')).data).toMatchObject([
      { subject: 'group:analysts', level: 'EDIT' },
    ]);
    expect((await readGrants('@Shared/reports/monthly')).restricted).toEqual(['@Shared/reports/monthly']);
    await expect
      .poll(() => getLevel(page, 'ada', '@Shared/reports').locator('option:checked').textContent())
      .toBe('EDIT, inherited');

    await page.getByRole('link', { name: 'Why? ada on @Shared/reports', exact: true }).click();
    const answer = getPanel(page, 'Can someone see it?');
    await answer.getByText('Yes, ada can see, run and change @Shared/reports: the level is EDIT.').waitFor();
    await answer.getByText('Everyone has EDIT on @Shared, but it has no effect').waitFor();
    await visit(page, 'permissions-explained');
    await answer.getByRole('link', { name: 'The group analysts has EDIT on @Shared/reports.' }).click();
    await page.getByRole('navigation', { name: 'Folder' }).getByText('reports').waitFor();
    expect(await getLevel(page, 'the group analysts', '@Shared/reports').inputValue()).toBe('EDIT');
    const address = page.url();
    await page.reload();
    await getLevel(page, 'the group analysts', '@Shared/reports').waitFor();
    await answer.waitFor();
    expect(page.url()).toBe(address);
    await answer.getByLabel('User').first().fill('bob');
    await page.getByRole('option', { name: 'bob' }).click();
    await answer.getByRole('button', { name: 'Explain' }).click();
    await answer.getByText('No, bob cannot see @Shared/reports.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('says that a preview is out of date when another administrator has changed the same grants', async () => {
    const query = '?subject=["group:analysts"]&under=@Shared';
    const mine = await openPermissions(query);
    const theirs = await openPermissions(query, 'boss');
    for (const [{ page }, level] of [
      [mine, 'VIEW'],
      [theirs, 'MANAGE'],
    ] as const) {
      await getLevel(page, 'the group analysts', '@Shared').selectOption(level);
      await page.getByRole('button', { name: 'Review and apply' }).click();
      await getPanel(page, 'Review the changes').getByText(`Grant ${level} on @Shared`).waitFor();
      await getPanel(page, 'Review the changes').getByText('Losses').waitFor();
    }
    await theirs.page.getByRole('button', { name: 'Apply 1 change' }).click();
    await theirs.page.getByText('Applied 1 change').waitFor();
    const review = getPanel(mine.page, 'Review the changes');
    await review.getByRole('button', { name: 'Apply 1 change' }).click();
    await review.getByText('The preview is out of date').waitFor();
    await visit(mine.page, 'permissions-out-of-date');
    expect((await readGrants('@Shared')).data).toMatchObject([{}, { level: 'MANAGE' }]);
    await review.getByRole('button', { name: 'Preview again' }).click();
    await review.getByText('The preview is out of date').waitFor({ state: 'detached' });
    await review.getByText('ada keeps only EDIT on @Shared, instead of MANAGE').waitFor();
    await review.getByRole('button', { name: 'Apply 1 change' }).click();
    await mine.page.getByText('Applied 1 change').waitFor();
    expect((await readGrants('@Shared')).data).toMatchObject([{}, { level: 'VIEW' }]);
    expect([...mine.complaints, ...theirs.complaints]).toEqual([]);
  });

  it('shows what everyone can see, connections, an empty choice and errors', async () => {
    const { page, complaints } = await openPermissions('?under=@Shared/missing');
    await page.getByRole('heading', { name: 'Not found' }).first().waitFor();
    await visit(page, 'permissions-missing');
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByRole('button', { name: 'Content of Connections' }).click();
    expect(await getLevel(page, 'everyone', 'connection:duckdb').inputValue()).toBe('USE');
    await page.getByRole('button', { name: 'What everyone can see' }).click();
    const panel = getPanel(page, 'What everyone can see');
    await panel.getByRole('link', { name: 'connection:duckdb' }).waitFor();
    await visit(page, 'permissions-everyone');
    await panel.getByRole('link', { name: '@Shared', exact: true }).click();
    await page.getByRole('navigation', { name: 'Folder' }).getByText('@Shared').waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'What everyone can see' }).click();
    await panel.getByRole('link', { name: 'connection:duckdb' }).click();
    await panel.waitFor({ state: 'detached' });
    await getLevel(page, 'everyone', 'connection:duckdb').waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Remove everyone' }).click();
    await page.getByRole('heading', { name: 'Choose users or groups' }).waitFor();
    await visit(page, 'permissions-empty');
    await page.goBack();
    await getLevel(page, 'everyone', 'connection:duckdb').waitFor();
    await page.goto(`${shared.server.url}/administration/groups?group=analysts`);
    await page.getByRole('link', { name: 'Show in Permissions' }).click();
    await getLevel(page, 'the group analysts', '@Shared').waitFor();
    expect(complaints).toEqual([]);
  });

  it('works with the keyboard alone', async () => {
    const { page, complaints } = await openPermissions();
    const toggle = page.getByRole('button', { name: 'Content of @Shared' });
    await toggle.focus();
    await page.keyboard.press('ArrowRight');
    const below = page.getByRole('button', { name: 'Content of reports' });
    await below.waitFor();
    await page.keyboard.press('ArrowDown');
    await waitForFocus(below);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await below.waitFor({ state: 'detached' });
    await waitForFocus(toggle);
    expect(complaints).toEqual([]);
  });

  it('is for administrators, by address and by request', async () => {
    const { page, visit: client, complaints } = await openPermissions('', 'bob');
    await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
    const changes = [{ target: '@Shared', subject: 'user:bob', level: 'MANAGE' }];
    const body = { changes };
    expect((await client.send('POST', 'manage/grants/changes', { body })).status).toBe(403);
    expect((await client.send('GET', 'manage/grants/levels?subject=everyone')).status).toBe(403);
    expect(complaints).toEqual([]);
  });
});
