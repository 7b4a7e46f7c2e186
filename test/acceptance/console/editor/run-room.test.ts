import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { findText, openEditor } from './open-editor.ts';

const shared = shareConsole({ ada: {} });

/** Types a text over the one in the editor, and runs all of it. */
async function run(page: Page, name: string, text: string): Promise<void> {
  await findText(page, name).waitFor();
  await findText(page, name).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await page.keyboard.press('ControlOrMeta+Shift+Enter');
}

/** The rows of the grid that can be seen from their upper to their lower edge. */
function countVisibleRows(page: Page): Promise<number> {
  return page.evaluate(() => {
    const cells = [...document.querySelectorAll('[role=gridcell][aria-colindex="2"]')];
    return cells.filter((cell) => {
      const { left, top, bottom } = cell.getBoundingClientRect();
      return [top + 1, bottom - 1].every((y) => cell.contains(document.elementFromPoint(left + 2, y)));
    }).length;
  });
}

const measure = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())?.height;

describe.skipIf(chromiumPath === null)('the room of results', () => {
  it('is what one line of text does not need, below one row of buttons', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada', '', {
      viewport: { width: 1440, height: 900 },
    });
    await run(page, 'Query 1', 'SELECT range AS n FROM range(500)');
    await page.getByText('500 rows · 1 column', { exact: true }).waitFor();
    await expect.poll(() => countVisibleRows(page)).toBeGreaterThanOrEqual(15);
    expect(await page.getByRole('tab', { name: /SELECT/ }).count()).toBe(0);
    const row = page.getByRole('region', { name: 'Run' });
    const centers = [
      row.getByRole('status').filter({ hasText: 'Done' }),
      row.getByRole('code').and(page.getByTitle('SELECT range AS n FROM range(500)')),
      row.getByText('500 rows · 1 column', { exact: true }),
      row.getByRole('radiogroup', { name: 'Show the rows as' }),
      row.getByRole('button', { name: 'Copy', exact: true }),
      row.getByRole('button', { name: 'Download' }),
      row.getByRole('button', { name: 'Maximize the results' }),
    ].map(async (part) => {
      const { y, height } = (await part.boundingBox())!;
      return y + height / 2;
    });
    const places = await Promise.all(centers);
    expect(Math.max(...places) - Math.min(...places)).toBeLessThan(4);
    await visit(page, 'editor-one-row');
    await run(page, 'Query 1', `SELECT 1 AS one${'\n'.repeat(100)}`);
    await page.getByText('1 row · 1 column', { exact: true }).waitFor();
    const [text, results] = await Promise.all([
      measure(page, '[data-room]'),
      measure(page, '[data-room] + *'),
    ]);
    expect((text! / (text! + results!)).toFixed(2)).toBe('0.55');
    expect(complaints).toEqual([]);
  });

  it('has tabs as soon as there are several results', async () => {
    const { page } = await openEditor(shared.server.url, 'ada');
    await run(page, 'Query 1', 'SELECT 1 AS one;\n-- The second\nSELECT 2 AS two');
    await page.getByRole('tab', { name: /^2 The second/ }).click();
    await page.getByRole('gridcell', { name: '2', exact: true }).waitFor();
    await page.getByRole('code').getByText('SELECT 2 AS two', { exact: true }).waitFor();
  });

  it('is as before the first change if the browser has kept something else', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/damaged', { content: 'SELECT 1' });
    const { page, complaints } = await openEditor(server.url, 'ada', '@Shared/damaged');
    const border = page.getByRole('separator', { name: 'Height of the results' });
    for (const room of [{ share: 900, isMaximized: true }, { share: '20', isMaximized: true }, {}, null]) {
      const kept = JSON.stringify([['@Shared/damaged', room], 3]);
      await page.evaluate((text) => localStorage.setItem('quern-results-room/ada', text), kept);
      await page.reload();
      await run(page, 'damaged', 'SELECT 2 AS two');
      await page.getByRole('gridcell', { name: '2', exact: true }).waitFor();
      expect(Number(await border.getAttribute('aria-valuenow'))).toBeGreaterThan(50);
    }
    expect(complaints).toEqual([]);
  });

  it('hides the text while they are maximized, and is remembered for the text', async () => {
    const { server, admin } = shared;
    for (const name of ['wide', 'narrow']) {
      await admin.make('assets', `@Shared/${name}`, { content: 'SELECT range AS n FROM range(500)' });
    }
    const { page, complaints } = await openEditor(server.url, 'ada', '@Shared/wide');
    const text = findText(page, 'wide');
    const rows = page.getByText('500 rows · 1 column', { exact: true });
    const border = page.getByRole('separator', { name: 'Height of the results' });
    await run(page, 'wide', 'SELECT range AS n FROM range(500)');
    await rows.waitFor();
    await border.focus();
    await page.keyboard.press('End');
    await expect.poll(() => border.getAttribute('aria-valuenow')).toBe('15');
    await page.getByRole('button', { name: 'Maximize the results' }).click();
    await text.waitFor({ state: 'hidden' });
    expect(await border.count()).toBe(0);
    await expect.poll(() => countVisibleRows(page)).toBeGreaterThanOrEqual(15);
    await visit(page, 'editor-maximized');
    await page.reload();
    await rows.waitFor();
    expect(await text.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Show the text' }).click();
    await text.waitFor();
    expect(await border.getAttribute('aria-valuenow')).toBe('15');
    await page.getByRole('button', { name: 'Maximize the results' }).click();
    await text.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await text.waitFor();
    await page.getByRole('button', { name: 'Maximize the results' }).click();
    await page.getByRole('gridcell', { name: '3', exact: true }).click();
    await page.keyboard.press('Shift+ArrowDown');
    const selected = page.getByRole('gridcell', { selected: true });
    await expect.poll(() => selected.count()).toBe(2);
    await page.keyboard.press('Escape');
    await expect.poll(() => selected.count()).toBe(1);
    expect(await text.isVisible()).toBe(false);
    await page.getByRole('columnheader', { name: /^n/ }).locator('[data-menu]').click();
    await page.getByRole('menuitem', { name: 'Summary' }).click();
    const summary = page.getByRole('complementary', { name: 'Summary of n' });
    await summary.waitFor();
    await page.keyboard.press('Escape');
    await summary.waitFor({ state: 'detached' });
    expect(await text.isVisible()).toBe(false);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Escape');
    await text.waitFor();
    await page.goto(`${server.url}/sql/@Shared/narrow`);
    await run(page, 'narrow', 'SELECT range AS n FROM range(500)');
    await rows.waitFor();
    expect(Number(await border.getAttribute('aria-valuenow'))).toBeGreaterThan(50);
    expect(complaints).toEqual([]);
  });
});
