import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { openAs } from './browser.ts';
import { shareConsole } from './console.ts';
import { findText } from './editor/open-editor.ts';
import { visit } from './visit.ts';

const shared = shareConsole({ ada: {} });

const SHORTCUTS = `Open the command palette: Ctrl K
List the shortcuts: ?
Go to the next part of the page: F6
Go to the previous part of the page: Shift F6
Run the selection, or the statement at the cursor: Ctrl Enter
Run all: Ctrl Shift Enter
Run the block at the cursor: Alt Enter
Save: Ctrl S
Find and replace: Ctrl F
Format the SQL: Shift Alt F
Complete a name: Ctrl Space
Go to the definition: F12
Go to the next problem: F8
Replace a name by the suggested one: Ctrl .
Leave the text: Escape Tab
Move the text to the left: Ctrl Shift PageUp
Move the text to the right: Ctrl Shift PageDown
Reopen the text that was closed last: Shift Alt O
Rename the query that has the focus: F2
Close the text that has the focus: Delete
Show the whole value of the cell: Enter
Copy the selected cells: Ctrl C
Go to the last row: Ctrl End
Open a folder: →
Close a folder: ←`;

/** What the palette offers above a text, with its keys; other pages have the same without the commands of the text. */
const COMMANDS = `Open texts: Query 1
Pages: Catalog
Pages: SQL
Pages: Administration
Pages: Administration: Users
Pages: Administration: Groups
Pages: Administration: Permissions
Pages: Administration: Connections
Pages: Administration: Single sign-on
Pages: Administration: Provisioning
Pages: Administration: API keys
Pages: Administration: Audit
Pages: Administration: Server
Pages: Administration: Settings
Pages: Bin
Pages: Profile
Pages: API keys
Commands: Run the selection, or the statement at the cursor: Ctrl Enter
Commands: Run all: Ctrl Shift Enter
Commands: Run the block at the cursor: Alt Enter
Commands: Save: Ctrl S
Commands: Find and replace: Ctrl F
Commands: Format the SQL: Shift Alt F
Commands: Go to the definition: F12
Commands: Go to the next problem: F8
Commands: Replace a name by the suggested one: Ctrl .
Commands: List the shortcuts: ?
Commands: Create an API key
Commands: Reopen closed text: Shift Alt O
Commands: Theme: Light
Commands: Theme: Dark
Commands: Theme: System
Commands: Sign out`;

describe.skipIf(chromiumPath === null)('the keyboard', () => {
  it('has the shortcuts that ? lists, outside of texts', async () => {
    const { page, complaints } = await openAs(shared.server.url, 'ada', '/sql/');
    const text = findText(page, 'Query 1');
    await text.focus();
    await page.keyboard.type('?');
    await expect.poll(() => text.innerText()).toContain('?');
    const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
    expect(await dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'New query' }).focus();
    await page.keyboard.type('?');
    await dialog.waitFor();
    const rows = await dialog.getByRole('row').all();
    const cells = await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
    expect(cells.map((row) => row.join(': ')).join('\n')).toBe(SHORTCUTS);
    await visit(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('has the commands of the palette, which are all entries without a search', async () => {
    const { page, complaints } = await openAs(shared.server.url, 'admin', '/sql/');
    await findText(page, 'Query 1').waitFor();
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Search/ })
      .click();
    const results = page.getByRole('listbox', { name: 'Results' });
    await results.getByRole('option', { name: 'Query 1' }).waitFor();
    const groups = await results.getByRole('group').all();
    const rows = await Promise.all(
      groups.map(async (group) => {
        const name = await group.getAttribute('aria-label');
        const options = await group.getByRole('option').allInnerTexts();
        return options.map((option) => `${name}: ${option.replace('\n', ': ')}`);
      }),
    );
    expect(rows.flat().join('\n')).toBe(COMMANDS);
    await visit(page, 'palette-editor');
    expect(complaints).toEqual([]);
  });

  it('does what the palette runs by the same keys', async () => {
    const { page, complaints } = await openAs(shared.server.url, 'ada', '/sql/');
    const text = findText(page, 'Query 1');
    await text.focus();
    await page.keyboard.type('select 6 * 7 as answer');
    const choose = async (label: string) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill(label);
      await page.getByRole('option', { name: label }).click();
    };
    await choose('Format the SQL');
    await expect.poll(() => text.innerText()).toContain('select\n    6 * 7');
    await choose('Run all');
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    await choose('Find and replace');
    await page.getByRole('textbox', { name: 'Find' }).waitFor();
    await page.keyboard.press('Escape');
    await choose('List the shortcuts');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
