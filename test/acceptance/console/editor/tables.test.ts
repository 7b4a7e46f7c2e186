import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { runQuern } from '../../../support/server.ts';
import { createUser, shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { expectLines, findText, openEditor, typeAtEnd } from './open-editor.ts';

const shared = shareConsole({ ada: {} });

const FACES = '😀'.repeat(255);
/** Names that need quotes, and one that needs none. */
const SCRIPT = `CREATE TABLE plain (id INTEGER, "order" VARCHAR, "größe" DECIMAL(9, 2));
INSERT INTO plain VALUES (7, 'seven', 7.5);
CREATE TABLE "a b" ("c ""d""" INTEGER);
CREATE TABLE "select" (n INTEGER);
CREATE TABLE "表" (n INTEGER);
CREATE TABLE "${FACES}" (n INTEGER);
CREATE SCHEMA "other place";
CREATE VIEW "other place".seen AS SELECT 1 AS one`;

const findTree = (page: Page) => page.getByRole('tree', { name: 'Tables' });
const findRow = (page: Page, name: string) =>
  findTree(page)
    .getByRole('treeitem')
    .filter({ has: page.getByText(name, { exact: true }) });
const open = (row: Locator) => row.locator('span').first().click();
const listNames = (page: Page) => findTree(page).locator('bdi').allTextContents();

async function chooseAction(page: Page, table: string, action: string): Promise<void> {
  await findRow(page, table)
    .getByRole('button', { name: `Actions for ${table}` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe.skipIf(chromiumPath === null)('the tables next to the text', () => {
  beforeAll(async () => {
    await runQuern(shared.server.cwd, ['sql', '--connection', 'duckdb', SCRIPT]);
  });

  it('lists schemas, tables and columns with their types, and inserts quoted names at the cursor', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    const text = findText(page, 'Query 1');
    await findRow(page, 'plain').waitFor();
    expect(await listNames(page)).toEqual(
      expect.arrayContaining(['main', 'a b', 'plain', 'select', FACES, '表', 'other place', 'seen']),
    );
    await open(findRow(page, 'plain'));
    await findRow(page, 'order').getByText('VARCHAR').waitFor();
    await findRow(page, 'größe').getByText('DECIMAL(9,2)').waitFor();
    await visit(page, 'editor-tables');
    await typeAtEnd(page, text, 'SELECT');
    await findRow(page, 'order').getByText('order').click();
    await page.keyboard.type(' FROM');
    await findRow(page, 'plain').getByText('plain').click();
    await page.keyboard.type(', ');
    for (const name of ['a b', 'select', '表', 'seen']) {
      await findRow(page, name).getByText(name, { exact: true }).click();
      await page.keyboard.type(', ');
    }
    await expectLines(text, ['SELECT "order" FROM plain, "a b", "select", "表", "other place".seen, ']);
    await page.keyboard.press('ControlOrMeta+a');
    await findRow(page, FACES).getByText(FACES).click();
    await expectLines(text, [`"${FACES}"`]);
    expect(complaints).toEqual([]);
  });

  it('inserts a SELECT of the columns, and shows the first rows as a new query', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await chooseAction(page, 'plain', 'Insert a SELECT of its columns');
    const select = ['SELECT', '    id,', '    "order",', '    "größe"', 'FROM plain;'];
    await expectLines(findText(page, 'Query 1'), select);
    await chooseAction(page, 'plain', 'Show the first 100 rows');
    await expectLines(findText(page, 'Query 2'), ['SELECT * FROM plain LIMIT 100']);
    await page.getByRole('gridcell', { name: 'seven' }).waitFor();
    await page.getByRole('link', { name: 'Query 1' }).click();
    await expectLines(findText(page, 'Query 1'), select);
    await chooseAction(page, 'a b', 'Insert a SELECT of its columns');
    await expect.poll(() => findText(page, 'Query 1').textContent()).toContain('    "c ""d"""FROM "a b";');
    expect(complaints).toEqual([]);
  });

  it('finds tables by a part of the name, and works with the keyboard', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await findRow(page, 'plain').waitFor();
    await page.getByRole('textbox', { name: 'Search tables' }).fill('LAI');
    await expect.poll(() => listNames(page)).toEqual(['plain']);
    await findTree(page).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => listNames(page)).toEqual(['plain', 'id', 'order', 'größe']);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expectLines(findText(page, 'Query 1'), ['"größe"']);
    await findTree(page).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => listNames(page)).toEqual(['plain']);
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Show the first 100 rows' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Search tables' }).fill('nothing like it');
    await page.getByText('No table has this text in its name.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('lists a new table after a reload, and is a drawer where the page is narrow', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await findRow(page, 'plain').waitFor();
    await runQuern(shared.server.cwd, ['sql', '--connection', 'duckdb', 'CREATE TABLE later (n INTEGER)']);
    await page.getByRole('button', { name: 'Reload the tables' }).click();
    await findRow(page, 'later').waitFor();
    await page.setViewportSize({ width: 900, height: 700 });
    await findTree(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Tables', exact: true }).click();
    await findRow(page, 'later').getByText('later').click();
    await findTree(page).waitFor({ state: 'detached' });
    await expectLines(findText(page, 'Query 1'), ['later']);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Tables', exact: true }).click();
    await open(findRow(page, 'later'));
    await findRow(page, 'n').waitFor();
    await visit(page, 'editor-tables-drawer');
    await expectLines(findText(page, 'Query 1'), ['later']);
    expect(complaints).toEqual([]);
  });

  it('lists a table that a run has created, and no longer one that a run has dropped', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await findRow(page, 'plain').waitFor();
    await typeAtEnd(page, findText(page, 'Query 1'), 'CREATE TABLE made_here (n INTEGER)');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+Enter');
    await findRow(page, 'made_here').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('DROP TABLE made_here');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+Enter');
    await findRow(page, 'made_here').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('asks the server for the tables that a long list omits', async () => {
    const tables = Array.from({ length: 2_100 }, (_, at) => `CREATE TABLE many_${at} (n INTEGER);`);
    await runQuern(shared.server.cwd, ['sql', '--connection', 'duckdb', `BEGIN; ${tables.join('')} COMMIT`]);
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await page.getByText(/further tables are not listed/).waitFor();
    expect(await findTree(page).getByRole('treeitem').count()).toBeLessThan(100);
    await page.getByRole('textbox', { name: 'Search tables' }).fill('表');
    await expect.poll(() => listNames(page)).toEqual(['表']);
    await page.getByText(/further tables are not listed/).waitFor({ state: 'detached' });
    await findRow(page, '表').getByText('表').click();
    await expectLines(findText(page, 'Query 1'), ['"表"']);
    expect(complaints).toEqual([]);
  });

  it('says why no tables are listed', async () => {
    const { server, admin } = shared;
    await createUser(server.cwd, 'una');
    const broken = {
      name: 'broken',
      kind: 'postgresql',
      options: { host: '127.0.0.1', port: '1', database: 'x', user: 'x' },
    };
    const made = await admin.send('POST', '/manage/connections', { body: broken });
    expect(made.status, made.text).toBe(201);
    const grant = { subject: 'user:una', level: 'USE', target: 'connection:broken' };
    expect((await admin.send('PUT', '/manage/grants', { body: grant })).status).toBe(200);
    await runQuern(server.cwd, 'grant rm everyone connection:duckdb');
    const { page } = await openEditor(server.url, 'una');
    await page.getByText('The tables cannot be listed').waitFor();
    await visit(page, 'editor-tables-failed');
    await page.getByText('The tables cannot be listed').waitFor();
    await runQuern(server.cwd, 'grant rm user:una connection:broken');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('You do not have access').waitFor();
    await visit(page, 'editor-tables-forbidden');
    await page.reload();
    await page.getByText('There is no connection that you may use.').waitFor();
  });
});
