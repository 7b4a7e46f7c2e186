import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { runQuern } from '../../../support/server.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { goTo, openCatalog } from './open-catalog.ts';

const shared = shareConsole({ ada: {}, bob: {} });

beforeAll(async () => {
  const { server, admin } = shared;
  await runQuern(server.cwd, 'group create analysts');
  await admin.make('folders', '@Shared/sales');
  await admin.make('assets', '@Shared/sales/monthly', {
    content: '-- by month\nSELECT sum(Revenue)\nFROM orders',
    description: 'For the board',
  });
  await admin.make('assets', '@Shared/sales/<b>monthly', { content: 'SELECT 1' });
});

describe.skipIf(chromiumPath === null)('search and permissions', () => {
  it('searches names and lines, and links to the line', async () => {
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', '@Shared');
    await page.getByLabel('Search the catalog').fill('MONTHLY');
    const results = page.getByRole('list', { name: 'Found items' });
    await results.getByText('<b>monthly').waitFor();
    expect(await results.getByRole('listitem').count()).toBe(2);
    await visit(page, 'catalog-search');
    await page.getByLabel('Search in').selectOption('content');
    await page.getByText('Nothing found').waitFor();
    await page.getByLabel('Search the catalog').fill('revenue');
    await results.getByText('Line 2').waitFor();
    expect(await results.locator('mark').textContent()).toBe('Revenue');
    await page.reload();
    await results.getByRole('link').click();
    await page.locator('[data-line="2"][data-marked]').waitFor();
    expect(await page.getByLabel('Search the catalog').inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  it('offers the texts that contain what no name does', async () => {
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', '@Shared');
    await page.getByLabel('Search the catalog').fill('revenue');
    await page.getByRole('link', { name: 'Show the text that contains it' }).click();
    await page.getByRole('list', { name: 'Found items' }).getByText('Line 2').waitFor();
    await page.getByLabel('Search the catalog').fill('neither here nor there');
    await page.getByText('Nothing found').waitFor();
    expect(await page.getByRole('link', { name: /^Show/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('shows who can see an item and why, and grants, changes and revokes', async () => {
    const { url } = shared.server;
    const { page, complaints } = await openCatalog(url, 'admin', '@Shared/sales', { query: 'view=access' });
    const users = page.getByRole('table', { name: 'Users with access' });
    await users
      .getByRole('row')
      .filter({ hasText: 'bob' })
      .getByText('everyone has EDIT on @Shared')
      .waitFor();
    const form = page.getByRole('form', { name: 'Grant a level' });
    await form.getByLabel('Grant to').selectOption('group');
    await form.getByRole('combobox', { name: 'Group name' }).fill('nobody');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Grant' }).click();
    await form.getByRole('alert').getByText('Group not found: nobody').waitFor();
    await form.getByRole('combobox', { name: 'Group name' }).fill('analysts');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Grant' }).click();
    await page.getByLabel('Level of the group analysts').selectOption('MANAGE');
    await form.getByLabel('Grant to').selectOption('user');
    await form.getByRole('combobox', { name: 'User name' }).fill('ada');
    await page.keyboard.press('Escape');
    await form.getByLabel('Level').selectOption('EDIT');
    await form.getByRole('button', { name: 'Grant' }).click();
    await page.getByLabel('Level of ada').waitFor();
    await page.getByLabel('Restricted').check();
    await users.getByRole('row').filter({ hasText: 'bob' }).waitFor({ state: 'detached' });
    await users.getByText('everyone has EDIT on @Shared, but it has no effect').first().waitFor();
    await visit(page, 'catalog-permissions');
    const { data } = (await shared.admin.send('GET', '/manage/grants?target=@Shared/sales')).body as {
      data: { subject: string; level: string }[];
    };
    expect(data.map(({ subject, level }) => `${subject} ${level}`)).toEqual([
      'group:analysts MANAGE',
      'user:ada EDIT',
    ]);
    await page.getByLabel('Restricted').uncheck();
    await page.getByRole('button', { name: 'Revoke the grant of ada' }).click();
    await page.getByLabel('Level of ada').waitFor({ state: 'detached' });
    await users.getByRole('row').filter({ hasText: 'bob' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('tells other users their own level only', async () => {
    const { url } = shared.server;
    const { page, complaints } = await openCatalog(url, 'bob', '@Shared/sales', { query: 'view=access' });
    await page.getByText('Your level is EDIT.').waitFor();
    expect(await page.getByRole('heading', { name: 'Who can see this' }).count()).toBe(0);
    await goTo(page, url, '@Personal', 'view=access');
    await page.getByRole('heading', { name: 'Only you can see your @Personal' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('passes axe on its pages', async () => {
    const { url } = shared.server;
    const { page } = await openCatalog(url, 'admin', '@Shared/sales');
    await page.getByRole('table').getByRole('link', { name: 'monthly', exact: true }).waitFor();
    await visit(page, 'catalog-folder');
    await goTo(page, url, '@Shared/sales/monthly');
    await page.getByLabel('Content of monthly').getByText('by month').waitFor();
    await visit(page, 'catalog-script');
    await goTo(page, url, '@Shared/sales/monthly', 'view=properties');
    await page.getByText('For the board').waitFor();
    await visit(page, 'catalog-properties');
    await goTo(page, url, '@Shared/none');
    await page.getByRole('heading', { name: 'There is no such item' }).waitFor();
    await visit(page, 'catalog-missing');
    await goTo(page, url, '@Shared/sales');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    await visit(page, 'catalog-upload');
  });
});
