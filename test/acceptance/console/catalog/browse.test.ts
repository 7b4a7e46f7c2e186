import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { makeAdminHome, serve } from '../../../support/server.ts';
import { setPassword, shareConsole, signIn } from '../console.ts';
import { visit } from '../visit.ts';
import { fillFolder, findTreeItem, goTo, openCatalog, readActive } from './open-catalog.ts';

const shared = shareConsole({ ada: {}, eve: {} });

beforeAll(async () => {
  const { admin } = shared;
  await admin.make('folders', '@Shared/sales');
  await admin.make('folders', '@Shared/sales/2026');
  await admin.make('assets', '@Shared/sales/2026/monthly', {
    content: 'SELECT month,\n\tsum(amount)\nFROM orders\n',
    description: 'Revenue of each month',
  });
  await admin.make('assets', '@Shared/sales/top products', { content: 'SELECT 1' });
  await admin.make('folders', '@Shared/empty');
});

describe.skipIf(chromiumPath === null)('browsing the catalog', () => {
  it('opens a script at its own address, with its place in the tree', async () => {
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', '@Shared/sales/2026/monthly');
    await page.getByRole('heading', { name: 'monthly' }).waitFor();
    await expect.poll(() => page.title()).toBe('monthly · Quern');
    expect(await page.getByLabel('Content of monthly').locator('code').allTextContents()).toEqual([
      'SELECT month,',
      '\tsum(amount)',
      'FROM orders',
    ]);
    const item = findTreeItem(page, 'monthly');
    await item.waitFor();
    expect(await item.getAttribute('aria-selected')).toBe('true');
    expect(await item.getAttribute('aria-level')).toBe('4');
    await page.getByRole('tab', { name: 'Properties' }).click();
    await page.waitForURL('**/monthly?view=properties');
    for (const text of ['@Shared/sales/2026/monthly', 'Revenue of each month', '39 bytes']) {
      await page.getByRole('definition').filter({ hasText: text }).waitFor();
    }
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'sales' }).click();
    await page.getByRole('table', { name: 'Contents of sales' }).getByText('top products').click();
    await page.waitForURL('**/catalog/@Shared/sales/top%20products');
    await page.goBack();
    await page.getByRole('heading', { name: 'sales' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is read with the keyboard alone, and the tree stays open after a reload', async () => {
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', '');
    await page.getByRole('tree', { name: 'Catalog' }).focus();
    await expect.poll(() => readActive(page)).toBe('@Personalada');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await findTreeItem(page, 'sales').waitFor();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => readActive(page)).toBe('empty');
    await page.keyboard.type('sa');
    await expect.poll(() => readActive(page)).toBe('sales');
    await page.keyboard.press('ArrowRight');
    await findTreeItem(page, '2026').waitFor();
    await page.keyboard.press('End');
    await expect.poll(() => readActive(page)).toBe('@Project Hub');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => readActive(page)).toBe('top products');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'top products' }).waitFor();
    expect(await findTreeItem(page, 'top products').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await findTreeItem(page, 'top products').waitFor({ state: 'detached' });
    expect(await findTreeItem(page, 'sales').getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByText('This folder is empty').waitFor();
    await page.reload();
    await findTreeItem(page, 'sales').waitFor();
    expect(await findTreeItem(page, 'sales').getAttribute('aria-expanded')).toBe('false');
    expect(complaints).toEqual([]);
  });

  it('shows changes of others when the reader comes back', async () => {
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', '@Shared/empty');
    await page.getByText('This folder is empty').waitFor();
    await shared.admin.make('assets', '@Shared/empty/new one');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await page.getByRole('table').getByText('new one').waitFor();
    expect(complaints).toEqual([]);
  });

  it('reports a missing item, and an item for which the user has lost the permission', async () => {
    const { url } = shared.server;
    const { page, complaints } = await openCatalog(url, 'eve', '@Shared/none/<b>x');
    await page.getByRole('heading', { name: 'There is no such item' }).waitFor();
    await page.getByText('@Shared/none/<b>x does not exist').waitFor();
    await goTo(page, url, '@Shared/sales');
    await page.getByRole('table').getByText('top products').waitFor();
    const admin = await signIn(url, 'admin');
    const body = { target: '@Shared/sales' };
    expect((await admin.send('POST', 'manage/grants/restrict', { body })).status).toBe(200);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await page.getByRole('heading', { name: 'There is no such item' }).waitFor();
    await findTreeItem(page, 'sales').waitFor({ state: 'detached' });
    const lifted = { ...body, restricted: false };
    expect((await admin.send('POST', 'manage/grants/restrict', { body: lifted })).status).toBe(200);
    expect(complaints).toEqual([]);
  });

  it('shows names with any characters, and opens them', async () => {
    const { admin, server } = shared;
    const names = [
      '<img src=x onerror=alert(1)>',
      '100% sure?#1',
      '%2F..%2F',
      'back\\slash',
      'quote"\'`',
      'a b&c=d;e+f,$&',
      'عربي',
      'a\u202egnp.exe',
      '  spaced  ',
      '1e5',
      '😀'.repeat(255),
      'x'.repeat(255),
    ];
    await admin.make('folders', '@Shared/any names');
    for (const name of names)
      await admin.make('assets', `@Shared/any names/${name}`, { content: `-- ${name}` });
    const { page, complaints } = await openCatalog(server.url, 'ada', '@Shared/any names');
    for (const name of names) {
      const shown = name.replace('\u202e', '[U+202E]');
      await page.getByRole('table').getByRole('link').getByText(shown, { exact: true }).click();
      await page.getByLabel('Content of').locator('code').getByText(`-- ${shown}`, { exact: true }).waitFor();
      const address = page.url();
      await page.goto(address);
      await page.getByLabel('Content of').locator('code').getByText(`-- ${shown}`, { exact: true }).waitFor();
      expect(page.url()).toBe(address);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow).toBe(0);
      await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'any names' }).click();
    }
    expect(await page.locator('img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('searches, filters and sorts a folder in its address, and lists it all as one scrolls', async () => {
    const { cwd } = shared.server;
    const names = Array.from({ length: 230 }, (_, at) => `item ${String(at).padStart(3, '0')}`);
    fillFolder(cwd, 'listed', names);
    await shared.admin.make('folders', '@Shared/listed/older');
    const described = { content: 'SELECT 1000000', description: 'Sales of the week' };
    await shared.admin.make('assets', '@Shared/listed/weekly', described);
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', '@Shared/listed');
    const table = page.getByRole('table', { name: 'Contents of listed' });
    const list = () => table.getByRole('link').allTextContents();
    await page.getByText('232 items').waitFor();
    expect((await list()).slice(0, 2)).toEqual(['older', 'item 000']);
    expect(await table.getByRole('row').count()).toBeLessThan(60);
    await expect
      .poll(async () => {
        await page.evaluate("document.querySelector('table').parentElement.scrollTo(0, 1e6)");
        return table.getByRole('link', { name: 'weekly' }).count();
      })
      .toBe(1);
    await table.getByRole('button', { name: 'Size' }).click();
    await page.waitForURL('**/listed?sort=bytes');
    await table.getByRole('button', { name: 'Size' }).click();
    await page.waitForURL('**/listed?sort=-bytes');
    await expect.poll(async () => (await list())[1]).toBe('weekly');
    await page.getByLabel('Search items').fill('OF THE week');
    await page.waitForURL('**/listed?**find=OF**');
    await expect.poll(list).toEqual(['weekly']);
    await page.getByRole('row', { name: 'weekly' }).getByText('14 bytes').waitFor();
    await page.getByRole('row', { name: 'weekly' }).getByText('admin').waitFor();
    await page.getByLabel('Kind').selectOption('Folder');
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByText('232 items').waitFor();
    await page.getByLabel('Kind').selectOption('Folder');
    await page.reload();
    await expect.poll(list).toEqual(['older']);
    await visit(page, 'catalog-folder-filtered');
    expect(complaints).toEqual([]);
  });

  it('draws only the visible part of a folder with 10,000 scripts, and of a text with 15 MB', async () => {
    const { cwd } = await makeAdminHome();
    await setPassword(cwd, 'admin');
    const names = Array.from({ length: 10_000 }, (_, at) => `script ${String(at).padStart(5, '0')}`);
    fillFolder(cwd, 'many', names);
    const server = await serve(cwd);
    try {
      const { page, complaints, visit } = await openCatalog(server.url, 'admin', '@Shared/many');
      await page.getByRole('table', { name: 'Contents of many' }).getByText('script 00000').waitFor();
      await findTreeItem(page, 'many').click();
      await page.keyboard.press('ArrowRight');
      await findTreeItem(page, 'script 00000').waitFor();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => readActive(page)).toBe('script 00000');
      expect(await findTreeItem(page, 'script 00000').getAttribute('aria-setsize')).toBe('10000');
      await page.keyboard.type('script 09');
      await expect.poll(() => readActive(page)).toBe('script 09000');
      await findTreeItem(page, 'script 09000').click();
      await page.getByRole('heading', { name: 'script 09000' }).waitFor();
      expect(await page.getByRole('treeitem').count()).toBeLessThan(100);
      const content = `SELECT '${'x'.repeat(22)}';\n`.repeat(500_001).slice(0, 15_728_000);
      const body = { parent_path: '@Personal', name: 'long', content };
      expect((await visit.send('POST', 'catalog/assets', { body })).status).toBe(201);
      await goTo(page, server.url, '@Personal/long', 'line=400000');
      await page.locator('[data-line="400000"][data-marked]').waitFor();
      expect(await page.locator('[data-line]').count()).toBeLessThan(200);
      expect(complaints).toEqual([]);
    } finally {
      await server.kill();
    }
  });
});
