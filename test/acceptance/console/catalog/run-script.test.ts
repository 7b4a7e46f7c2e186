import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { runQuern } from '../../../support/server.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { openCatalog } from './open-catalog.ts';

const shared = shareConsole({ ada: {}, vic: { role: 'VIEWER' } });

describe.skipIf(chromiumPath === null)('a script of the catalog', () => {
  it('has the colours of the editor', async () => {
    await shared.admin.make('assets', '@Shared/coloured', {
      content: "SELECT 'a\u202Eb' -- why\r\nFROM t\r\n",
    });
    const { page, complaints } = await openCatalog(shared.server.url, 'vic', '@Shared/coloured');
    const text = page.getByRole('region', { name: 'Content of coloured' });
    const keyword = text.locator('code span').getByText('SELECT', { exact: true });
    await keyword.waitFor();
    expect(await text.locator('code').allTextContents()).toEqual(["SELECT 'a[U+202E]b' -- why", 'FROM t']);
    const colours = await Promise.all(
      ['SELECT', "'a[U+202E]b'", '-- why', 'FROM', 't'].map((word) =>
        text
          .locator('code span')
          .getByText(word, { exact: true })
          .last()
          .evaluate((node) => getComputedStyle(node).color),
      ),
    );
    expect(colours[0]).toBe(colours[3]);
    expect(new Set(colours).size).toBe(4);
    await visit(page, 'catalog-script-colours');
    expect(complaints).toEqual([]);
  });

  it('runs with its parameters, and has the run in its address', async () => {
    const { server, admin } = shared;
    const content = '-- $code in (ATL, ORD): The airport.\n-- $n = 2: Rows.\nSELECT 1 AS $code, $n AS n';
    await admin.make('assets', '@Shared/airport', { content });
    const { page, complaints } = await openCatalog(server.url, 'ada', '@Shared/airport');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await run.click();
    await page.getByText('Enter a value').waitFor();
    await visit(page, 'catalog-script-parameters');
    await page.getByRole('combobox', { name: 'code' }).click();
    await page.getByRole('option', { name: 'ORD' }).click();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByRole('columnheader', { name: /^ORD/ }).waitFor();
    await page.waitForURL('**/airport?run=*');
    await visit(page, 'catalog-script-results');
    await page.reload();
    await page.getByRole('columnheader', { name: /^ORD/ }).waitFor();
    expect(await page.getByRole('combobox', { name: 'code' }).inputValue()).toBe('ORD');
    await page.goBack();
    await page.getByRole('columnheader', { name: /^ORD/ }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('is stopped by the button that runs it, and says why it failed', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/slow', {
      content: 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3',
    });
    await admin.make('assets', '@Shared/wrong', { content: 'SELECT missing_column' });
    const { page, complaints } = await openCatalog(server.url, 'ada', '@Shared/slow');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Cancelled' }).first().waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await page.goto(`${server.url}/catalog/@Shared/wrong`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').getByText('missing_column').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('has no Run that works without a connection, and none if it is a manifest', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/idle', { content: 'SELECT 1' });
    await admin.make('folders', '@Shared/project', { folder_type: 'PROJECT' });
    await admin.make('assets', '@Shared/project/project.toml', { content: 'name = "p"' });
    await runQuern(server.cwd, 'grant rm everyone connection:duckdb');
    try {
      const { page } = await openCatalog(server.url, 'ada', '@Shared/idle');
      const run = page.getByRole('button', { name: 'Run', exact: true });
      await page.getByLabel('Connection').getByText('No connection to use').waitFor({ state: 'attached' });
      expect(await run.isDisabled()).toBe(true);
      await page.goto(`${server.url}/catalog/@Shared/project/project.toml`);
      await page.getByRole('region', { name: 'Content of project.toml' }).waitFor();
      expect(await run.count()).toBe(0);
    } finally {
      await runQuern(server.cwd, 'grant add everyone use connection:duckdb');
    }
  });
});
