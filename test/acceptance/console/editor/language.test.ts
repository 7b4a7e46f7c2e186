import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { quern } from '../../../support/quern.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { expectLines, findCompletion, findText, openEditor, typeAtEnd } from './open-editor.ts';

const shared = shareConsole({ ada: {} });

const MANIFEST = `[general]
name = "acme.io/shop"
version = "1.0.0"
[environment]
default = "here"
[environment.here]
connection = { name = "duckdb" }
`;
const BLOCKS = `-- Orders of at least this total.
#+src sql Orders(least = 0)
#+begin
SELECT 1 AS id, 20 AS total
#+end
`;

/** Creates a project with blocks, and an empty script that `open` shows. */
async function openShop(name: string, content = ''): Promise<Awaited<ReturnType<typeof openEditor>>> {
  const { server, admin } = shared;
  const folder = `@Shared/${name}`;
  await admin.make('folders', folder);
  await admin.make('folders', `${folder}/base`);
  await admin.make('assets', `${folder}/project.toml`, { content: MANIFEST.replace('shop', name) });
  await admin.make('assets', `${folder}/base/blocks`, { content: BLOCKS });
  await admin.make('assets', `${folder}/report`, { content: content || '\n' });
  return openEditor(server.url, 'ada', `${folder}/report`);
}

