import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { waitForFocus } from '../browser.ts';
import { shareConsole } from '../console.ts';
import { findText, openEditor } from '../editor/open-editor.ts';
import { visit } from '../visit.ts';
import { eventually, openRun, readActiveCell } from './open-run.ts';

const shared = shareConsole({ ada: {} });

const COLOURS = `SELECT i AS n, CASE i % 2 WHEN 0 THEN 'red' ELSE 'blue' END AS colour, {'a': i} AS nested
  FROM range(40) r(i)`;

const findPanel = (page: Page, name: string) => page.getByRole('complementary', { name, exact: true });
const show = (page: Page, part: string) =>
  page.getByRole('radiogroup', { name: 'Show in the panel' }).getByText(part, { exact: true }).click();
const readSearch = (page: Page) => new URL(page.url()).search;

describe.skipIf(chromiumPath === null)('the panel next to the results', () => {
  it('shows one part at a time, follows the active cell, and has its state in the address', async () => {
    const { page, complaints } = await openRun(shared.server, COLOURS);
    const grid = page.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const value = findPanel(page, 'n, row 2');
    await waitForFocus(value);
    expect(readSearch(page)).toBe('?panel=value&row=1&column=0');
    await page.getByRole('gridcell', { name: 'blue' }).nth(1).click();
    await findPanel(page, 'colour, row 4').getByText('blue').waitFor();
    await eventually(async () => readSearch(page)).toBe('?panel=value&row=3&column=1');
    await show(page, 'Summary');
    const summary = findPanel(page, 'Summary of colour');
    await summary.getByRole('row', { name: 'Distinct values 2' }).waitFor();
    await show(page, 'Filter');
    await findPanel(page, 'Filter by colour').getByRole('textbox', { name: 'Value' }).fill('red');
    await page.keyboard.press('Enter');
    await page.getByText('20 of 40 rows').waitFor();
    await show(page, 'Summary');
    await summary.getByRole('row', { name: 'Distinct values 1' }).waitFor();
    expect(await page.getByRole('complementary').count()).toBe(1);
    await visit(page, 'results-side');
    await page.reload();
    await summary.getByRole('row', { name: 'Distinct values 2' }).waitFor();
    await page.getByText('Chart', { exact: true }).click();
    await findPanel(page, 'Chart').getByRole('combobox', { name: 'X axis' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('opens by a click that the way back undoes, and gives the focus back', async () => {
    const { page, complaints } = await openRun(shared.server, COLOURS);
    const header = page.getByRole('columnheader', { name: /^colour/ });
    await header.locator('[data-menu]').click();
    await page.getByRole('menuitem', { name: 'Summary' }).click();
    const summary = findPanel(page, 'Summary of colour');
    await waitForFocus(summary);
    await show(page, 'Value');
    await findPanel(page, 'colour, row 1').waitFor();
    await page.goBack();
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    await page.goForward();
    await findPanel(page, 'colour, row 1').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    expect(readSearch(page)).toBe('');
    const button = page.getByRole('button', { name: 'Details' });
    await button.press('Enter');
    await waitForFocus(findPanel(page, 'colour, row 1'));
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('button', { name: 'Close the panel' }).press('Enter');
    await waitForFocus(button);
    await page.getByRole('gridcell', { name: "{'a': 2}" }).dblclick();
    await findPanel(page, 'nested, row 3').getByText('a: 2').waitFor();
    await page.keyboard.press('Escape');
    await waitForFocus(page.getByRole('grid'));
    await page.keyboard.press('ArrowDown');
    await eventually(() => readActiveCell(page)).toBe("{'a': 3}");
    expect(complaints).toEqual([]);
  });

  it('ignores an address that names no cell of the result, and says if there are no rows', async () => {
    const { page, complaints, id } = await openRun(shared.server, COLOURS, '?panel=value&row=1e9&column=77');
    await findPanel(page, 'nested, row 40').getByText('a: 39').waitFor();
    await page.goto(`${shared.server.url}/runs/${id}?panel=everything&row=-1&column=x`);
    await page.getByRole('grid').waitFor();
    expect(await page.getByRole('complementary').count()).toBe(0);
    const effect = await openRun(shared.server, 'CREATE TEMP TABLE t (a INTEGER)', '?panel=sql');
    await findPanel(effect.page, 'Details').getByText('There are no rows to describe').waitFor();
    await visit(effect.page, 'results-side-empty');
    expect([...complaints, ...effect.complaints]).toEqual([]);
  });

  it('stays while texts run in the editor, and does not take the focus from the text', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    const text = findText(page, 'Query 1');
    const write = async (sql: string) => {
      await text.waitFor();
      await text.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(sql);
    };
    await write('SELECT 1 AS one');
    await page.getByRole('button', { name: 'Run a part' }).click();
    await page.getByRole('menuitem', { name: 'Show the compiled SQL' }).click();
    const compiled = findPanel(page, 'Compiled SQL');
    await compiled.getByText('SELECT 1 AS one').waitFor();
    await write('SELECT 22 AS two, NULL AS nothing');
    await compiled.getByText('SELECT 22 AS two').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('gridcell', { name: '22' }).waitFor();
    await waitForFocus(text);
    await show(page, 'Value');
    await findPanel(page, 'two, row 1').getByText('22').waitFor();
    await write('SELECT 333 AS three');
    await page.keyboard.press('ControlOrMeta+Enter');
    await findPanel(page, 'three, row 1').getByText('333').waitFor();
    await waitForFocus(text);
    expect(complaints).toEqual([]);
  });
});
