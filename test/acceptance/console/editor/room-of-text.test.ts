import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { shareConsole } from '../console.ts';
import { expectAccessible } from '../visit.ts';
import { expectLines, findText, openEditor, typeAtEnd } from './open-editor.ts';

const shared = shareConsole({ ada: {} });

/** Whether an element is within the visible part of the text. */
const isInView = (line: Locator) =>
  line.evaluate((node) => {
    const bounds = node.getBoundingClientRect();
    const around = node.closest('.cm-scroller')?.getBoundingClientRect();
    return around !== undefined && bounds.top >= around.top && bounds.bottom <= around.bottom + 1;
  });

describe.skipIf(chromiumPath === null)('the caret', () => {
  it('stays in view when results open, and when they get more room', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada', '', {
      viewport: { width: 1280, height: 800 },
    });
    const lines = Array.from({ length: 28 }, (_, at) => `-- ${at}`).join('\n');
    await typeAtEnd(page, findText(page, 'Query 1'), `${lines}\nSELECT 42 AS answer`);
    const line = page.locator('.cm-activeLine');
    expect(await isInView(line)).toBe(true);
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    await expect.poll(() => isInView(line)).toBe(true);
    const border = page.getByRole('separator', { name: 'Height of the results' });
    await border.focus();
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('ArrowUp');
    await expect.poll(() => isInView(line)).toBe(true);
    expect(await line.textContent()).toBe('SELECT 42 AS answer');
    expect(complaints).toEqual([]);
  });

  it('does not move a text that was scrolled away from it', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada');
    const lines = Array.from({ length: 200 }, (_, at) => `-- ${at}`).join('\n');
    await typeAtEnd(page, findText(page, 'Query 1'), `${lines}\nSELECT 42 AS answer`);
    const scroller = page.locator('.cm-scroller');
    await expect.poll(() => isInView(page.locator('.cm-activeLine'))).toBe(true);
    await scroller.evaluate((node) => node.scrollTo(0, 0));
    await page.getByText('-- 0', { exact: true }).waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+Enter');
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    expect(await scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(chromiumPath === null)('a small window', () => {
  it('of 390 × 844 has the text and the rows', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada', '', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    const text = findText(page, 'Query 1');
    await typeAtEnd(page, text, 'SELECT range AS n FROM range(3)');
    await page.getByRole('button', { name: 'Run', exact: true }).tap();
    const row = page.getByRole('gridcell', { name: '2', exact: true });
    await row.waitFor();
    for (const seen of [text, row]) expect(await seen.isVisible()).toBe(true);
    const { y = 0, height = 0 } = (await row.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(844);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  });

  it('of 720 × 450 has the text or the rows, with a switch', async () => {
    const { page, complaints } = await openEditor(shared.server.url, 'ada', '', {
      viewport: { width: 720, height: 450 },
    });
    const text = findText(page, 'Query 1');
    const choose = (part: string) =>
      page.getByRole('radiogroup', { name: 'Shown part' }).getByText(part).click();
    await typeAtEnd(page, text, 'SELECT range AS n FROM range(3)');
    await page.keyboard.press('ControlOrMeta+Enter');
    const row = page.getByRole('gridcell', { name: '2', exact: true });
    await row.waitFor();
    expect(await text.isVisible()).toBe(false);
    const { y = 0, height = 0 } = (await row.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(450);
    await expectAccessible(page);
    await choose('Text');
    await row.waitFor({ state: 'hidden' });
    await typeAtEnd(page, text, ' WHERE n > 0');
    await expectLines(text, ['SELECT range AS n FROM range(3) WHERE n > 0']);
    await expectAccessible(page);
    await choose('Results');
    await page.getByText('The text has changed since this run').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('gridcell', { name: '0', exact: true }).waitFor({ state: 'detached' });
    await row.waitFor();
    await choose('Text');
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const seen of [text, row]) await seen.waitFor();
    expect(complaints).toEqual([]);
  });

  it('saves and merges, as each other one', async () => {
    const { admin, server } = shared;
    await admin.make('assets', '@Shared/small', { content: 'SELECT 1' });
    const { page, complaints } = await openEditor(server.url, 'ada', '@Shared/small', {
      viewport: { width: 390, height: 844 },
    });
    const text = findText(page, 'small');
    await typeAtEnd(page, text, ' + 1');
    const { headers } = await admin.read('@Shared/small');
    await admin.update('assets', '@Shared/small', String(headers.etag), { content: 'SELECT 2' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^admin saved version 2/).waitFor();
    await page.getByRole('textbox', { name: 'Your text' }).waitFor();
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
    await page.getByRole('button', { name: 'Save the merged text' }).click();
    await page.getByText('Saved small').waitFor();
    // The browser reports the refused save.
    expect(complaints).toEqual([]);
  });
});