describe.skipIf(chromiumPath === null)('the language support of the editor', () => {
  it('shows diagnostics as one types, and replaces a mistyped name', async () => {
    const { page, complaints } = await openShop('typing', '#+import "acme.io/typing/base"\n');
    const text = findText(page, 'report');
    await typeAtEnd(page, text, 'SELECT * FROM {{ base.Order() }}');
    await page.keyboard.press('Escape');
    const error = page.locator('.cm-lintRange-error');
    await error.waitFor();
    expect(await error.textContent()).toBe('Order');
    await error.hover();
    const tooltip = page.locator('.cm-tooltip-lint');
    await tooltip.getByText('has no `Order`, did you mean `Orders`?').waitFor();
    await visit(page, 'editor-diagnostic');
    await page.mouse.move(0, 0);
    await error.hover();
    await page.getByRole('button', { name: 'Replace with Orders' }).click();
    await expectLines(text, ['#+import "acme.io/typing/base"', 'SELECT * FROM {{ base.Orders() }}']);
    await expect.poll(() => error.count()).toBe(0);
    await text.focus();
    await page.keyboard.press('ControlOrMeta+z');
    await error.waitFor();
    await page.keyboard.press('F8');
    await tooltip.getByText('did you mean `Orders`?').waitFor();
    await page.keyboard.press('ControlOrMeta+.');
    await expectLines(text, ['#+import "acme.io/typing/base"', 'SELECT * FROM {{ base.Orders() }}']);
    expect(complaints).toEqual([]);
  });

  it('underlines each SQL syntax error as one types, on the connection of the project', async () => {
    const { page, complaints } = await openShop('mistaken');
    const text = findText(page, 'report');
    await typeAtEnd(page, text, 'SELECT 1 2;\nSELECT * FROM nowhere;\nSELECT 3 4');
    await page.keyboard.press('Escape');
    const errors = page.locator('.cm-lintRange-error');
    await expect.poll(() => errors.allTextContents()).toEqual(['2', '4']);
    await errors.first().hover();
    await page.locator('.cm-tooltip-lint').getByText('syntax error at or near "2"').waitFor();
    await visit(page, 'editor-sql-syntax');
    await text.focus();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.press('Backspace');
    await expect.poll(() => errors.allTextContents()).toEqual(['2']);
    expect(complaints).toEqual([]);
  });

  it('completes imports, blocks, tables and columns', async () => {
    const { exitCode } = await quern(['sql', 'CREATE TABLE customers (id INTEGER, full_name TEXT)'], {
      cwd: shared.server.cwd,
    });
    expect(exitCode).toBe(0);
    const { page, complaints } = await openShop('completing');
    const text = findText(page, 'report');
    await typeAtEnd(page, text, '#+import "acme.io/completing/b');
    await findCompletion(page, 'acme.io/completing/base').click();
    await page.keyboard.type('"\nSELECT c.fu');
    await page.keyboard.press('Escape');
    await page.keyboard.type(' FROM cust');
    await findCompletion(page, 'customers').waitFor();
    await visit(page, 'editor-completion');
    await findCompletion(page, 'customers').click();
    await page.keyboard.type(' AS c JOIN {{ base.Or');
    // The Enter key has no effect in the first moments, so that a new list does not take it.
    await findCompletion(page, 'Orders').click();
    await page.keyboard.type(' }} o USING (id) WHERE c.');
    await findCompletion(page, 'full_name').click();
    await expectLines(text, [
      '',
      '#+import "acme.io/completing/base"',
      'SELECT c.fu FROM customers AS c JOIN {{ base.Orders() }} o USING (id) WHERE c.full_name',
    ]);
    expect(complaints).toEqual([]);
  });

  it('completes functions with their signatures and descriptions', async () => {
    const { page, complaints } = await openShop('calling');
    const text = findText(page, 'report');
    await typeAtEnd(page, text, 'SELECT list_aggr');
    const option = findCompletion(page, 'list_aggregate');
    await option.getByText('(list ANY[], function_name VARCHAR, ...) -> ANY').waitFor();
    await page.getByText('Executes the aggregate function').waitFor();
    await visit(page, 'editor-function');
    await option.click();
    await page.keyboard.type("[1, 2], 'sum')");
    await expectLines(text, ['', "SELECT list_aggregate([1, 2], 'sum')"]);
    expect(complaints).toEqual([]);
  });

  it('formats the SQL, and says what it leaves alone', async () => {
    const content =
      'select id from t where id=1;\n#+src sql A() #+begin select 1 #+if true then , 2 #+end #+end';
    const { page, complaints } = await openShop('formatting', content);
    const text = findText(page, 'report');
    await text.waitFor();
    await expect.poll(() => text.getAttribute('aria-readonly')).toBe('false');
    await text.focus();
    await page.keyboard.press('Shift+Alt+f');
    await page.getByText('Formatted 1 of 2 blocks; `A` has conditions').waitFor();
    await expectLines(text, [
      'select',
      '    id',
      'from',
      '    t',
      'where',
      '    id = 1;',
      '#+src sql A() #+begin select 1 #+if true then , 2 #+end #+end',
    ]);
    await page.keyboard.press('ControlOrMeta+z');
    await expectLines(text, content.split('\n'));
    expect(complaints).toEqual([]);
  });

  it('shows the documentation of a block, and goes to its definition', async () => {
    const content =
      '#+import "acme.io/finding/base"\nSELECT * FROM {{ base.Orders() }}, {{ Own() }};\n#+src sql Own() #+begin SELECT 1 #+end';
    const { page, complaints } = await openShop('finding', content);
    const text = findText(page, 'report');
    await text.waitFor();
    const name = (own: string) => text.locator('.cm-line').nth(1).getByText(own, { exact: true });
    await name('Orders').hover();
    const hover = page.locator('.quern-hover');
    await hover.getByText('block Orders(least = 0)').waitFor();
    await hover.getByText('Orders of at least this total.').waitFor();
    await visit(page, 'editor-hover');
    await name('Own').click();
    await page.keyboard.press('F12');
    await expect.poll(() => page.locator('.cm-activeLine').textContent()).toMatch(/^#\+src sql Own/);
    await name('Orders').click({ modifiers: ['ControlOrMeta'] });
    await findText(page, 'blocks').waitFor();
    await expect.poll(() => page.locator('.cm-activeLine').textContent()).toMatch(/^#\+src sql Orders/);
    expect(page.url()).toContain('/sql/@Shared/finding/base/blocks');
    expect(complaints).toEqual([]);
  });
});
