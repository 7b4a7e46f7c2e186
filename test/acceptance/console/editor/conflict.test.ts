import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { makeAdminHome, runQuern, serve } from '../../../support/server.ts';
import { setPassword, shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import {
  expectKept,
  expectLines,
  findText,
  openEditor,
  readContent,
  saveElsewhere,
  typeAtEnd,
} from './open-editor.ts';

const shared = shareConsole({ ada: {}, bob: {} });

describe.skipIf(chromiumPath === null)('a text that others change, too', () => {
  it('is merged when two browsers have changed it', async () => {
    const { server, admin } = shared;
    const path = '@Shared/both';
    await admin.make('assets', path, { content: 'SELECT a\nFROM t\nLIMIT 1\n' });
    const ada = await openEditor(server.url, 'ada', path);
    const bob = await openEditor(server.url, 'bob', path);
    await typeAtEnd(ada.page, findText(ada.page, 'both'), '-- ada');
    await findText(bob.page, 'both').focus();
    await bob.page.keyboard.press('ControlOrMeta+Home');
    await bob.page.keyboard.type('-- bob\n');
    await bob.page.keyboard.press('ControlOrMeta+s');
    await bob.page.getByText('Saved both').waitFor();
    await findText(ada.page, 'both').focus();
    await ada.page.keyboard.press('ControlOrMeta+s');
    const { page } = ada;
    await page.getByText(/^bob saved version 2/).waitFor();
    await expectLines(page.getByRole('textbox', { name: 'Text of the other user' }), [
      '-- bob',
      'SELECT a',
      'FROM t',
      'LIMIT 1',
      '',
    ]);
    await visit(page, 'editor-merge');
    await page.getByRole('button', { name: 'Take this change of the other user' }).first().click();
    const mine = page.getByRole('textbox', { name: 'Your text' });
    await expectLines(mine, ['-- bob', 'SELECT a', 'FROM t', 'LIMIT 1', '-- ada']);
    await page.getByRole('button', { name: 'Save the merged text' }).click();
    await page.getByText('Saved both').waitFor();
    expect(await readContent(admin, path)).toBe('-- bob\nSELECT a\nFROM t\nLIMIT 1\n-- ada');
    await expectLines(findText(page, 'both'), ['-- bob', 'SELECT a', 'FROM t', 'LIMIT 1', '-- ada']);
    expect([...ada.complaints, ...bob.complaints]).toEqual([]);
  });

  it('is not overwritten when a kept text is older than the catalog', async () => {
    const { server, admin } = shared;
    const path = '@Shared/older';
    await admin.make('assets', path, { content: 'SELECT 1' });
    const { page, complaints } = await openEditor(server.url, 'ada', path);
    await typeAtEnd(page, findText(page, 'older'), ' AS mine');
    await expectKept(page, 'AS mine');
    await saveElsewhere(admin, path, 'SELECT 2');
    await page.reload();
    await page.getByText(/^admin saved version 2 .*Your changes are not in it/).waitFor();
    await expectLines(findText(page, 'older'), ['SELECT 1 AS mine']);
    await visit(page, 'editor-newer');
    await page.getByRole('button', { name: 'Compare and merge' }).click();
    await expectLines(page.getByRole('textbox', { name: 'Text of the other user' }), ['SELECT 2']);
    await page.getByRole('button', { name: 'Back to your text' }).click();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText(/^admin saved version 2/).waitFor();
    expect(await readContent(admin, path)).toBe('SELECT 2');
    expect(complaints).toEqual([]);
  });

  it('follows the catalog while it is unchanged', async () => {
    const { server, admin } = shared;
    const path = '@Shared/followed';
    await admin.make('assets', path, { content: 'SELECT 1' });
    const { page } = await openEditor(server.url, 'ada', path);
    await expectLines(findText(page, 'followed'), ['SELECT 1']);
    await saveElsewhere(admin, path, 'SELECT 2');
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await expectLines(findText(page, 'followed'), ['SELECT 2']);
  });

  it('stays when another user deletes the script, and is saved as a new one', async () => {
    const { server, admin } = shared;
    const path = '@Shared/deleted';
    await admin.make('assets', path, { content: 'SELECT 1' });
    const { page } = await openEditor(server.url, 'ada', path);
    await typeAtEnd(page, findText(page, 'deleted'), ' + 1');
    const { headers } = await admin.read(path);
    expect((await admin.remove('assets', path, String(headers.etag))).status).toBe(204);
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('This script does not exist any more').waitFor();
    await visit(page, 'editor-gone');
    await expectKept(page, 'SELECT 1 + 1');
    await page.reload();
    await page.getByText('This script does not exist any more').waitFor();
    await expectLines(findText(page, 'deleted'), ['SELECT 1 + 1']);
    await page.getByRole('button', { name: 'Save as…' }).first().click();
    await page.getByLabel('Name').fill('deleted-again');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved deleted-again').waitFor();
    expect(await readContent(admin, '@Shared/deleted-again')).toBe('SELECT 1 + 1');
  });

  it('has both texts when two tabs of a browser change it', async () => {
    const { server, admin } = shared;
    const path = '@Shared/twice';
    await admin.make('assets', path, { content: 'SELECT 1\n' });
    const { page } = await openEditor(server.url, 'ada', path);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await typeAtEnd(page, findText(page, 'twice'), '-- one');
    await other.getByText('Another tab of this browser has changes').waitFor();
    await typeAtEnd(other, findText(other, 'twice'), '-- two');
    await expectKept(page, '-- one');
    await expectKept(page, '-- two');
    await page.reload();
    await expectLines(findText(page, 'twice'), ['SELECT 1', '-- one']);
    await other.reload();
    await expectLines(findText(other, 'twice'), ['SELECT 1', '-- two']);
    await findText(page, 'twice').focus();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved twice').waitFor();
    await other.getByText('Another tab of this browser has changes').waitFor({ state: 'detached' });
    await findText(other, 'twice').focus();
    await other.keyboard.press('ControlOrMeta+s');
    await other.getByText(/^ada saved version 2/).waitFor();
  });
});

describe.skipIf(chromiumPath === null)('a text while the server or the session is away', () => {
  it('stays while the server restarts, and is saved afterwards', async () => {
    const { cwd } = await makeAdminHome();
    await setPassword(cwd, 'admin');
    const first = await serve(cwd);
    const { port } = new URL(first.url);
    const { page } = await openEditor(first.url, 'admin');
    await typeAtEnd(page, findText(page, 'Query 1'), 'SELECT 1');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByLabel('Name').fill('restarted');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved restarted').waitFor();
    const text = findText(page, 'restarted');
    await typeAtEnd(page, text, ' + 1');
    await first.stop();
    await page.keyboard.type(' + 2');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('The script was not saved, and your text is still here').waitFor();
    await visit(page, 'editor-unreachable');
    await typeAtEnd(page, text, ' + 3');
    const second = await serve(cwd, ['--port', port]);
    await page.getByText('connects again').waitFor({ state: 'detached' });
    await page.getByText('The script was not saved').waitFor({ state: 'detached' });
    await expectLines(text, ['SELECT 1 + 1 + 2 + 3']);
    await page.getByRole('link', { name: 'restarted (not saved)' }).waitFor({ state: 'detached' });
    await second.kill();
  });

  it('stays when the permission to edit is withdrawn, and can be saved when it is back', async () => {
    const { server, admin } = shared;
    await admin.make('folders', '@Shared/kept');
    await admin.make('assets', '@Shared/kept/withdrawn', { content: 'SELECT 1' });
    await runQuern(server.cwd, 'grant restrict @Shared/kept');
    const grant = { subject: 'user:bob', target: '@Shared/kept' };
    const allow = (level: string) => admin.send('PUT', '/manage/grants', { body: { ...grant, level } });
    expect((await allow('EDIT')).status).toBe(200);
    const { page } = await openEditor(server.url, 'bob', '@Shared/kept/withdrawn');
    const text = findText(page, 'withdrawn');
    await typeAtEnd(page, text, ' + 1');
    expect((await allow('VIEW')).status).toBe(200);
    await page.keyboard.press('ControlOrMeta+s');
    const notice = page.getByText('You may no longer edit this script. Your changes are still here');
    await notice.waitFor();
    await expectLines(text, ['SELECT 1 + 1']);
    expect(await page.getByText('The script was not saved').count()).toBe(0);
    await visit(page, 'editor-withdrawn');
    expect((await allow('EDIT')).status).toBe(200);
    await expect
      .poll(async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
        return notice.count();
      })
      .toBe(0);
    await text.focus();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved withdrawn').waitFor();
    expect(await readContent(admin, '@Shared/kept/withdrawn')).toBe('SELECT 1 + 1');
  });

  it('stays when the session ends in another tab', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/session', { content: 'SELECT 1' });
    const { page } = await openEditor(server.url, 'bob', '@Shared/session');
    await typeAtEnd(page, findText(page, 'session'), ' + 1');
    const other = await page.context().newPage();
    await other.goto(`${server.url}/catalog/`);
    await other.getByRole('button', { name: 'Profile menu' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await expectLines(findText(page, 'session'), ['SELECT 1 + 1']);
  });
});
