import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { openSignedIn } from './browser.ts';
import { shareConsole } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({ ada: {} });

/** Opens the palette with the keyboard; its field, which has the focus. */
async function openPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+k');
  const field = page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox');
  await field.and(page.locator(':focus')).waitFor();
  return field;
}

/** The name of the option that the enter key chooses, as a screen reader finds it. */
function readActive(page: Page): Promise<string> {
  return page.evaluate<string>(
    'document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).textContent',
  );
}

describe.skipIf(chromiumPath === null)('the command palette', () => {
  it('can be used with the keyboard alone', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    const field = await openPalette(page);
    await visit(page, 'palette');
    const first = await readActive(page);
    await page.keyboard.press('ArrowDown');
    expect(await readActive(page)).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await readActive(page)).toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await readActive(page)).toBe('Sign out');
    await field.fill('theme dark');
    await expect.poll(() => readActive(page)).toBe('Theme: Dark');
    expect(await page.getByRole('option', { selected: true }).textContent()).toBe('Theme: Dark');
    await page.keyboard.press('Enter');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('says when nothing is found, and closes with the escape key', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    const field = await openPalette(page);
    await field.fill('zzz');
    await page.getByRole('status').getByText('Nothing found').waitFor();
    await visit(page, 'palette-nothing');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('opens pages and dialogs, also from its button', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    await page.getByRole('button', { name: 'Search pages, commands and the catalog' }).click();
    await page.getByRole('option', { name: 'Create an API key' }).click();
    await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    expect(new URL(page.url()).search).toBe('?create=1');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(`${shared.server.url}/no/such/page`);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    const field = await openPalette(page);
    await field.fill('api');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Profile');
    expect(complaints).toEqual([expect.stringContaining('status of 404')]);
  });

  it('finds items of the catalog, and opens them', async () => {
    const { admin } = shared;
    await admin.make('folders', '@Shared/grain prices');
    await admin.make('assets', '@Shared/grain prices/monthly', { content: 'SELECT 1' });
    const { page, complaints } = await openSignedIn(shared.server.url, 'admin');
    const field = await openPalette(page);
    await field.fill('month');
    await page.getByRole('option', { name: 'monthly' }).getByText('@Shared/grain prices/monthly').waitFor();
    await visit(page, 'palette-catalog');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/catalog/@Shared/grain%20prices/monthly');
    await page.getByRole('heading', { name: 'monthly' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('finds items by a part of the path, tables, and the text of scripts with their number', async () => {
    const { admin } = shared;
    await admin.make('folders', '@Shared/harvest');
    for (const name of ['wheat', 'barley'])
      await admin.make('assets', `@Shared/harvest/${name}`, { content: `SELECT '${name}' AS crop_of_field` });
    await admin.make('assets', '@Shared/wheat', { content: 'CREATE TABLE crop_of_year (tons INTEGER)' });
    const body = { path: '@Shared/wheat', connection: { name: 'duckdb' } };
    expect((await admin.send('POST', '/exec/script', { body })).status).toBe(200);
    const { page, complaints } = await openSignedIn(shared.server.url, 'admin');
    const field = await openPalette(page);
    await field.fill('harvest/whe');
    const items = page.getByRole('group', { name: 'Catalog' }).getByRole('option');
    await expect
      .poll(() => items.allInnerTexts())
      .toEqual([expect.stringContaining('@Shared/harvest/wheat')]);
    await field.fill('crop_of');
    await page
      .getByRole('option', { name: /^Search the text of scripts/ })
      .getByText('3 scripts')
      .waitFor();
    const table = page.getByRole('group', { name: 'Tables of duckdb' }).getByRole('option');
    await table.getByText('crop_of_year').waitFor();
    await visit(page, 'palette-found');
    await table.click();
    await page.waitForURL('**/sql/query-*');
    await page.getByText('SELECT * FROM crop_of_year LIMIT 100').waitFor();
    await openPalette(page);
    await page.getByRole('combobox', { name: /^Search pages/ }).fill('crop_of');
    await page.getByRole('option', { name: /^Search the text of scripts/ }).click();
    await page.waitForURL(/\/catalog\/?\?.*q=crop_of/);
    await page.getByText('3 items').waitFor();
    expect(complaints).toEqual([]);
  });

  it('offers what was opened last, and the open texts', async () => {
    const { admin } = shared;
    await admin.make('assets', '@Shared/100% sure', { content: 'SELECT 1' });
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    await page.goto(`${shared.server.url}/catalog/@Shared/100%25%20sure`);
    await page.getByRole('heading', { name: '100% sure' }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Text of 100% sure' }).waitFor();
    await page.goto(`${shared.server.url}/profile`);
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    await openPalette(page);
    const texts = page.getByRole('group', { name: 'Open texts' }).getByRole('option');
    await texts.getByText('100% sure').waitFor();
    const opened = page.getByRole('group', { name: 'Opened last' }).getByRole('option');
    expect(await opened.allInnerTexts()).toEqual(['100% sure\n@Shared, in the editor']);
    await opened.click();
    await page.waitForURL('**/sql/@Shared/100%25%20sure');
    expect(complaints).toEqual([]);
  });

  it('says when the catalog cannot be searched', async () => {
    const { page } = await openSignedIn(shared.server.url, 'ada');
    await page.route('**/console/api/manage/search?**', (route) => route.abort());
    const field = await openPalette(page);
    await field.fill('api');
    await page.getByText('The catalog cannot be searched').waitFor();
    expect(await readActive(page)).toBe('API keys');
    await page.unroute('**/console/api/manage/search?**');
    await page.getByText('The catalog cannot be searched').waitFor({ state: 'detached' });
  });

  it('signs out', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    const field = await openPalette(page);
    await field.fill('sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
