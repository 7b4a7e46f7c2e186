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

const COMMANDS = `Catalog
SQL
Administration
Bin
Profile
API keys
Create an API key
Reopen closed text
Theme: Light
Theme: Dark
Theme: System
Sign out`;

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

  it('has the commands of the palette', async () => {
    const { page, complaints } = await openAs(shared.server.url, 'admin', '/catalog/');
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Search/ })
      .click();
    const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await options.first().waitFor();
    expect((await options.allInnerTexts()).join('\n')).toBe(COMMANDS);
    expect(complaints).toEqual([]);
  });
});
