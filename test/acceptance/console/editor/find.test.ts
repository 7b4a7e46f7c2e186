import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { waitForFocus } from '../browser.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { expectLines, findText, openEditor, typeAtEnd } from './open-editor.ts';

const shared = shareConsole({ ada: {}, vic: { role: 'VIEWER' } });

const findPanel = (page: Page) => page.getByRole('search', { name: 'Find and replace in the text' });
const findField = (page: Page) => findPanel(page).getByRole('textbox', { name: 'Find' });
const press = (page: Page, name: string) =>
  findPanel(page).getByRole('button', { name, exact: true }).click();
const expectCount = (page: Page, text: string) =>
  expect.poll(() => findPanel(page).getByRole('status').textContent()).toBe(text);

describe.skipIf(chromiumPath === null)('the search in a text', () => {
  it('counts matches and goes from one to the next, by case, word and regular expression', async () => {
    const content = Array.from({ length: 17 }, (_, at) => `Cat${at === 2 ? '' : at} catalog;`).join('\n');
    await shared.admin.make('assets', '@Shared/cats', { content });
    const { page, complaints } = await openEditor(shared.server.url, 'ada', '@Shared/cats');
    const text = findText(page, 'cats');
    await text.focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('ControlOrMeta+f');
    await waitForFocus(findField(page));
    await page.keyboard.type('cat');
    await expectCount(page, '34 matches');
    await press(page, 'Match case');
    await expectCount(page, '17 matches');
    await findField(page).focus();
    await page.keyboard.press('Enter');
    await expectCount(page, '1 of 17');
    await page.keyboard.press('Enter');
    await page.keyboard.press('F3');
    await expectCount(page, '3 of 17');
    await visit(page, 'editor-find');
    await page.keyboard.press('Shift+Enter');
    await expectCount(page, '2 of 17');
    await press(page, 'Next match');
    await expectCount(page, '3 of 17');
    await press(page, 'Match case');
    await press(page, 'Whole word');
    await expectCount(page, '1 match');
    await press(page, 'Whole word');
    await press(page, 'Regular expression');
    await findField(page).fill('cat\\d(');
    await expectCount(page, 'This is not a regular expression: Unterminated group');
    expect(await findField(page).getAttribute('aria-invalid')).toBe('true');
    await visit(page, 'editor-find-invalid');
    await findField(page).fill('cat(1\\d)');
    await expectCount(page, '7 matches');
    await findField(page).press('Escape');
    await findPanel(page).waitFor({ state: 'detached' });
    await waitForFocus(text);
    expect(complaints).toEqual([]);
  });

  it('replaces one match, or all, as they are typed', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    const text = findText(page, 'Query 1');
    await typeAtEnd(page, text, "SELECT 'a\\n', 'a\\n', 'a\\n'");
    await page.keyboard.press('ControlOrMeta+f');
    await findField(page).fill('a\\n');
    await expectCount(page, '3 matches');
    const replacement = findPanel(page).getByRole('textbox', { name: 'Replace with' });
    await replacement.fill('$1');
    await replacement.press('Enter');
    await replacement.press('Enter');
    await expectLines(text, ["SELECT '$1', 'a\\n', 'a\\n'"]);
    await press(page, 'Replace all');
    await expectLines(text, ["SELECT '$1', '$1', '$1'"]);
    await expectCount(page, 'No match');
    expect(complaints).toEqual([]);
  });

  it('counts up to 10,000 matches, and again when the text changes', async () => {
    await shared.admin.make('assets', '@Shared/commas', { content: `${','.repeat(100)}\n`.repeat(120) });
    const { page, complaints } = await openEditor(shared.server.url, 'ada', '@Shared/commas');
    const text = findText(page, 'commas');
    await text.focus();
    await page.keyboard.press('ControlOrMeta+f');
    await findField(page).fill(',');
    await expectCount(page, '10,000+ matches');
    await text.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('a, b');
    await expectCount(page, '1 match');
    expect(complaints).toEqual([]);
  });

  it('offers no replacement in a text that cannot be changed', async () => {
    await shared.admin.make('assets', '@Shared/fixed', { content: 'SELECT 1' });
    const { page, complaints } = await openEditor(shared.server.url, 'vic', '@Shared/fixed');
    await page.getByText('Read-only: you may view this script').waitFor();
    await findText(page, 'fixed').focus();
    await page.keyboard.press('ControlOrMeta+f');
    await findField(page).fill('select');
    await expectCount(page, '1 match');
    expect(await findPanel(page).getByRole('textbox').count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});
