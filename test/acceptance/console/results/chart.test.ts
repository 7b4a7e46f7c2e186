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

/** The texts of a chart that lie over others. */
function findOverlaps(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    // The box of a turned text is larger than the text: its neighbours are turned as well.
    const isTurned = (text: Element) => (text.getAttribute('transform') ?? '').includes('rotate(-');
    const texts = [...document.querySelectorAll('svg[role=img] text')].filter(
      (text) => text.textContent !== '',
    );
    const boxes = texts.map((text) => ({ text, box: text.getBoundingClientRect() }));
    return boxes.flatMap(({ text, box }, at) =>
      boxes
        .slice(at + 1)
        .filter(
          (other) =>
            !(isTurned(text) && isTurned(other.text)) &&
            box.left < other.box.right - 1 &&
            other.box.left < box.right - 1 &&
            box.top < other.box.bottom - 2 &&
            other.box.top < box.bottom - 2,
        )
        .map((other) => `${text.textContent} / ${other.text.textContent}`),
    );
  });
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
    await page.getByText('Several rows share a place: their values are added.').waitFor();
    await page.getByLabel('Title').fill('Sales in spring');
    await page.getByRole('img', { name: 'Bars: Sales in spring' }).waitFor();
    await visit(page, 'chart-bars');
    await choose(page, 'Chart', 'Histogram');
    await choose(page, 'X axis', 'visits');
    await page.getByRole('img', { name: 'Histogram: Sales in spring' }).locator('rect').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('has settings in the address, which a reload keeps, until it is reset', async () => {
    const { page, complaints } = await openChart(SALES);
    await page.getByRole('button', { name: 'Change chart' }).click();
    const panel = page.getByRole('complementary', { name: 'Chart' });
    await choose(page, 'Chart', 'Bars');
    await choose(page, 'Order', 'By value');
    await panel.getByRole('combobox', { name: 'Order' }).press('ArrowDown');
    await page.getByRole('option', { name: 'By name' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'By name' }).waitFor({ state: 'hidden' });
    expect(await panel.count()).toBe(1);
    await choose(page, 'Several series', '100% stacked');
    await page.getByLabel('Title').fill('Shares');
    await page.getByRole('img', { name: 'Bars: Shares' }).waitFor();
    const ticks = page.locator('[data-mark="y-axis tick label"] text');
    await expect.poll(() => ticks.allTextContents()).toContain('100%');
    await visit(page, 'chart-percent');
    await expect.poll(() => page.url()).toContain('Shares');
    await page.reload();
    await page.getByRole('img', { name: 'Bars: Shares' }).waitFor();
    await panel
      .getByRole('combobox', { name: 'Several series' })
      .and(page.locator('[value="100% stacked"]'))
      .waitFor();
    await choose(page, 'Several series', 'Side by side');
    await page.getByLabel('Logarithmic axis').check();
    await expect.poll(() => ticks.allTextContents()).toEqual(expect.arrayContaining(['100', '1,000']));
    await visit(page, 'chart-log');
    await page.getByRole('button', { name: 'Reset the chart' }).click();
    await page.getByRole('img', { name: 'Lines: sold by day and city' }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.has('chart')).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('ignores settings in the address that do not fit the result', async () => {
    const settings = { of: 0, kind: 'line', x: 0, y: [9], series: 12 };
    const chart = encodeURIComponent(JSON.stringify(settings));
    const { page, complaints } = await openRun(shared.server, SALES, `?show=chart&chart=${chart}`);
    await page.getByRole('img', { name: 'Lines: sold by day and city' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it.each([
    [
      'months',
      `SELECT DATE '2025-01-01' + to_months(i::INTEGER) AS month, i * 1000.5 AS "the revenue of all shops"
      FROM range(18) r(i)`,
      /^(Jan|Apr|Jul|Oct) 2025/,
    ],
    ['years', 'SELECT 2019 + i AS year, 0.00012 * i AS rate FROM range(6) r(i)', /2019.*2024/s],
    ['ratings', 'SELECT i % 5 + 1 AS rating, i AS visits FROM range(50) r(i)', /^1.*5$/s],
    [
      'long names',
      "SELECT 'A very long name of a city, number ' || i AS city, -i * 123456 AS n FROM range(40) r(i)",
      /A very/,
    ],
  ])('has ticks for %s, and no text over another one, in a pane of any size', async (_what, sql, ticks) => {
    const { page, complaints } = await openChart(sql);
    const picture = page.locator('svg[role=img]');
    for (const size of [
      { width: 1280, height: 800 },
      { width: 620, height: 520 },
      { width: 1900, height: 1000 },
    ]) {
      await page.setViewportSize(size);
      const readRoom = async () => {
        const { x = 0, y = 0, width = 0, height = 0 } = (await picture.boundingBox()) ?? {};
        const { x: left, y: top, ...main } = (await page.getByRole('main').boundingBox())!;
        return {
          isWithin: x + width <= left + main.width + 1 && y + height <= top + main.height + 1,
          isWide: width > main.width * 0.8,
        };
      };
      await expect.poll(readRoom, { timeout: 9_000 }).toEqual({ isWithin: true, isWide: true });
      expect(await findOverlaps(page)).toEqual([]);
    }
    expect((await page.locator('[data-mark$="x-axis tick label"] text').allTextContents()).join('')).toMatch(
      ticks,
    );
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
