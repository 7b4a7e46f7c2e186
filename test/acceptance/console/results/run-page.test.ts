import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { shareConsole, signIn } from '../console.ts';
import { visit } from '../visit.ts';
import { openRunPage, startRun, waitForState } from './open-run.ts';

const shared = shareConsole({ ada: {} });

describe.skipIf(chromiumPath === null)('the page of a run', () => {
  it('shows the text with its results, runs it again, and opens it in the editor', async () => {
    const { server, admin } = shared;
    const content = '-- $least: The least value.\nSELECT 40 + $least AS answer\n';
    await admin.make('assets', '@Shared/shown', { content });
    const id = await startRun(await signIn(server.url, 'ada'), 'bundle', {
      what: 'run',
      base: '@Shared',
      path: 'shown',
      files: [{ path: 'shown', content }],
      params: { least: 2 },
    });
    const { page, complaints } = await openRunPage(server.url, id, 'ada');
    await waitForState(page, 'Done');
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    const text = page.getByRole('region', { name: 'Content of the run' });
    expect(await text.locator('code').allTextContents()).toEqual(content.split('\n').slice(0, 2));
    await visit(page, 'run-page');
    const again = page.getByRole('button', { name: 'Run again' });
    await again.click();
    await page.getByText('Enter a value').waitFor();
    expect(page.url()).toContain(id);
    await page.getByRole('textbox', { name: 'least' }).fill('3');
    await again.click();
    await page.getByRole('gridcell', { name: '43' }).waitFor();
    await page.waitForURL((url) => !url.pathname.includes(id));
    await page.goBack();
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    await page.getByRole('button', { name: 'Open in the editor' }).click();
    await page.waitForURL('**/sql/@Shared/shown');
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows the error with the text, and opens the text of a query that this browser does not have', async () => {
    const { server } = shared;
    const sql = 'SELECT 1;\nSELECT missing';
    const id = await startRun(await signIn(server.url, 'ada'), 'sql', { sql });
    const { page, complaints } = await openRunPage(server.url, id, 'ada');
    await waitForState(page, 'Failed');
    await page.getByRole('alert').getByText('missing').first().waitFor();
    await page.getByRole('region', { name: 'Content of the run' }).getByText('missing').waitFor();
    await visit(page, 'run-page-failed');
    await page.getByRole('button', { name: 'Open in the editor' }).click();
    await page.waitForURL('**/sql/query-*');
    const lines = page.getByRole('textbox', { name: /^Text of Query/ }).locator('.cm-line');
    await expect.poll(() => lines.allTextContents()).toEqual(['SELECT 1;', 'SELECT missing']);
    await page.getByText('The run failed').waitFor();
    expect(complaints).toEqual([]);
  });

  it('has no text for a run whose text is long', async () => {
    const { server } = shared;
    const sql = `SELECT 7 AS seven -- ${'x'.repeat(131_072)}`;
    const id = await startRun(await signIn(server.url, 'ada'), 'sql', { sql });
    const { page } = await openRunPage(server.url, id, 'ada');
    await page.getByRole('gridcell', { name: '7' }).waitFor();
    expect(await page.getByRole('button', { name: 'Run again' }).count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Content of the run' }).count()).toBe(0);
  });
});
