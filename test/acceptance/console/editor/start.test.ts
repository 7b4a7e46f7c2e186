import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { runQuern } from '../../../support/server.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { expectLines, findText, openEditor, typeAtEnd } from './open-editor.ts';
import { createShop } from './semantic-shop.ts';

const shared = shareConsole({ ada: {}, vic: { role: 'VIEWER' } });

const findOffers = (page: Page, title: string) => page.getByRole('region', { name: title });
const findOffer = (page: Page, title: string, name: string) =>
  findOffers(page, title)
    .getByRole('button')
    .filter({ has: page.getByText(name, { exact: true }) });

describe.skipIf(chromiumPath === null)('an empty text', () => {
  beforeAll(async () => {
    await runQuern(shared.server.cwd, [
      'sql',
      '--connection',
      'duckdb',
      'CREATE TABLE "a b" ("order" INTEGER, kind VARCHAR); INSERT INTO "a b" VALUES (1, \'x\')',
    ]);
    await createShop(shared);
  });

  it('offers a SELECT of a table, until one types', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    const text = findText(page, 'Query 1');
    await findOffer(page, 'Tables of duckdb', 'a b').waitFor();
    await visit(page, 'editor-start');
    await typeAtEnd(page, text, 'x');
    await findOffers(page, 'Examples').waitFor({ state: 'detached' });
    await page.keyboard.press('Backspace');
    await findOffer(page, 'Tables of duckdb', 'a b').click();
    await expectLines(text, ['SELECT', '    "order",', '    kind', 'FROM "a b";']);
    await findOffers(page, 'Examples').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('gridcell', { name: 'x' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('offers three examples of its connection, which run', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await findOffer(page, 'Examples', 'Summarize a b').waitFor();
    await page.getByRole('combobox', { name: 'Connection' }).click();
    await page.getByRole('option', { name: 'shop' }).click();
    await findOffer(page, 'Tables of shop', 'sales').waitFor();
    expect(await findOffers(page, 'Examples').getByRole('button').allInnerTexts()).toEqual([
      'Ask for fields of sales',
      'Count sales',
      'List the fields of the model',
    ]);
    await findOffer(page, 'Examples', 'Ask for fields of sales').click();
    await expectLines(findText(page, 'Query 1'), ['SELECT region, revenue', 'FROM sales;']);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('gridcell', { name: 'north' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('offers texts that were closed', async () => {
    const { admin, server } = shared;
    await admin.make('assets', '@Shared/recent', { content: 'SELECT 7' });
    const { page, complaints } = await openEditor(server.url, 'ada', '@Shared/recent');
    await expectLines(findText(page, 'recent'), ['SELECT 7']);
    await page.getByRole('button', { name: 'Close recent' }).click();
    await findText(page, 'Query 1').waitFor();
    await findOffer(page, 'Recent texts', 'recent').getByText('@Shared/recent').waitFor();
    await typeAtEnd(page, findText(page, 'Query 1'), "SELECT '<b>'");
    await page.getByRole('button', { name: 'New query' }).click();
    await page.getByRole('button', { name: 'Close Query 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
    await findOffer(page, 'Recent texts', 'Query 1').getByText("SELECT '<b>'").waitFor();
    await visit(page, 'editor-start-recent');
    await findOffer(page, 'Recent texts', 'recent').click();
    await expectLines(findText(page, 'recent'), ['SELECT 7']);
    expect(complaints).toEqual([]);
  });

  it('offers nothing where it cannot be changed', async () => {
    await shared.admin.make('assets', '@Shared/blank', { content: '' });
    const { page, complaints } = await openEditor(shared.server.url, 'vic', '@Shared/blank');
    await page.getByText('Read-only: you may view this script').waitFor();
    expect(await findOffers(page, 'Examples').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(chromiumPath === null)('a long text', () => {
  it('says that it is not checked while one types', async () => {
    await shared.admin.make('assets', '@Shared/huge', { content: '-- 456\n'.repeat(150_000) });
    const { page, complaints } = await openEditor(shared.server.url, 'ada', '@Shared/huge');
    const text = findText(page, 'huge');
    const note = page.getByText('This text is longer than 1 MB: it is checked when it runs');
    await note.waitFor();
    await visit(page, 'editor-long');
    await text.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('1');
    await note.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('is kept when the page is reloaded just after a key', async () => {
    await shared.admin.make('assets', '@Shared/large', { content: '-- 456\n'.repeat(30_000) });
    const { page, complaints } = await openEditor(shared.server.url, 'ada', '@Shared/large');
    await typeAtEnd(page, findText(page, 'large'), 'SELECT 8');
    await page.reload();
    await page.getByText('Your unsaved changes are back').waitFor();
    const text = findText(page, 'large');
    await text.focus();
    await page.keyboard.press('ControlOrMeta+End');
    await expect.poll(() => page.locator('.cm-activeLine').textContent()).toBe('SELECT 8');
    expect(complaints).toEqual([]);
  });
});
