import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { runQuern } from '../../../support/server.ts';
import { openAs, waitForFocus } from '../browser.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { expectKept, expectLines, findText, openEditor, readContent, typeAtEnd } from './open-editor.ts';

const shared = shareConsole({ ada: {}, vic: { role: 'VIEWER' } });

describe.skipIf(chromiumPath === null)('the editor', () => {
  it('opens a script of the catalog, and saves it with Ctrl S', async () => {
    const { server, admin } = shared;
    const description = 'What sells';
    await admin.make('assets', '@Shared/monthly', { content: 'SELECT 1\r\nFROM a\r\n', description });
    const { page, complaints } = await openAs(server.url, 'ada', '/catalog/@Shared/monthly');
    await page.getByRole('link', { name: 'Edit' }).click();
    const text = findText(page, 'monthly');
    await expectLines(text, ['SELECT 1', 'FROM a', '']);
    expect(page.url()).toBe(`${server.url}/sql/@Shared/monthly`);
    await visit(page, 'editor');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    expect(await save.isDisabled()).toBe(true);
    await typeAtEnd(page, text, 'WHERE b');
    await page.getByRole('link', { name: 'monthly (not saved)' }).waitFor();
    await visit(page, 'editor-changed');
    await save.waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved monthly').waitFor();
    expect(await save.isDisabled()).toBe(true);
    expect(await readContent(admin, '@Shared/monthly')).toBe('SELECT 1\r\nFROM a\r\nWHERE b');
    await page.goBack();
    await page.getByRole('tab', { name: 'Properties' }).click();
    await page.getByRole('definition').filter({ hasText: description }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('opens a script at the line that the catalog shows', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/lined', { content: 'SELECT 1,\n2,\n3' });
    const { page, complaints } = await openAs(server.url, 'ada', '/catalog/@Shared/lined?line=2');
    await page.getByRole('link', { name: 'Edit' }).click();
    const text = findText(page, 'lined');
    await expect.poll(() => page.url()).toBe(`${server.url}/sql/@Shared/lined`);
    await expect.poll(() => text.getAttribute('aria-readonly')).toBe('false');
    await page.keyboard.type('7');
    await expectLines(text, ['SELECT 1,', '72,', '3']);
    expect(complaints).toEqual([]);
  });

  it('keeps an unsaved text over a reload, and discards it on request', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/kept', { content: 'SELECT 1' });
    const { page, complaints } = await openEditor(server.url, 'ada', '@Shared/kept');
    const text = findText(page, 'kept');
    await typeAtEnd(page, text, ' + 2');
    await expectKept(page, 'SELECT 1 + 2');
    await page.reload();
    await page.getByText('Your unsaved changes are back').waitFor();
    await expectLines(text, ['SELECT 1 + 2']);
    await visit(page, 'editor-restored');
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    await expectLines(text, ['SELECT 1']);
    await text.focus();
    await page.keyboard.press('ControlOrMeta+z');
    await expectLines(text, ['SELECT 1 + 2']);
    expect(await readContent(admin, '@Shared/kept')).toBe('SELECT 1');
    expect(complaints).toEqual([]);
  });

  it('keeps a text that was typed just before the page is reloaded', async () => {
    const { page } = await openEditor(shared.server.url, 'ada');
    const text = findText(page, 'Query 1');
    await typeAtEnd(page, text, 'SELECT now()');
    await page.reload();
    await expectLines(text, ['SELECT now()']);
  });

  it('keeps the texts of a closed tab of the browser for the next one', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await typeAtEnd(page, findText(page, 'Query 1'), 'SELECT 42');
    await expectKept(page, 'SELECT 42');
    const next = await page.context().newPage();
    await next.goto(`${shared.server.url}/sql`);
    await findText(next, 'Query 2').waitFor();
    await next.close();
    await page.close();
    const last = await page.context().newPage();
    await last.goto(`${shared.server.url}/sql/query-1`);
    await expectLines(findText(last, 'Query 1'), ['SELECT 42']);
    expect(complaints).toEqual([]);
  });

  it('keeps the texts of a page that has crashed', async () => {
    const { page } = await openEditor(shared.server.url, 'ada');
    await typeAtEnd(page, findText(page, 'Query 1'), 'SELECT 43');
    await expectKept(page, 'SELECT 43');
    const crashed = page.waitForEvent('crash');
    // A crashed page does not respond.
    void page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    const next = await page.context().newPage();
    await next.goto(`${shared.server.url}/sql`);
    await expectLines(findText(next, 'Query 1'), ['SELECT 43']);
  });

  it('has several tabs, each with its address and its history', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/first', { content: 'SELECT 1' });
    const { page, complaints } = await openEditor(server.url, 'ada', '@Shared/first');
    await typeAtEnd(page, findText(page, 'first'), ';');
    await page.getByRole('button', { name: 'New query' }).click();
    const query = findText(page, 'Query 1');
    await expect.poll(() => page.url()).toBe(`${server.url}/sql/query-1`);
    await page.keyboard.type('SELECT 2');
    await expectLines(query, ['SELECT 2']);
    await visit(page, 'editor-query');
    await page.getByRole('link', { name: 'first' }).click();
    await expectLines(findText(page, 'first'), ['SELECT 1;']);
    await findText(page, 'first').focus();
    await page.keyboard.press('ControlOrMeta+z');
    await expectLines(findText(page, 'first'), ['SELECT 1']);
    await page.getByRole('button', { name: 'Close Query 1' }).click();
    await page.getByText('is only in this browser').waitFor();
    await visit(page, 'editor-close');
    await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
    await page.getByRole('link', { name: 'Query 1' }).waitFor({ state: 'detached' });
    await typeAtEnd(page, findText(page, 'first'), ' -- changed');
    await page.getByRole('button', { name: 'Close first' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save as…' }).click();
    const saving = page.getByRole('dialog', { name: 'Save as a script' });
    await saving.getByLabel('Name').fill('second');
    await saving.getByRole('button', { name: 'Save' }).click();
    // The path in the tool bar is a link, too.
    await page.getByRole('link', { name: /^first/ }).waitFor({ state: 'detached' });
    expect(await page.getByRole('link', { name: /^second/ }).count()).toBe(0);
    expect(await readContent(admin, '@Shared/second')).toBe('SELECT 1 -- changed');
    expect(await readContent(admin, '@Shared/first')).toBe('SELECT 1');
    await page.goto(`${server.url}/sql/query-1`);
    await page.getByRole('heading', { name: 'There is no such query' }).waitFor();
    await visit(page, 'editor-no-query');
    expect(complaints).toEqual([]);
  });

  it('saves a query as a script, with the keyboard alone', async () => {
    const { server, admin } = shared;
    await admin.make('folders', '@Shared/reports');
    const { page, complaints } = await openEditor(server.url, 'ada');
    await findText(page, 'Query 1').waitFor();
    await page.keyboard.type('SELECT 7');
    await page.keyboard.press('ControlOrMeta+s');
    const dialog = page.getByRole('dialog', { name: 'Save as a script' });
    await waitForFocus(dialog.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.type('seven');
    await visit(page, 'editor-save-as');
    await page.keyboard.press('Tab');
    const folders = dialog.getByRole('tree', { name: 'In the folder' });
    await waitForFocus(folders);
    const target = folders.getByRole('treeitem', { name: '@Shared' });
    await target.waitFor();
    await page.keyboard.type('@Shared');
    await page.keyboard.press('Enter');
    await expect.poll(() => target.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Tab');
    await waitForFocus(dialog.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Tab');
    await waitForFocus(dialog.getByRole('button', { name: 'Save' }));
    await page.keyboard.press('Enter');
    await page.getByText('Saved seven').waitFor();
    expect(page.url()).toBe(`${server.url}/sql/@Shared/seven`);
    expect(await readContent(admin, '@Shared/seven')).toBe('SELECT 7');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(complaints).toEqual([]);
  });

  it('shows a script read-only to those who may only view it', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/rules', { content: 'SELECT 1' });
    const { page, complaints } = await openEditor(server.url, 'vic', '@Shared/rules');
    const text = findText(page, 'rules');
    await page.getByText('Read-only: you may view this script, but not edit it').waitFor();
    await text.focus();
    await page.keyboard.type('DROP');
    await expectLines(text, ['SELECT 1']);
    expect(await text.getAttribute('aria-readonly')).toBe('true');
    await visit(page, 'editor-read-only');
    expect(complaints).toEqual([]);
  });

  it('offers only folders that the person may change, and those on the way to them', async () => {
    const { server, admin } = shared;
    for (const path of [
      '@Shared/readable',
      '@Shared/readable/writable',
      '@Shared/readable/hidden',
      '@Shared/hidden',
    ])
      await admin.make('folders', path);
    for (const path of ['@Shared/readable', '@Shared/hidden']) {
      await runQuern(server.cwd, `grant restrict ${path}`);
      await runQuern(server.cwd, `grant add user:ada view ${path}`);
    }
    await runQuern(server.cwd, 'grant add user:ada edit @Shared/readable/writable');
    const { page, complaints } = await openEditor(server.url, 'ada');
    await typeAtEnd(page, findText(page, 'Query 1'), 'SELECT 1');
    await page.keyboard.press('ControlOrMeta+s');
    const dialog = page.getByRole('dialog', { name: 'Save as a script' });
    await dialog.getByLabel('Name').fill('one');
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    await expect.poll(() => save.isEnabled()).toBe(true);
    await dialog.getByRole('treeitem', { name: '@Shared' }).click();
    await page.keyboard.press('ArrowRight');
    const way = dialog.getByRole('treeitem', { name: 'readable' });
    await way.getByText('readable').click();
    expect(await way.getAttribute('aria-disabled')).toBe('true');
    expect(await way.getAttribute('aria-selected')).toBe('false');
    await visit(page, 'editor-save-way');
    expect(await dialog.getByRole('treeitem', { name: 'hidden', exact: true }).count()).toBe(0);
    await dialog.getByRole('treeitem', { name: 'writable' }).getByText('writable').click();
    await dialog.getByText('@Shared/readable/writable').waitFor();
    await save.click();
    await page.waitForURL('**/@Shared/readable/writable/one');
    expect(complaints).toEqual([]);
  });

  it('offers a VIEWER no place to save', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'vic');
    await typeAtEnd(page, findText(page, 'Query 1'), 'SELECT 1');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByRole('button', { name: 'Close Query 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Close Query 1?' });
    await dialog.getByRole('button', { name: 'Close it' }).waitFor();
    expect(await page.getByRole('button', { name: /^Save/, includeHidden: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says that an item is missing or has no text', async () => {
    const { server, admin } = shared;
    await admin.make('folders', '@Shared/folder');
    const { page } = await openEditor(server.url, 'ada', '@Shared/missing');
    await page.getByRole('heading', { name: 'There is no such item' }).waitFor();
    await visit(page, 'editor-missing');
    await page.goto(`${server.url}/sql/@Shared/folder`);
    await page.getByRole('heading', { name: 'Folder: folder' }).waitFor();
    await visit(page, 'editor-folder');
  });

  it('opens and saves a script of 15 MB', async () => {
    const { server, admin } = shared;
    const line = `-- ${'x'.repeat(96)}\n`;
    const content = line.repeat(157_000);
    await admin.make('assets', '@Shared/long', { content });
    const { page, complaints } = await openEditor(server.url, 'ada', '@Shared/long');
    const text = findText(page, 'long');
    await text.waitFor();
    await typeAtEnd(page, text, 'SELECT 1');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved long').waitFor();
    expect((await readContent(admin, '@Shared/long'))?.slice(-12)).toBe('xxx\nSELECT 1');
    expect(complaints).toEqual([]);
  });
});
