import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { hasOpenpyxl, readWithOpenpyxl } from '../../support/openpyxl.ts';
import { makeFolder, quern } from '../../support/quern.ts';
import { openTab } from './browser.ts';
import { expectLines, findCompletion, findText } from './editor/open-editor.ts';
import { startUi } from './start-ui.ts';
import { visit } from './visit.ts';

/** Types a part of a name, and takes its completion. */
async function complete(page: Page, typed: string, label: string): Promise<void> {
  await page.keyboard.type(typed);
  await findCompletion(page, label).click();
}

async function chooseConnection(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Connection' }).click();
  await page.getByRole('option', { name }).click();
}

async function openQuery(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'New query' }).click();
  const text = findText(page, name);
  await text.waitFor();
  await text.focus();
  return text;
}

/** The cells of a column in the grid, from the first row. */
const readColumn = (page: Page, index: number) =>
  page.locator(`[role=gridcell][aria-colindex="${index}"]`).allTextContents();

const SAVED =
  '-- The busiest origins\nSELECT origin, count(*) AS departures FROM flights GROUP BY ALL ORDER BY ALL;';

it.skipIf(chromiumPath === null || !hasOpenpyxl)(
  'the first hour of an analyst, by clicks and keys',
  { timeout: 300_000 },
  async () => {
    const cwd = makeFolder();
    expect((await quern(['demo'], { cwd })).exitCode).toBe(0);
    const ui = startUi(cwd, ['--no-open']);
    const file = await ui.find(/^(.+\.html)$/m);
    const { page, complaints } = await openTab('', pathToFileURL(file).href, {
      viewport: { width: 1440, height: 900 },
    });
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('img', { name: 'Lines: flights by month' }).waitFor();

    // See the tables, and preview one.
    const tables = page.getByRole('tree', { name: 'Tables' });
    const airports = tables
      .getByRole('treeitem')
      .filter({ has: page.getByText('airports', { exact: true }) });
    await airports.getByRole('button', { name: 'Actions for airports' }).click();
    await page.getByRole('menuitem', { name: 'Show the first 100 rows' }).click();
    await page.getByRole('gridcell', { name: 'ABE' }).waitFor();
    await visit(page, 'first-hour-preview');

    // A query with a function and a column of a CTE, completed.
    const query = await openQuery(page, 'Query 2');
    await page.keyboard.type('WITH busy AS (SELECT origin, ');
    await complete(page, 'avg', 'avg');
    await page.keyboard.type('delay) AS mean_delay FROM flights GROUP BY origin) SELECT origin, ');
    await complete(page, 'busy.mea', 'mean_delay');
    await page.keyboard.type(' FROM busy ORDER BY origin;');
    await visit(page, 'first-hour-query');

    // A syntax error is shown, and goes with its cause.
    await page.keyboard.type('\nSELECT 1 2;');
    await page.keyboard.press('Escape');
    const error = page.locator('.cm-lintRange-error');
    await expect.poll(() => error.allTextContents()).toEqual(['2']);
    await visit(page, 'first-hour-error');
    for (let count = 0; count < 'SELECT 1 2;'.length; count += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type('SELECT 40 + 2 AS answer;\nSELECT 3 AS three;');
    await page.keyboard.press('Escape');
    await expect.poll(() => error.count()).toBe(0);

    // One of three statements.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    expect(await page.getByRole('columnheader').count()).toBeLessThanOrEqual(2);
    await query.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('gridcell', { name: 'ABE' }).waitFor();

    // A field of the semantic connection.
    const question = await openQuery(page, 'Query 3');
    await chooseConnection(page, 'flights');
    await question.focus();
    await complete(page, 'SELECT stat', 'state');
    await complete(page, ', late_p', 'late_pct');
    await page.keyboard.type(' FROM airports, flights ORDER BY late_pct DESC');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('gridcell').first().waitFor();
    await visit(page, 'first-hour-question');

    // Median and most frequent value next to the rows, and a chart.
    const report = await openQuery(page, 'Query 4');
    await chooseConnection(page, 'duckdb');
    await report.focus();
    await page.keyboard.insertText(SAVED);
    await page.keyboard.press('ControlOrMeta+Enter');
    const header = page.getByRole('columnheader', { name: /^departures/ });
    await header.locator('[data-menu]').click();
    await page.getByRole('menuitem', { name: 'Summary' }).click();
    const summary = page.getByRole('complementary', { name: 'Summary of departures' });
    await summary.getByRole('row', { name: /^Median/ }).waitFor();
    await summary.getByText('Most frequent').first().waitFor();
    await visit(page, 'first-hour-summary');
    await page.keyboard.press('Escape');
    await page.getByText('Chart', { exact: true }).click();
    await page.getByRole('img', { name: /^Bars: departures by origin/ }).waitFor();
    await visit(page, 'first-hour-chart');
    await page.getByText('Table', { exact: true }).click();

    // The same values in a workbook, as another program reads them.
    await page.getByRole('button', { name: 'Download' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'XLSX' }).click();
    const target = path.join(cwd, 'report.xlsx');
    await (await downloading).saveAs(target);
    const { stdout } = await quern(['sql', '--json', '--connection', 'duckdb', '--', SAVED], {
      cwd: path.join(cwd, 'quern-demo'),
    });
    const rows: readonly (readonly unknown[])[] = JSON.parse(String(stdout)).result.data;
    const sheet = readWithOpenpyxl(target).rows.map((row) => row.map((cell) => cell?.[1]));
    expect(sheet).toEqual([['origin', 'departures'], ...rows.map((row) => row.map(String))]);
    expect((await readColumn(page, 2)).slice(0, 5)).toEqual(rows.slice(0, 5).map(([origin]) => origin));

    // Save, change, compare versions.
    await report.focus();
    await page.keyboard.press('ControlOrMeta+s');
    const saving = page.getByRole('dialog', { name: 'Save as a script' });
    await saving.getByRole('textbox', { name: 'Name' }).fill('departures');
    await saving.getByRole('treeitem', { name: '@Shared' }).click();
    await saving.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved departures').waitFor();
    const script = findText(page, 'departures');
    await script.focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('\n-- checked');
    await page.keyboard.press('ControlOrMeta+s');
    await expectLines(script, [...SAVED.split('\n'), '-- checked']);
    await page.getByRole('link', { name: '@Shared/departures' }).click();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: /^Version 2 / }).waitFor();
    await page.getByRole('button', { name: /^Version 1 / }).click();
    const current = page.getByRole('textbox', { name: 'Current text' });
    await expect.poll(() => current.locator('.cm-changedLine').allTextContents()).toContain('-- checked');
    await visit(page, 'first-hour-versions');

    // Delete, and restore from the bin.
    await page.getByRole('button', { name: 'Actions for departures', exact: true }).last().click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete script' }).click();
    await page.getByText('Deleted departures').waitFor();
    await page.getByRole('navigation', { name: 'Catalog' }).getByRole('link', { name: 'Bin' }).click();
    await page.getByRole('link', { name: 'departures' }).click();
    await visit(page, 'first-hour-bin');
    await page
      .getByRole('complementary', { name: 'departures' })
      .getByRole('button', { name: 'Restore', exact: true })
      .click();
    await page.waitForURL('**/@Shared/departures');
    await page.getByText('-- checked').waitFor();
    expect(complaints).toEqual([]);
    expect(await ui.interrupt()).toBe(0);
  },
);
