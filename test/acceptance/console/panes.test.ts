import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { openAs, waitForFocus } from './browser.ts';
import { shareConsole } from './console.ts';
import { findText, openEditor, typeAtEnd } from './editor/open-editor.ts';

const shared = shareConsole({ ada: {} });

const findTables = (page: Page) => page.getByRole('navigation', { name: 'Tables' });

describe.skipIf(chromiumPath === null)('F6', () => {
  it('moves between the tables, the text, the results and the side panel', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    const text = findText(page, 'Query 1');
    await typeAtEnd(page, text, 'SELECT 1 AS one, 2 AS two');
    await page.keyboard.press('ControlOrMeta+Enter');
    const grid = page.getByRole('grid');
    await grid.getByRole('gridcell', { name: '2' }).waitFor();
    await page.keyboard.press('F6');
    await waitForFocus(page.getByRole('region', { name: 'Run' }));
    await grid.getByRole('gridcell', { name: '2' }).click();
    await page.keyboard.press('F6');
    await waitForFocus(findTables(page));
    await page.keyboard.press('F6');
    await waitForFocus(text);
    await page.keyboard.press('Shift+F6');
    await waitForFocus(findTables(page));
    await page.keyboard.press('Shift+F6');
    await waitForFocus(grid);
    await grid.getByRole('columnheader', { name: /^one/ }).locator('[data-menu]').click();
    await page.getByRole('menuitem', { name: 'Summary' }).click();
    const panel = page.getByRole('complementary');
    await waitForFocus(panel);
    await page.keyboard.press('F6');
    await waitForFocus(findTables(page));
    await page.keyboard.press('Shift+F6');
    await waitForFocus(panel);
    await page.keyboard.press('Shift+F6');
    await waitForFocus(grid);
    expect(complaints).toEqual([]);
  });

  it('stays in a dialog, and comes from the top bar to the page', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await findText(page, 'Query 1').waitFor();
    const palette = page.getByRole('banner').getByRole('button', { name: /^Search/ });
    await palette.focus();
    await page.keyboard.press('F6');
    await waitForFocus(findTables(page));
    await palette.click();
    const search = page.getByRole('combobox', { name: 'Search pages, commands and the catalog' });
    await waitForFocus(search);
    await page.keyboard.press('F6');
    await waitForFocus(search);
    expect(complaints).toEqual([]);
  });

  it('moves between the tree, the content and the panel of other pages', async () => {
    const { page, complaints } = await openAs(shared.server.url, 'admin', '/administration/users');
    await page.getByRole('link', { name: 'ada', exact: true }).click();
    const panel = page.getByRole('complementary', { name: 'ada' });
    await waitForFocus(panel);
    await page.keyboard.press('F6');
    const left = page.getByRole('navigation', { name: 'Administration' });
    await waitForFocus(left);
    await page.keyboard.press('F6');
    await expect.poll(() => page.locator('main :focus').count()).toBe(1);
    await expect.poll(() => left.locator(':focus').count()).toBe(0);
    await expect.poll(() => panel.locator(':focus').count()).toBe(0);
    await page.keyboard.press('F6');
    await waitForFocus(panel);
    expect(complaints).toEqual([]);
  });
});
