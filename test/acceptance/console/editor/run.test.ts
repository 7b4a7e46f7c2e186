import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { runQuern } from '../../../support/server.ts';
import { createUser, shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { expectKept, expectLines, findText, openEditor, readContent, typeAtEnd } from './open-editor.ts';

const shared = shareConsole({ ada: {} });

const findCell = (page: Page, text: string) => page.getByRole('gridcell', { name: text, exact: true });

/** Replaces the text of a tab. */
async function write(page: Page, name: string, lines: string): Promise<void> {
  const text = findText(page, name);
  await text.waitFor();
  await expect.poll(() => text.getAttribute('aria-readonly')).toBe('false');
  await text.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(lines);
}

async function chooseConnection(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Connection' }).click();
  await page.getByRole('option', { name: 'duckdb' }).click();
}

describe.skipIf(chromiumPath === null)('running a text', () => {
  it('runs a query, shows its result, and shows it again after a reload', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await write(page, 'Query 1', 'SELECT 40 + 2 AS answer');
    await page.keyboard.press('ControlOrMeta+Enter');
    await findCell(page, '42').waitFor();
    await visit(page, 'editor-run');
    await page.reload();
    await findCell(page, '42').waitFor();
    await expectLines(findText(page, 'Query 1'), ['SELECT 40 + 2 AS answer']);
    expect(complaints).toEqual([]);
  });

  it('says that rows are those of an earlier text, also after a reload', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await write(page, 'Query 1', 'SELECT 42 AS answer');
    await page.keyboard.press('ControlOrMeta+Enter');
    await findCell(page, '42').waitFor();
    const note = page.getByText('The text has changed since this run');
    expect(await note.count()).toBe(0);
    await typeAtEnd(page, findText(page, 'Query 1'), '0');
    await note.waitFor();
    await visit(page, 'editor-earlier-text');
    await findText(page, 'Query 1').focus();
    await page.keyboard.press('Backspace');
    await note.waitFor({ state: 'detached' });
    await page.keyboard.type('1');
    await note.waitFor();
    await expectKept(page, 'answer1');
    await page.reload();
    await findCell(page, '42').waitFor();
    await note.waitFor();
    await findText(page, 'Query 1').focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    await note.waitFor({ state: 'detached' });
    await page.reload();
    await findCell(page, '42').waitFor();
    expect(await note.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('runs on the connection with overrides, which the browser remembers', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await write(page, 'Query 1', 'CREATE SCHEMA IF NOT EXISTS other; SELECT current_schema() AS found');
    await page.keyboard.press('ControlOrMeta+Shift+Enter');
    await findCell(page, 'main').waitFor();
    await page.getByRole('button', { name: 'Database and schema' }).click();
    await page.getByLabel('schema', { exact: true }).fill('other');
    await visit(page, 'editor-overrides');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Database and schema: other' }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await findCell(page, 'other').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Database and schema: other' }).click();
    expect(await page.getByLabel('schema', { exact: true }).inputValue()).toBe('other');
    await page.getByLabel('schema', { exact: true }).fill('nowhere');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('nowhere').last().waitFor();
    expect(complaints).toEqual([]);
  });

  it('waits for the connections, so that no override is lost', async () => {
    await runQuern(shared.server.cwd, ['sql', 'CREATE SCHEMA kept', '--connection', 'duckdb']);
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await write(page, 'Query 1', 'SELECT current_schema() AS first');
    await page.getByRole('button', { name: 'Database and schema' }).click();
    await page.getByLabel('schema', { exact: true }).fill('kept');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await findCell(page, 'kept').waitFor();
    await write(page, 'Query 1', "SELECT 'now ' || current_schema() AS next");
    await expectKept(page, 'now ');
    const held = Promise.withResolvers<void>();
    await page.route('**/console/api/manage/connections', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    await findText(page, 'Query 1').focus();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('button', { name: 'Run', exact: true, disabled: true }).waitFor();
    held.resolve();
    await findCell(page, 'now kept').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows the SQL to which a text compiles, or its errors', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    const block = '#+src sql Two(n) #+begin SELECT {{ n }} AS two #+end';
    await write(page, 'Query 1', `SELECT two FROM {{ Two(n = 22) }};\n${block}`);
    await page.getByRole('button', { name: 'Run a part' }).click();
    await page.getByRole('menuitem', { name: 'Show the compiled SQL' }).click();
    const panel = page.getByRole('complementary', { name: 'Compiled SQL' });
    await panel.getByText('SELECT 22 AS two').waitFor();
    await panel.getByText(/^SELECT two FROM quern_/).waitFor();
    await visit(page, 'editor-compiled');
    await write(page, 'Query 1', 'SELECT two FROM {{ Three() }}');
    await panel.getByRole('alert').getByText('Three').waitFor();
    await visit(page, 'editor-not-compiled');
    expect(complaints).toEqual([]);
  });

  it('shows marks that change the writing direction, in statements, errors and compiled SQL', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    const sql = "SELECT 'a\u202eb' AS x";
    const text = findText(page, 'Query 1');
    await text.waitFor();
    await text.focus();
    await page.keyboard.insertText(`${sql}; SELECT 'c\u202ed' FROM nowhere`);
    await page.keyboard.press('ControlOrMeta+Shift+Enter');
    const alert = page.getByRole('alert').first();
    await alert.getByText('nowhere').first().waitFor();
    expect(await alert.innerText()).not.toContain('\u202e');
    await page.getByRole('code').getByText("SELECT 'a[U+202E]b' AS x", { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run a part' }).click();
    await page.getByRole('menuitem', { name: 'Show the compiled SQL' }).click();
    await page.getByRole('complementary', { name: 'Compiled SQL' }).getByText('a[U+202E]b').waitFor();
    expect(complaints).toEqual([]);
  });

  it('runs a script as it is in the editor, with what its folder contains', async () => {
    const { server, admin } = shared;
    await admin.make('folders', '@Shared/numbers');
    await admin.make('assets', '@Shared/numbers/all', {
      content: '#+src sql Numbers() #+begin SELECT * FROM range(5) AS r(n) #+end',
    });
    await admin.make('assets', '@Shared/numbers/count', { content: 'SELECT 1' });
    const { page, complaints } = await openEditor(server.url, 'ada', '@Shared/numbers/count');
    await write(page, 'count', 'SELECT sum(n) AS total FROM {{ Numbers() }}');
    await chooseConnection(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await findCell(page, '10').waitFor();
    expect(await readContent(admin, '@Shared/numbers/count')).toBe('SELECT 1');
    await page.reload();
    await findCell(page, '10').waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Connection' }).inputValue()).toBe('duckdb');
    expect(complaints).toEqual([]);
  });

  it('runs the statement at the cursor, which the gutter marks, or everything', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await write(page, 'Query 1', 'SELECT 11 AS one;\n\nSELECT 22\n  AS two;\nSELECT 33 AS three');
    const marked = () =>
      page
        .locator('.cm-lineNumbers .cm-statement-line')
        .evaluateAll((lines) => lines.map((line) => line.textContent));
    await expect.poll(marked).toEqual(['5']);
    await page.keyboard.press('ArrowUp');
    await expect.poll(marked).toEqual(['3', '4']);
    await visit(page, 'editor-statement');
    await page.keyboard.press('ControlOrMeta+Enter');
    await findCell(page, '22').waitFor();
    expect(await page.getByRole('tab', { name: /^Result/ }).count()).toBeLessThan(2);
    await findText(page, 'Query 1').focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await findCell(page, '11').waitFor();
    await page.getByRole('button', { name: 'Run a part' }).click();
    await page.getByRole('menuitem', { name: 'Run the statement at the cursor' }).waitFor();
    await page.getByRole('menuitem', { name: 'Run all' }).click();
    await page
      .getByText('3 results')
      .or(page.getByRole('tab', { name: '3' }))
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it('runs the selection, and the block at the cursor', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    const lines =
      'SELECT 1 AS one;\nSELECT 22 AS two;\n#+src sql Three(n)\n#+begin\nSELECT {{ n }} AS three\n#+end';
    await write(page, 'Query 1', lines);
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+End');
    await page.keyboard.press('ControlOrMeta+Enter');
    await findCell(page, '22').waitFor();
    expect(await findCell(page, '1').count()).toBe(0);
    await findText(page, 'Query 1').focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.getByRole('button', { name: 'Run a part' }).click();
    await page.getByRole('menuitem', { name: 'Run Three' }).waitFor();
    await visit(page, 'editor-run-menu');
    await page.getByRole('menuitem', { name: 'Run Three' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run Three' });
    await dialog.getByLabel('n').fill('333');
    await visit(page, 'editor-arguments');
    await dialog.getByRole('button', { name: 'Run' }).click();
    await findCell(page, '333').waitFor();
    expect(complaints).toEqual([]);
  });

  it('asks for parameters, and remembers them without those that the text no longer has', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/asked', {
      content:
        "-- $origin: The airport to start from.\nSELECT '$origin' AS origin, n FROM range(9) AS r(n) WHERE n > $least LIMIT 1",
    });
    const { page, complaints } = await openEditor(server.url, 'ada', '@Shared/asked');
    const form = page.getByRole('region', { name: 'Parameters' });
    await form.getByLabel('origin').fill('ORD');
    await chooseConnection(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await form.getByText('Enter a value').waitFor();
    await expect
      .poll(() => form.getByLabel('least').evaluate((field) => field === document.activeElement))
      .toBe(true);
    await visit(page, 'editor-parameters');
    await form.getByLabel('least').fill('many');
    await form.getByText('Enter a number').waitFor();
    await form.getByLabel('least').fill('6');
    await page.keyboard.press('ControlOrMeta+Enter');
    await findCell(page, 'ORD').waitFor();
    await findCell(page, '7').waitFor();
    await page.reload();
    await form.waitFor();
    await expect.poll(() => form.getByLabel('origin').inputValue()).toBe('ORD');
    await write(page, 'asked', 'SELECT $least AS least');
    await form.getByLabel('origin').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+Enter');
    await findCell(page, '6').waitFor();
    const kept = await page.evaluate(() => localStorage.getItem('quern-run-settings/ada') ?? '');
    expect(kept).toContain('"least":"6"');
    expect(kept).not.toContain('ORD');
    expect(complaints).toEqual([]);
  });

  it('has a field of the kind of each parameter, with its choices and its default', async () => {
    const { server, admin } = shared;
    const content = (choices: string) => `-- $code in (${choices}): The airport.
-- $day = 2026-01-15: The day.
-- $least = 5: The smallest number.
SELECT 1;
SELECT '$code' AS code, '$day' AS day, n FROM range(99) AS r(n) WHERE n > $least AND n < $most LIMIT 1`;
    await admin.make('assets', '@Shared/chosen', { content: content("ATL, 'JFK, New York'") });
    const { page, complaints } = await openEditor(server.url, 'ada', '@Shared/chosen');
    const form = page.getByRole('region', { name: 'Parameters' });
    const code = form.getByRole('combobox', { name: 'code' });
    await code.click();
    await page.getByRole('option', { name: 'JFK, New York' }).click();
    const day = form.getByLabel('day');
    expect(await day.getAttribute('type')).toBe('date');
    await form.getByText('The day. · Default: 2026-01-15').waitFor();
    expect(await form.getByLabel('least').getAttribute('placeholder')).toBe('Default: 5');
    expect(await form.getByLabel('least').getAttribute('required')).toBeNull();
    expect(await form.getByLabel('most').getAttribute('required')).not.toBeNull();
    await chooseConnection(page);
    await form.getByLabel('most').fill('50');
    await visit(page, 'editor-parameter-kinds');
    await findText(page, 'chosen').focus();
    // The statement at the cursor, without the comments at the start of the text.
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('ControlOrMeta+Enter');
    await findCell(page, 'JFK, New York').waitFor();
    await findCell(page, '2026-01-15').waitFor();
    await findCell(page, '6').waitFor();
    await day.fill('2026-02-03');
    await page.keyboard.press('ControlOrMeta+Enter');
    await findCell(page, '2026-02-03').waitFor();
    await write(page, 'chosen', content('ATL, ORD'));
    await expect.poll(() => code.inputValue()).toBe('');
    await code.click();
    expect(await page.getByRole('option').allTextContents()).toEqual(['ATL', 'ORD']);
    expect(complaints).toEqual([]);
  });

  it('underlines the place of an error', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await write(page, 'Query 1', 'SELECT 1;\nSELECT nothing_here FROM (SELECT 1 AS a)');
    await page.keyboard.press('ControlOrMeta+Enter');
    const mark = findText(page, 'Query 1').locator('.cm-runError');
    await mark.waitFor();
    expect(await mark.textContent()).toBe('nothing_here');
    await visit(page, 'editor-run-error');
    await page.getByRole('button', { name: '@Personal/query-1:2:8' }).first().click();
    await page.keyboard.type('a AS ');
    await expectLines(findText(page, 'Query 1'), [
      'SELECT 1;',
      'SELECT a AS nothing_here FROM (SELECT 1 AS a)',
    ]);
    await page.keyboard.press('ControlOrMeta+z');
    await typeAtEnd(page, findText(page, 'Query 1'), ' -- changed');
    expect(await mark.textContent()).toBe('nothing_here');
    await write(page, 'Query 1', 'SELECT 5 AS five');
    await page.keyboard.press('ControlOrMeta+Enter');
    await findCell(page, '5').waitFor();
    await mark.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('cancels a run, and moves the border of the results with the keyboard', async () => {
    const { page } = await openEditor(shared.server.url, 'ada');
    await write(
      page,
      'Query 1',
      'SELECT count(*) FROM range(100000000000) AS a(n) WHERE n % 7 = hash(n) % 5',
    );
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page
      .getByText(/cancelled/i)
      .first()
      .waitFor();
    const border = page.getByRole('separator', { name: 'Height of the results' });
    const before = Number(await border.getAttribute('aria-valuenow'));
    await border.focus();
    await page.keyboard.press('ArrowDown');
    expect(Number(await border.getAttribute('aria-valuenow'))).toBe(before - 5);
  });

  it('runs on the connection of the project, or else on one that the user may use', async () => {
    const { server, admin } = shared;
    await admin.make('folders', '@Shared/shop', { folder_type: 'PROJECT' });
    await admin.make('assets', '@Shared/shop/one', { content: 'SELECT 11 AS one' });
    const general = '[general]\nname = "acme.io/shop"\nversion = "1.0.0"\n';
    const environment =
      '[environment]\ndefault = "dev"\n[environment.dev]\nconnection = { name = "duckdb" }\n';
    await admin.make('assets', '@Shared/shop/project.toml', { content: general + environment });
    const { page } = await openEditor(server.url, 'ada', '@Shared/shop/one');
    const connection = page.getByRole('combobox', { name: 'Connection' });
    await connection.waitFor();
    await expect.poll(() => connection.inputValue()).toBe('duckdb (project)');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await findCell(page, '11').waitFor();
    await admin.make('assets', '@Shared/loose', { content: 'SELECT 12 AS twelve' });
    await page.goto(`${server.url}/sql/@Shared/loose`);
    await findText(page, 'loose').waitFor();
    await expect.poll(() => connection.inputValue()).toBe('duckdb');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await findCell(page, '12').waitFor();
  });

  it('says why a run cannot start', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/refused', { content: 'SELECT 1' });
    await createUser(server.cwd, 'una');
    await runQuern(server.cwd, 'grant rm everyone connection:duckdb');
    const { page } = await openEditor(server.url, 'una', '@Shared/refused');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('The run was not started').waitFor();
    await visit(page, 'editor-not-started');
  });
});
