import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { openCatalog } from './open-catalog.ts';

const shared = shareConsole({ ada: {}, vic: { role: 'VIEWER' } });

describe.skipIf(chromiumPath === null)('the history of a script', () => {
  it('shows who changed it, the difference to the current text, and restores a revision', async () => {
    const { server, admin } = shared;
    const path = '@Shared/told';
    await admin.make('assets', path, { content: 'SELECT 1\nFROM a\n' });
    const { headers } = await admin.read(path);
    const change = { content: 'SELECT 2\nFROM a\nLIMIT 3\n' };
    expect((await admin.update('assets', path, String(headers.etag), change)).status).toBe(200);
    const { page, complaints } = await openCatalog(server.url, 'ada', path, { query: 'view=history' });
    const revisions = page.getByRole('list', { name: 'Revisions' });
    await revisions.getByText('updated by admin').waitFor();
    await revisions.getByText('created by admin').waitFor();
    const lines = page.getByLabel('Difference').locator('code');
    await lines.first().waitFor();
    const readLines = (change: string) =>
      page.getByLabel('Difference').locator(`code[data-change="${change}"]`).allTextContents();
    expect(await readLines('removed')).toEqual(['SELECT 1']);
    expect(await readLines('added')).toEqual(['SELECT 2', 'LIMIT 3']);
    await visit(page, 'catalog-history');
    await page.getByRole('button', { name: /^Restore revision/ }).click();
    await revisions.getByText(/restored by ada from revision/).waitFor();
    expect((await admin.read(path)).body).toMatchObject({ data: { content: 'SELECT 1\nFROM a\n' } });
    expect(complaints).toEqual([]);
  });

  it('is read-only for viewers, and says when there is no earlier text', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/once');
    const { page, complaints } = await openCatalog(server.url, 'vic', '@Shared/once', {
      query: 'view=history',
    });
    await page.getByText('There are no earlier texts of this script.').waitFor();
    expect(await page.getByRole('button', { name: /^Restore/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
