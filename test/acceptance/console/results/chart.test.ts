import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import type { Tab } from '../browser.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { openRun } from './open-run.ts';

const shared = shareConsole();

const SALES = `
  SELECT DATE '2026-01-01' + (i // 2)::INTEGER AS day, CASE i % 2 WHEN 0 THEN 'Bath' ELSE 'York' END AS city,
         (100 + i * 7 % 50)::DECIMAL(9, 2) AS sold, i AS visits
  FROM range(60) r(i) ORDER BY ALL`;

/** Runs a statement, and shows its rows as a chart. */
function openChart(sql: string): Promise<Tab> {
  return openRun(shared.server, sql, '?show=chart');
}

const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

describe.skipIf(chromiumPath === null)('a chart of a result', () => {
  it('fits the types of the columns, and can be changed', async () => {
    const { page, complaints } = await openChart(SALES);
    const lines = page.getByRole('img', { name: 'Lines: sold by day and city' });
    await lines.waitFor();
    await page.getByText('Table', { exact: true }).click();
    await page.getByRole('grid').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.getByText('Chart', { exact: true }).click();
    await lines.waitFor();
    expect(new URL(page.url()).search).toBe('?show=chart');
    expect(await lines.locator('[data-mark=line] path').count()).toBe(2);
    expect(await page.getByRole('list', { name: 'Series' }).getByRole('listitem').allTextContents()).toEqual([
      'Bath',
      'York',
    ]);
    await visit(page, 'chart-lines');
    await page.getByRole('button', { name: 'Change chart' }).click();
    await choose(page, 'Chart', 'Bars');
    await choose(page, 'X axis', 'city');
    await page.getByRole('img', { name: 'Bars: sold by city and city' }).waitFor();
    await page.getByText('Several rows belong to one bar: their values are added.').waitFor();
    await page.getByLabel('Title').fill('Sales in spring');
    await page.getByRole('img', { name: 'Bars: Sales in spring' }).waitFor();
    await visit(page, 'chart-bars');
    await choose(page, 'Chart', 'Histogram');
    await choose(page, 'X axis', 'visits');
    await page.getByRole('img', { name: 'Histogram: Sales in spring' }).locator('rect').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('is saved as a picture that needs nothing else', async () => {
    const { page, complaints } = await openChart(SALES);
    await page.getByRole('img', { name: 'Lines: sold by day and city' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as SVG' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('sold by day and city.svg');
    const svg = readFileSync(await saved.path(), 'utf8');
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).toContain('<title>sold by day and city</title>');
    expect(svg).not.toMatch(/var\(|class=|<style/);
    expect(complaints).toEqual([]);
  });

  it('of one exact number shows all its digits', async () => {
    const { page, complaints } = await openChart('SELECT 12345678901234567890.12::DECIMAL(38, 2) AS total');
    await page.getByText('12,345,678,901,234,567,890.12').waitFor();
    await visit(page, 'chart-number');
    expect(complaints).toEqual([]);
  });

  it('says what it leaves out, and what it cannot draw', async () => {
    const many = await openChart("SELECT 'group ' || i AS name, i AS n FROM range(300000) r(i)");
    await many.page.getByText('The chart shows the first 100 of 100,000 bars.').waitFor();
    await visit(many.page, 'chart-many');
    const none = await openChart('SELECT [1, 2] AS list FROM range(3)');
    await none.page.getByRole('grid').waitFor();
    expect(await none.page.getByRole('radio', { name: 'Chart' }).isDisabled()).toBe(true);
    const empty = await openChart('SELECT 1 AS n WHERE false');
    await empty.page.getByText('The result has no rows.').waitFor();
    await visit(empty.page, 'chart-empty');
    expect([...many.complaints, ...none.complaints, ...empty.complaints]).toEqual([]);
  });
});
