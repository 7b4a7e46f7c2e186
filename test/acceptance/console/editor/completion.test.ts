import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { runQuern } from '../../../support/server.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import {
  expectLines,
  findCompletion,
  findCompletions,
  findText,
  openEditor,
  typeAtEnd,
} from './open-editor.ts';
import { createShop } from './semantic-shop.ts';

const shared = shareConsole({ ada: {} });

describe.skipIf(chromiumPath === null)('completion', () => {
  beforeAll(async () => {
    await runQuern(shared.server.cwd, [
      'sql',
      '--connection',
      'duckdb',
      'CREATE TABLE selections (kind VARCHAR, big_ones INTEGER)',
    ]);
    await createShop(shared);
  });

  it('offers the columns of a common table expression', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    const text = findText(page, 'Query 1');
    await typeAtEnd(
      page,
      text,
      'WITH totals(kind, total) AS (SELECT kind, sum(big_ones) FROM selections) SELECT totals.to',
    );
    await findCompletion(page, 'total').waitFor();
    await visit(page, 'editor-completion-cte');
    await findCompletion(page, 'total').click();
    await page.keyboard.type(' FROM tota');
    await findCompletion(page, 'totals').getByText('CTE').waitFor();
    await findCompletion(page, 'totals').click();
    await expectLines(text, [
      'WITH totals(kind, total) AS (SELECT kind, sum(big_ones) FROM selections) SELECT totals.total FROM totals',
    ]);
    expect(complaints).toEqual([]);
  });

  it('offers tables before keywords after FROM', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await typeAtEnd(page, findText(page, 'Query 1'), 'SELECT *\nFROM\nsele');
    await findCompletion(page, 'select').waitFor();
    const labels = await findCompletions(page).locator('.cm-completionLabel').allTextContents();
    expect(labels.indexOf('selections')).toBeLessThan(labels.indexOf('select'));
    expect(labels).toContain('selections');
    await visit(page, 'editor-completion-from');
    expect(complaints).toEqual([]);
  });

  it('offers the fields of a semantic connection before FROM is written', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await page.getByRole('combobox', { name: 'Connection' }).click();
    await page.getByRole('option', { name: 'shop' }).click();
    const text = findText(page, 'Query 1');
    await typeAtEnd(page, text, 'SELECT reve');
    await findCompletion(page, 'revenue').click();
    await page.keyboard.type(', reg');
    await findCompletion(page, 'region').click();
    await expectLines(text, ['SELECT revenue, region']);
    expect(complaints).toEqual([]);
  });

  it('opens by typed keys alone, and closes with a run', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    const text = findText(page, 'Query 1');
    await typeAtEnd(page, text, 'SELECT 1 AS sel');
    await findCompletion(page, 'selections').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('gridcell', { name: '1' }).waitFor();
    expect(await findCompletions(page).count()).toBe(0);
    // A click, a paste, an undo and an insertion from the tables.
    await text.locator('.cm-line').getByText('sel').click();
    await page.keyboard.press('ControlOrMeta+z');
    await page.keyboard.press('ControlOrMeta+y');
    await page.getByRole('treeitem').getByText('selections').click();
    await page.evaluate(() => document.execCommand('insertText', false, ' '));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+x');
    await page.keyboard.press('ControlOrMeta+v');
    // An answer to a typed key is later than any to those before.
    expect(await findCompletions(page).count()).toBe(0);
    await page.keyboard.type(' sel');
    await findCompletion(page, 'select').waitFor();
    expect(complaints).toEqual([]);
  });
});
