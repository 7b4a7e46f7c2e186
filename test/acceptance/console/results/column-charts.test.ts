import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { eventually, openRun, readColumn } from './open-run.ts';

const shared = shareConsole();

const MIXED = `SELECT i AS n, CASE WHEN i % 4 = 0 THEN NULL WHEN i % 4 = 1 THEN 'blue' ELSE 'red' END AS colour,
  'id ' || i AS name, NULL AS nothing, TIMESTAMP '2026-01-01 00:00:00' + to_hours(i::INTEGER) AS at
  FROM range(1000) r(i)`;

describe.skipIf(chromiumPath === null)('the header of a column', () => {
  it('shows how its values are distributed, and the share of NULL', async () => {
    const { page, complaints } = await openRun(shared.server, MIXED);
    const find = (name: RegExp) => page.getByRole('columnheader', { name });
    await find(/^n integer.* 0% NULL/)
      .getByRole('img', { name: 'from 0 to 999' })
      .waitFor();
    const colour = find(/^colour/);
    await colour.getByRole('img', { name: 'most frequent: red 50%, blue 25%' }).waitFor();
    await colour.getByText('25% NULL').waitFor();
    await find(/^at/).getByRole('img', { name: 'from 2026-01-01 00:00 to 2026-02-11 15:00' }).waitFor();
    await find(/^nothing .*100% NULL/).waitFor();
    expect(
      await find(/^nothing/)
        .getByRole('img')
        .count(),
    ).toBe(0);
    await find(/^name .*0% NULL/).waitFor();
    expect(await find(/^name/).getByRole('img').count()).toBe(0);
    await visit(page, 'results-column-charts');
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText('Filter', { exact: true }).click();
    const filter = page.getByRole('complementary', { name: 'Filter by n' });
    await filter.getByLabel('Condition').selectOption('less');
    await filter.getByRole('textbox', { name: 'Value' }).fill('2');
    await page.keyboard.press('Enter');
    await find(/^n integer/)
      .getByRole('img', { name: 'from 0 to 1' })
      .waitFor();
    await colour.getByText('50% NULL').waitFor();
    expect(complaints).toEqual([]);
  });

  it('waits for a request if there are more than 200,000 rows', async () => {
    const sql = 'SELECT i, CASE WHEN i > 0 THEN i % 3 END AS three FROM range(200001) r(i)';
    const { page, complaints } = await openRun(shared.server, sql);
    await page.getByText('200,001 rows · 2 columns', { exact: true }).waitFor();
    const button = page.getByRole('button', { name: 'Show column charts' });
    await button.waitFor();
    const three = page.getByRole('columnheader', { name: /^three/ });
    expect(await three.getByRole('img').count()).toBe(0);
    await button.click();
    await three.getByRole('img', { name: 'from 0 to 2' }).waitFor();
    await three.getByText('<0.1% NULL').waitFor();
    expect(await button.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('offers its chart again if the browser ends the computation', async () => {
    const { page } = await openRun(shared.server, 'SELECT i FROM range(50000) r(i)');
    await page.getByRole('img', { name: 'from 0 to 49,999' }).waitFor();
    await page.route('**/compute-worker*', (route) => route.abort());
    await page.reload();
    const button = page.getByRole('button', { name: 'Show column charts' });
    await button.waitFor();
    await eventually(async () => (await readColumn(page, 0))[0]).toBe('0');
    await page.unroute('**/compute-worker*');
    await button.click();
    await page.getByRole('img', { name: 'from 0 to 49,999' }).waitFor();
  });

  it('shows charts only of the columns that can be seen', async () => {
    const list = Array.from({ length: 2_000 }, (_, i) => `i + ${i} AS c${i}`).join(', ');
    const { page, complaints } = await openRun(shared.server, `SELECT ${list} FROM range(300) r(i)`);
    await page.getByRole('img', { name: 'from 0 to 299' }).waitFor();
    const counted = await page.getByRole('columnheader').getByRole('img').count();
    expect(counted).toBeLessThan(40);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+End');
    await page
      .getByRole('columnheader', { name: /^c1999/ })
      .getByRole('img', { name: 'from 1,999 to 2,298' })
      .waitFor();
    expect(complaints).toEqual([]);
  });
});
