import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { openCatalog } from './open-catalog.ts';

/** Waits until these lines have these texts. */
const expectLines = (lines: Locator, texts: readonly string[]) =>
  expect.poll(() => lines.allTextContents()).toEqual(texts);

const shared = shareConsole({ ada: {}, vic: { role: 'VIEWER' } });

describe.skipIf(chromiumPath === null)('the history of a script', () => {
  it('shows who changed it, the difference to the current text, and restores a version', async () => {
    const { server, admin } = shared;
    const path = '@Shared/told';
    await admin.make('assets', path, { content: 'SELECT 1\nFROM a\n' });
    const { headers } = await admin.read(path);
    const change = { content: 'SELECT 2\nFROM a\nLIMIT 3\n' };
    expect((await admin.update('assets', path, String(headers.etag), change)).status).toBe(200);
    const { page, complaints } = await openCatalog(server.url, 'ada', path, { query: 'view=history' });
    const versions = page.getByRole('list', { name: 'Versions' });
    await versions.getByText('updated, current').waitFor();
    expect(await versions.getByRole('listitem').allTextContents()).toEqual([
      'Version 2 · admin · just nowupdated, current24 bytes',
      'Version 1 · admin · just nowcreated16 bytes',
    ]);
    const revision = headers.etag!.replaceAll('"', '');
    await versions.getByTitle(`Revision ${revision}`, { exact: true }).getByText('Version 1').waitFor();
    const former = page.getByRole('textbox', { name: 'Text of version 1' });
    const current = page.getByRole('textbox', { name: 'Current text' });
    await expectLines(former.locator('.cm-changedLine'), ['SELECT 1']);
    await expectLines(current.locator('.cm-changedLine'), ['SELECT 2', 'LIMIT 3']);
    await current.focus();
    await page.keyboard.type('no');
    await expectLines(current.locator('.cm-line'), ['SELECT 2', 'FROM a', 'LIMIT 3', '']);
    await visit(page, 'catalog-history');
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await versions.getByText('restored from version 1, current').waitFor();
    await page.getByText('Restored version 1 of told').waitFor();
    expect((await admin.read(path)).body).toMatchObject({ data: { content: 'SELECT 1\nFROM a\n' } });
    expect(complaints).toEqual([]);
  });

  it('keeps the chosen version in the address, for a reload and Back', async () => {
    const { server, admin } = shared;
    const path = '@Shared/chosen';
    await admin.make('assets', path, { content: 'SELECT 1' });
    for (const text of ['SELECT 2', 'SELECT 3']) await admin.update('assets', path, '*', { content: text });
    const { page, complaints } = await openCatalog(server.url, 'ada', path, { query: 'view=history' });
    const shown = page.getByText(/^From version . to the current text$/);
    await shown.getByText('From version 2').waitFor();
    await page.getByRole('button', { name: /^Version 1 / }).click();
    await shown.getByText('From version 1').waitFor();
    expect(page.url()).toContain('version=1');
    await page.reload();
    await shown.getByText('From version 1').waitFor();
    await page.goBack();
    await shown.getByText('From version 2').waitFor();
    expect(complaints).toEqual([]);
  });

  it('folds unchanged lines, has the colours of the editor, and is one column on a narrow page', async () => {
    const { server, admin } = shared;
    const path = '@Shared/long';
    const same = Array.from({ length: 40 }, (_, index) => `SELECT ${index};`).join('\n');
    await admin.make('assets', path, { content: `${same}\n-- first\n` });
    const { headers } = await admin.read(path);
    const change = { content: `${same}\n-- second \u202E\n` };
    expect((await admin.update('assets', path, String(headers.etag), change)).status).toBe(200);
    const { page, complaints } = await openCatalog(server.url, 'ada', path, { query: 'view=history' });
    const current = page.getByRole('textbox', { name: 'Current text' });
    await current.getByText('37 unchanged lines').waitFor();
    await current.locator('.cm-specialChar').waitFor();
    const colour = (text: Locator) => text.evaluate((node) => getComputedStyle(node).color);
    const keyword = current.getByText('SELECT', { exact: true }).first();
    expect(await colour(keyword)).not.toBe(await colour(current));
    await page.getByRole('button', { name: 'Show unchanged lines' }).click();
    await current.getByText('37 unchanged lines').waitFor({ state: 'detached' });
    expect(await current.locator('.cm-line').first().textContent()).toBe('SELECT 0;');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('textbox', { name: /^Text of version / }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Hide unchanged lines' }).click();
    await current.getByText('37 unchanged lines').waitFor();
    await expectLines(current.locator('.cm-deletedLine'), ['-- first']);
    await visit(page, 'catalog-history-narrow');
    expect(complaints).toEqual([]);
  });

  it('says when two revisions differ in nothing but line ends', async () => {
    const { server, admin } = shared;
    const path = '@Shared/ends';
    await admin.make('assets', path, { content: 'SELECT 1\nFROM a\n' });
    const { headers } = await admin.read(path);
    const change = { content: 'SELECT 1\r\nFROM a\r\n' };
    expect((await admin.update('assets', path, String(headers.etag), change)).status).toBe(200);
    const { page } = await openCatalog(server.url, 'ada', path, { query: 'view=history' });
    await page.getByText('Only the line ends of the texts differ.').waitFor();
  });

  it('is read-only for viewers, and says when there is no earlier text', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/once');
    const { page, complaints } = await openCatalog(server.url, 'vic', '@Shared/once', {
      query: 'view=history',
    });
    await page.getByText('No earlier versions').waitFor();
    expect(await page.getByRole('button', { name: /^Restore/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
