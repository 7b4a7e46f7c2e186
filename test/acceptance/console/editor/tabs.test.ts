import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { waitForFocus } from '../browser.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { expectKept, expectLines, findText, openEditor, readContent, typeAtEnd } from './open-editor.ts';

const shared = shareConsole({ ada: {} });

const findStrip = (page: Page) => page.getByRole('navigation', { name: 'Open texts' });
const findTab = (page: Page, name: string) => findStrip(page).getByRole('link', { name, exact: true });
const expectTabs = (page: Page, names: readonly string[]) =>
  expect.poll(() => findStrip(page).getByRole('link').allInnerTexts()).toEqual(names);

/** Opens the editor with so many queries; each contains its number. */
async function openQueries(count: number): Promise<Awaited<ReturnType<typeof openEditor>>> {
  const tab = await openEditor(shared.server.url, 'ada');
  for (let number = 1; number <= count; number += 1) {
    if (number > 1) await tab.page.getByRole('button', { name: 'New query' }).click();
    await typeAtEnd(tab.page, findText(tab.page, `Query ${number}`), `SELECT ${number}`);
  }
  return tab;
}

async function chooseInMenu(page: Page, tab: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${tab}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe.skipIf(chromiumPath === null)('the tabs of the editor', () => {
  it('have names that one gives to queries, which a reload keeps', async () => {
    const { page, complaints } = await openQueries(2);
    await findTab(page, 'Query 1').dblclick();
    const dialog = page.getByRole('dialog', { name: /^Rename Query/ });
    const name = dialog.getByLabel('Name');
    await waitForFocus(name);
    const rename = dialog.getByRole('button', { name: 'Rename' });
    for (const [bad, message] of [
      ['', 'Enter a name'],
      ['\u200b', 'Enter a name'],
      ['x'.repeat(300), 'A name has at most 255 characters; this one has 300'],
      [' Query 2 ', 'Another open query has this name: choose a different one'],
    ] as const) {
      await name.fill(bad);
      await rename.click();
      await dialog.getByText(message).waitFor();
    }
    await visit(page, 'editor-rename');
    await name.fill('Query 3');
    await rename.click();
    await page.getByRole('button', { name: 'New query' }).click();
    await expectTabs(page, ['Query 3', 'Query 2', 'Query 4']);
    await page.getByRole('button', { name: 'Close Query 4' }).click();
    await findTab(page, 'Query 3').dblclick();
    await name.fill(' Delays of <b>June</b> ');
    await rename.click();
    await expectTabs(page, ['Delays of <b>June</b>', 'Query 2']);
    await findText(page, 'Delays of <b>June</b>').waitFor();
    await expectKept(page, 'SELECT 2');
    await page.reload();
    await expectTabs(page, ['Delays of <b>June</b>', 'Query 2']);
    await page.keyboard.press('ControlOrMeta+s');
    const saving = page.getByRole('dialog', { name: 'Save as a script' });
    expect(await saving.getByLabel('Name').inputValue()).toBe('Delays of <b>June</b>');
    expect(complaints).toEqual([]);
  });

  it('keep the names of queries of a closed tab of the browser', async () => {
    const { page } = await openQueries(1);
    await chooseInMenu(page, 'Query 1', 'Rename…');
    await page.getByRole('dialog').getByLabel('Name').fill('mine');
    await page.keyboard.press('Enter');
    await expectTabs(page, ['mine']);
    await expectKept(page, 'SELECT 1');
    await page.close();
    const next = await page.context().newPage();
    await next.goto(`${shared.server.url}/sql`);
    await expectLines(findText(next, 'mine'), ['SELECT 1']);
  });

  it('are moved by the pointer, by keys and by the menu, and neither a reload nor an address moves them', async () => {
    const { admin, server } = shared;
    await admin.make('assets', '@Shared/placed', { content: 'SELECT 9' });
    const { page, complaints } = await openQueries(3);
    const [first, third] = [findTab(page, 'Query 1'), findTab(page, 'Query 3')];
    await third.dragTo(first, { targetPosition: { x: 2, y: 8 } });
    await expectTabs(page, ['Query 3', 'Query 1', 'Query 2']);
    await findText(page, 'Query 3').focus();
    await page.keyboard.press('ControlOrMeta+Shift+PageDown');
    await expectTabs(page, ['Query 1', 'Query 3', 'Query 2']);
    await page.keyboard.press('ControlOrMeta+Shift+PageUp');
    await page.keyboard.press('ControlOrMeta+Shift+PageUp');
    await expectTabs(page, ['Query 3', 'Query 1', 'Query 2']);
    await chooseInMenu(page, 'Query 3', 'Move to the right');
    await expectTabs(page, ['Query 1', 'Query 3', 'Query 2']);
    await visit(page, 'editor-tabs');
    await expectKept(page, 'SELECT 3');
    await page.reload();
    await expectTabs(page, ['Query 1', 'Query 3', 'Query 2']);
    await page.goto(`${server.url}/sql/query-2`);
    await findText(page, 'Query 2').waitFor();
    await expectTabs(page, ['Query 1', 'Query 3', 'Query 2']);
    await page.goto(`${server.url}/sql/@Shared/placed`);
    await expectLines(findText(page, 'placed'), ['SELECT 9']);
    await typeAtEnd(page, findText(page, 'placed'), '!');
    await expectKept(page, 'SELECT 9!');
    await findTab(page, 'Query 1').click();
    await page.reload();
    await expect
      .poll(async () =>
        (await findStrip(page).getByRole('link').allInnerTexts()).map((text) => text.slice(0, 7)),
      )
      .toEqual(['Query 1', 'Query 3', 'Query 2', 'placed']);
    expect(complaints).toEqual([]);
  });

  it('are one stop of the Tab key, and arrow keys move between them', async () => {
    const { page, complaints } = await openQueries(3);
    const strip = findStrip(page);
    const focusable = 'a:not([tabindex="-1"]), button:not([tabindex="-1"])';
    expect(await strip.locator(focusable).count()).toBe(1);
    await findTab(page, 'Query 3').focus();
    await page.keyboard.press('ArrowLeft');
    await waitForFocus(findTab(page, 'Query 2'));
    expect(await strip.locator(focusable).count()).toBe(1);
    await page.keyboard.press('Home');
    await waitForFocus(findTab(page, 'Query 1'));
    await page.keyboard.press('ArrowLeft');
    await waitForFocus(page.getByRole('button', { name: 'Actions for Query 3' }));
    await page.keyboard.press('ArrowLeft');
    await waitForFocus(page.getByRole('button', { name: 'New query' }));
    await page.keyboard.press('Tab');
    await expect.poll(() => strip.locator(':focus').count()).toBe(0);
    await findTab(page, 'Query 2').focus();
    await page.keyboard.press('F2');
    await page.getByRole('dialog', { name: 'Rename Query 2' }).waitFor();
    await page.keyboard.press('Escape');
    await findTab(page, 'Query 2').focus();
    await page.keyboard.press('Delete');
    await page
      .getByRole('dialog', { name: 'Close Query 2?' })
      .getByRole('button', { name: 'Close it' })
      .click();
    await expectTabs(page, ['Query 1', 'Query 3']);
    expect(complaints).toEqual([]);
  });

  it('close by the middle button, and the last ten closed texts can be reopened', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    await chooseInMenu(page, 'Query 1', 'Rename…');
    await page.getByRole('dialog').getByLabel('Name').fill('first');
    await page.keyboard.press('Enter');
    await typeAtEnd(page, findText(page, 'first'), 'SELECT 1');
    for (let number = 2; number <= 12; number += 1) {
      await page.getByRole('button', { name: 'New query' }).click();
      await typeAtEnd(page, findText(page, `Query ${number}`), `SELECT ${number}`);
    }
    const close = page.getByRole('dialog').getByRole('button', { name: 'Close it' });
    for (let number = 12; number >= 2; number -= 1) {
      await findTab(page, `Query ${number}`).click({ button: 'middle' });
      await close.click();
      await findTab(page, `Query ${number}`).waitFor({ state: 'detached' });
    }
    await findTab(page, 'first').click({ button: 'middle' });
    await close.click();
    await expectTabs(page, ['Query 13']);
    expect(page.context().pages().length).toBe(1);
    await page.reload();
    await findText(page, 'Query 13').waitFor();
    await page.keyboard.press('Shift+Alt+O');
    await expectLines(findText(page, 'first'), ['SELECT 1']);
    await chooseInMenu(page, 'first', 'Reopen closed text');
    await expectLines(findText(page, 'Query 2'), ['SELECT 2']);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search pages, commands and the catalog' }).fill('reopen');
    await page.getByRole('option', { name: 'Reopen closed text' }).click();
    await expectLines(findText(page, 'Query 3'), ['SELECT 3']);
    for (let number = 4; number <= 10; number += 1) {
      await page.keyboard.press('Shift+Alt+O');
      await findText(page, `Query ${number}`).waitFor();
    }
    await page.keyboard.press('Shift+Alt+O');
    await page.getByText('This browser keeps no closed text').waitFor();
    // The reopened texts are kept again.
    await expectKept(page, 'SELECT 10');
    await page.reload();
    await findTab(page, 'first').click();
    await expectLines(findText(page, 'first'), ['SELECT 1']);
    expect(complaints).toEqual([]);
  });

  it('reopen a script with the changes that were not saved, also while it is open', async () => {
    const { admin, server } = shared;
    await admin.make('assets', '@Shared/closing', { content: 'SELECT 1' });
    const { page, complaints } = await openEditor(server.url, 'ada', '@Shared/closing');
    await typeAtEnd(page, findText(page, 'closing'), ' + 1');
    const close = async () => {
      await page.getByRole('button', { name: 'Close closing' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
      await findText(page, 'Query 1').waitFor();
    };
    await close();
    await page.keyboard.press('Shift+Alt+O');
    await expectLines(findText(page, 'closing'), ['SELECT 1 + 1']);
    await page.getByText('Your unsaved changes are back').waitFor();
    await close();
    await page.goto(`${server.url}/sql/@Shared/closing`);
    await expectLines(findText(page, 'closing'), ['SELECT 1']);
    await page.keyboard.press('Shift+Alt+O');
    await expectLines(findText(page, 'Query 2'), ['SELECT 1 + 1']);
    expect(await readContent(admin, '@Shared/closing')).toBe('SELECT 1');
    expect(complaints).toEqual([]);
  });

  it('are forgotten with all texts of this browser, on the profile', async () => {
    const { page, complaints } = await openQueries(2);
    await page.getByRole('button', { name: 'Close Query 2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
    await expectTabs(page, ['Query 1']);
    await expectKept(page, 'SELECT 1');
    await page.getByRole('button', { name: 'Profile menu of ada' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.getByRole('button', { name: 'Forget my texts in this browser' }).click();
    const dialog = page.getByRole('dialog', { name: 'Forget your texts in this browser?' });
    await dialog.getByText('are lost').waitFor();
    await visit(page, 'profile-forget');
    await dialog.getByRole('button', { name: 'Forget them' }).click();
    await page.getByText('Forgot your texts in this browser').waitFor();
    await page.goto(`${shared.server.url}/sql`);
    await expectLines(findText(page, 'Query 1'), ['']);
    await page.keyboard.press('Shift+Alt+O');
    await page.getByText('This browser keeps no closed text').waitFor();
    await expectTabs(page, ['Query 1']);
    expect(complaints).toEqual([]);
  });
});
