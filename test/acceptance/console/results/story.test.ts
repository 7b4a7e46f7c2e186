import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readBook } from '../../../engine/result/xlsx/read-book.ts';
import { chromiumPath } from '../../../support/chromium.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { BUSY, eventually, openRun, readActiveCell, readColumn, waitForState } from './open-run.ts';

const shared = shareConsole();

const STATEMENTS = `
  CREATE TABLE sales (city VARCHAR, amount DECIMAL(10, 2), day DATE);
  INSERT INTO sales SELECT 'city ' || i % 7, i * 1.25, DATE '2026-01-01' + (i % 90)::INTEGER FROM range(1000) r(i);
  -- The best days
  SELECT city, amount, day, 9007199254740993 + rowid AS big,
         CASE rowid % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'NULL' END AS note
  FROM sales ORDER BY amount;
  SELECT range AS n FROM range(200000)`;

/** Makes the browser's clipboard readable. */
async function allowClipboard(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
}

const readClipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

describe.skipIf(chromiumPath === null)('the results of a run', () => {
  it('have a tab for each statement, and survive a reload', async () => {
    const { page, complaints, id } = await openRun(shared.server, STATEMENTS);
    await waitForState(page, 'Done');
    const grid = page.getByRole('grid', { name: 'Rows of statement 3' });
    await grid.waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('1001');
    expect(await grid.getAttribute('aria-colcount')).toBe('6');
    await eventually(() => readColumn(page, 3)).toContain('9007199254740993');
    expect((await readColumn(page, 4)).slice(0, 3)).toEqual(['NULL', '', 'NULL']);
    await visit(page, 'results-rows');
    await page.getByRole('tab', { name: /^3 The best days/ }).waitFor();
    await page.getByRole('tab', { name: '2 INSERT sales' }).click();
    await page.getByText(/^1,000 rows inserted/).waitFor();
    await visit(page, 'results-inserted');
    await page.getByRole('tab', { name: '1 CREATE sales' }).click();
    await page.getByText(/^Done in/).waitFor();
    await page.getByRole('tab', { name: /^4 SELECT/ }).click();
    await page.getByText('200,000 rows · 1 column', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?tab=3');
    await page.reload();
    await page.getByText('200,000 rows · 1 column', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/runs/${id}`);
    expect(complaints).toEqual([]);
  });

  it('say how much of a long statement is done', async () => {
    const { page, complaints } = await openRun(
      shared.server,
      `CREATE TABLE big AS SELECT range::VARCHAR AS a FROM range(2000000);
       SELECT max(${'sha256('.repeat(40)}a${')'.repeat(40)}) FROM big`,
    );
    await waitForState(page, 'Running');
    await page.getByTitle('Part of the current statement that is done').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await waitForState(page, 'Cancelled');
    expect(complaints).toEqual([]);
  });

  it('are sorted, filtered and summarized by column, and columns are pinned', async () => {
    const { page, complaints } = await openRun(
      shared.server,
      "SELECT i, (i * 37) % 100 AS x, 'n' || i AS name FROM range(5000) r(i)",
    );
    await page.getByText('5,000 rows · 3 columns', { exact: true }).waitFor();
    const header = page.getByRole('columnheader', { name: /^x/ });
    await header.getByText('x', { exact: true }).click();
    await eventually(() => header.getAttribute('aria-sort')).toBe('ascending');
    await eventually(async () => (await readColumn(page, 0)).slice(0, 3)).toEqual(['0', '100', '200']);
    await header.getByText('x', { exact: true }).click();
    await eventually(async () => (await readColumn(page, 1)).slice(0, 2)).toEqual(['99', '99']);
    await page.keyboard.press('ArrowDown');
    await eventually(() => readActiveCell(page)).toBe('27');
    await visit(page, 'results-sorted');

    await header.locator('[data-menu]').click();
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    const filter = page.getByRole('complementary', { name: 'Filter by x' });
    const value = filter.getByRole('textbox', { name: 'Value' });
    await value.and(page.locator(':focus')).waitFor();
    await page.keyboard.insertText('many');
    await page.keyboard.press('Enter');
    await filter.getByText('This is not a value of the type INTEGER').waitFor();
    await visit(page, 'results-filter');
    await filter.getByLabel('Condition').selectOption('at least');
    await value.fill('98');
    await filter.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('100 of 5,000 rows').waitFor();

    await header.locator('[data-menu]').click();
    await page.getByRole('menuitem', { name: 'Summary' }).click();
    const summary = page.getByRole('complementary', { name: 'Summary of x' });
    await summary.getByRole('row', { name: 'Distinct values 2' }).waitFor();
    await summary.getByRole('row', { name: 'Minimum 98' }).waitFor();
    await summary.getByRole('row', { name: 'Median 98.5' }).waitFor();
    await summary.getByRole('row', { name: 'Upper quartile 99' }).waitFor();
    await summary.getByRole('list').getByText('50 (50%)').first().waitFor();
    await visit(page, 'results-summary');
    await page.keyboard.press('Escape');
    await summary.waitFor({ state: 'detached' });

    await page.getByRole('columnheader', { name: /^name/ }).locator('[data-menu]').click();
    await page.getByRole('menuitem', { name: 'Pin to the left' }).click();
    await eventually(async () => (await readColumn(page, 0))[0]).toMatch(/^n\d+$/);
    await page.getByRole('button', { name: 'Remove the filter x at least 98' }).click();
    await page.getByText('5,000 rows · 3 columns', { exact: true }).waitFor();
    await visit(page, 'results-pinned');
    expect(complaints).toEqual([]);
  });

  it('have a summary next to the grid, which follows the active cell', async () => {
    const sql = `SELECT i AS n, CASE i % 4 WHEN 0 THEN 'red' WHEN 1 THEN 'red' WHEN 2 THEN 'blue' END AS colour,
      DATE '2026-01-01' + i::INTEGER AS day FROM range(101) r(i)`;
    const { page, complaints } = await openRun(shared.server, sql);
    await page.getByText('101 rows · 3 columns', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: /^n/ }).locator('[data-menu]').click();
    await page.getByRole('menuitem', { name: 'Summary' }).click();
    const ofNumbers = page.getByRole('complementary', { name: 'Summary of n' });
    for (const fact of ['Minimum 0', 'Lower quartile 25', 'Median 50', 'Upper quartile 75', 'Maximum 100'])
      await ofNumbers.getByRole('row', { name: fact }).waitFor();
    await page.getByRole('gridcell', { name: 'blue' }).first().click();
    const ofTexts = page.getByRole('complementary', { name: 'Summary of colour' });
    await ofTexts.getByRole('row', { name: 'Distinct values 2' }).waitFor();
    const top = ofTexts.getByRole('region', { name: 'Most frequent values' }).getByRole('listitem');
    await eventually(() => top.allInnerTexts()).toEqual([
      expect.stringMatching(/^red\s+51 \(50.5%\)$/),
      expect.stringMatching(/^blue\s+25 \(24.8%\)$/),
    ]);
    expect(await ofTexts.getByRole('row', { name: 'Median' }).count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    const ofDays = page.getByRole('complementary', { name: 'Summary of day' });
    await ofDays.getByRole('row', { name: 'Median 2026-02-20' }).waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('grid');
    await ofDays.getByRole('button', { name: 'Close the panel' }).click();
    await ofDays.waitFor({ state: 'detached' });
    expect(await page.getByRole('complementary', { name: /^Summary/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('can be read and copied with the keyboard alone', async () => {
    const { page, complaints } = await openRun(
      shared.server,
      "SELECT i, 'n' || i AS name FROM range(1000000) r(i)",
    );
    await allowClipboard(page);
    await page.getByText('1,000,000 rows · 2 columns', { exact: true }).waitFor();
    await page.getByRole('grid').focus();
    await eventually(() => readActiveCell(page)).toBe('0');
    await page.keyboard.press('Control+End');
    await eventually(() => readActiveCell(page)).toBe('n999999');
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+End');
    await eventually(() => readActiveCell(page)).toBe('n2');
    await visit(page, 'results-selected');
    await page.keyboard.press('Control+c');
    expect(await readClipboard(page)).toBe('1\tn1\n2\tn2\n');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowUp');
    await eventually(() => readActiveCell(page)).toContain('integer');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Sort ascending' }).and(page.locator(':focus')).waitFor();
    await visit(page, 'results-menu');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await eventually(async () => (await readColumn(page, 1))[0]).toBe('n999999');
    expect(complaints).toEqual([]);
  });

  it('are copied in several formats', async () => {
    const { page, complaints } = await openRun(
      shared.server,
      "SELECT 1 AS a, 'it''s' AS b UNION ALL SELECT 2, NULL ORDER BY a",
    );
    await allowClipboard(page);
    await page.getByText('2 rows · 2 columns', { exact: true }).waitFor();
    const copyAs = async (item: string) => {
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
      await page.getByText('Copied 4 cells').first().waitFor();
      return readClipboard(page);
    };
    expect(await copyAs('CSV with a header')).toBe("a,b\n1,it's\n2,\n");
    expect(await copyAs('TSV without a header')).toBe("1\tit's\n2\t\n");
    expect(await copyAs('SQL INSERT')).toBe(
      `INSERT INTO table_name ("a", "b") VALUES\n  (1, 'it''s'),\n  (2, NULL);\n`,
    );
    expect(complaints).toEqual([]);
  });

  it('are downloaded as files in several formats', async () => {
    const { page, complaints } = await openRun(shared.server, 'SELECT 9007199254740993 AS a, NULL AS b');
    await page.getByText('1 row · 2 columns', { exact: true }).waitFor();
    const downloadAs = async (item: string) => {
      await page.getByRole('button', { name: 'Download' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: item, exact: true }).click();
      return readFile(await (await download).path(), 'latin1');
    };
    await page.getByRole('button', { name: 'Download' }).click();
    await visit(page, 'results-download');
    await page.keyboard.press('Escape');
    expect(await downloadAs('CSV')).toBe('a,b\n9007199254740993,\n');
    expect(await downloadAs('JSON')).toContain('[[9007199254740993,null]]');
    expect(await downloadAs('JSON lines')).toContain('9007199254740993');
    expect(await downloadAs('Markdown')).toContain('| 9007199254740993 |');
    expect((await downloadAs('Parquet')).slice(0, 4)).toBe('PAR1');
    expect((await downloadAs('Arrow')).slice(0, 4)).toBe('\xff\xff\xff\xff');
    expect(complaints).toEqual([]);
  });

  it('are downloaded for spreadsheets, as a workbook and as CSV', async () => {
    const sql =
      "SELECT 9007199254740993 AS a, -5 AS b, '-5' AS c, DATE '2026-01-02' AS d, NULL AS e, 'ä=1' AS f";
    const { page, complaints } = await openRun(shared.server, sql);
    await page.getByText('1 row · 6 columns', { exact: true }).waitFor();
    const save = async (item: string) => {
      await page.getByRole('button', { name: 'Download' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: item, exact: true }).click();
      const saved = await download;
      return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
    };
    const book = await save('XLSX');
    expect(book.name).toMatch(/-1\.xlsx$/);
    expect(await readBook(book.bytes)).toEqual([
      ['text a', 'text b', 'text c', 'text d', 'text e', 'text f'],
      ['text 9007199254740993', 'whole -5', 'text -5', 'date 2026-01-02', null, 'text ä=1'],
    ]);
    const { bytes } = await save('CSV for spreadsheets');
    expect(bytes.toString()).toBe("\ufeffa,b,c,d,e,f\n9007199254740993,-5,'-5,2026-01-02,,ä=1\n");
    expect(complaints).toEqual([]);
  });

  it('can be used with the pointer: widths, rows and cells', async () => {
    const { page, complaints } = await openRun(
      shared.server,
      "SELECT i, 'n' || i AS name FROM range(50) r(i)",
    );
    await allowClipboard(page);
    await page.getByText('50 rows · 2 columns', { exact: true }).waitFor();
    const header = page.getByRole('columnheader', { name: /^name/ });
    const before = (await header.boundingBox())!;
    await page.mouse.move(before.x + before.width - 1, before.y + 10);
    await page.mouse.down();
    await page.mouse.move(before.x + before.width + 119, before.y + 10, { steps: 4 });
    await page.mouse.up();
    await eventually(async () => (await header.boundingBox())?.width).toBe(before.width + 120);
    await page.getByRole('rowheader', { name: '2', exact: true }).click();
    await page.getByRole('rowheader', { name: '3', exact: true }).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+c');
    expect(await readClipboard(page)).toBe('1\tn1\n2\tn2\n');
    const [from, to] = [
      page.getByRole('gridcell', { name: 'n4' }),
      page.getByRole('gridcell', { name: 'n6' }),
    ];
    await from.hover();
    await page.mouse.down();
    await to.hover();
    await page.mouse.up();
    await page.keyboard.press('Control+c');
    expect(await readClipboard(page)).toBe('n4\nn5\nn6\n');
    expect(complaints).toEqual([]);
  });

  it('are loaded up to a limit, and a line says so', async () => {
    const { page, complaints } = await openRun(shared.server, 'SELECT range AS n FROM range(3000000)');
    await page.getByText('Download the result to get all rows.').waitFor();
    await page.getByText(/^[12],\d{3},\d{3} of 3,000,000 rows · 1 column$/).waitFor();
    await visit(page, 'results-limit');
    await page.getByRole('button', { name: 'Download' }).click();
    const item = page.getByRole('menuitem', { name: 'XLSX A sheet has at most 1,048,575 rows' });
    expect(await item.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });

  it('keep their order and filters when another tab is shown', async () => {
    const { page, complaints } = await openRun(
      shared.server,
      'SELECT i FROM range(300) r(i); SELECT 2 AS other',
    );
    await page.getByText('300 rows · 1 column', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: /^i/ }).getByText('i', { exact: true }).click();
    await page.getByRole('columnheader', { name: /^i/ }).getByText('i', { exact: true }).click();
    await eventually(async () => (await readColumn(page, 0))[0]).toBe('299');
    await page.getByRole('tab', { name: /^2 SELECT/ }).click();
    await page.getByRole('gridcell', { name: '2', exact: true }).waitFor();
    await page.getByRole('tab', { name: /^1 SELECT/ }).click();
    await page.getByRole('gridcell', { name: '299' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('arrive while it runs, and it can be cancelled', async () => {
    const { page, complaints, id } = await openRun(shared.server, `SELECT 42 AS answer; ${BUSY}`);
    await waitForState(page, 'Running');
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    await visit(page, 'results-running');
    await page.goto(`${shared.server.url}/catalog/`);
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    await page.goto(`${shared.server.url}/runs/${id}`);
    await waitForState(page, 'Running');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await waitForState(page, 'Cancelled');
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    await visit(page, 'results-cancelled');
    await page.getByRole('tab', { name: '2 SELECT' }).click();
    await page.getByText(/^Cancelled after/).waitFor();
    expect(complaints).toEqual([]);
  });
});
