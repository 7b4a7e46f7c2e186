import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath, openPage } from '../../support/chromium.ts';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';
import { waitForFocus } from '../console/browser.ts';
import { expectAccessible } from '../console/visit.ts';
import { makeProject } from './make-project.ts';

/** The folder of the screenshots; without it, none are made. */
const SHOTS = process.env.QUERN_SHOTS;
/** Bytes of a page besides the texts of the project. */
const MAX_BYTES = 200_000;
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
/** A window of 1440 x 900 pixels at 200 %. */
const ZOOMED = { width: 720, height: 450 };

const graphOf = (page: Page) => page.getByRole('group', { name: 'Graph of blocks and tests' });
const linkIn = (page: Page, name: string) => graphOf(page).getByRole('link', { name, exact: false });
const listOf = (page: Page) => page.getByRole('navigation', { name: 'Blocks and tests' });

/** Prints the page of the project in a folder, and returns its file. */
async function printPage(cwd: string): Promise<string> {
  const file = path.join(cwd, 'lineage.html');
  const { exitCode, stderr } = await quern(['lineage', '--format', 'html', '--output', file], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return file;
}

/** The page of a project with a number of blocks. */
async function printProject(count: number): Promise<string> {
  const cwd = await makeHome();
  makeProject(cwd, count);
  return printPage(cwd);
}

/** Opens a file without a network; `complaints` are messages of its console and requests of other addresses. */
async function openFile(file: string, fragment = '', options: BrowserContextOptions = {}) {
  const page = await openPage({ reducedMotion: 'reduce', offline: true, viewport: WIDE, ...options });
  page.setDefaultTimeout(60_000);
  const url = pathToFileURL(file).href;
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url) complaints.push(`requested ${request.url()}`);
  });
  await page.goto(`${url}${fragment}`);
  return { page, complaints };
}

/** Looks at the page in both colour schemes and in several sizes; keeps screenshots if `QUERN_SHOTS` is set. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of [WIDE, NARROW, ZOOMED]) {
      await page.setViewportSize(size);
      const widths = await page.evaluate<readonly number[]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      expect(widths[0], `the width at ${size.width}`).toBe(widths[1]);
      if (SHOTS !== undefined) {
        mkdirSync(SHOTS, { recursive: true });
        await page.screenshot({ path: path.join(SHOTS, `lineage-${name}-${colorScheme}-${size.width}.png`) });
      }
    }
    await expectAccessible(page);
  }
  await page.setViewportSize(WIDE);
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, isReached: string): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>(isReached)) return;
  }
  throw new Error(`30 times Tab did not reach ${isReached}`);
}

describe.skipIf(chromiumPath === null)('the page of quern lineage', () => {
  it('shows a small project completely, and loads nothing', async () => {
    const { page, complaints } = await openFile(await printProject(12));
    await graphOf(page).waitFor();
    expect(await page.title()).toBe('Lineage of acme.io/shop');
    expect(await page.getByText('3 targets, 9 other blocks, 3 tests').isVisible()).toBe(true);
    expect(await graphOf(page).getByRole('link').count()).toBe(15);
    expect(await listOf(page).getByRole('link').count()).toBe(15);
    await look(page, 'small');
    await linkIn(page, 'Orders8 block').click();
    await page.getByRole('heading', { name: 'Orders8 block', level: 2 }).waitFor();
    expect(await page.locator('.doc:visible').innerText()).toBe('Orders of shop 8, without returns.');
    await look(page, 'small-chosen');
    expect(complaints).toEqual([]);
  });

  it('follows what a block reads and what reads it, and back', async () => {
    const { page, complaints } = await openFile(await printProject(12), '#acme.io/shop/core.Orders8');
    const heading = (name: string) => page.getByRole('heading', { name, level: 2 }).waitFor();
    await heading('Orders8 block');
    expect(await page.locator('article:visible dl').innerText()).toMatch(
      /acme\.io\/shop\/core.*core\/block8\.sql:3/s,
    );
    await page.getByRole('main').getByRole('link', { name: 'Orders5' }).click();
    await heading('Orders5 block');
    await page.getByRole('main').getByRole('link', { name: 'Orders8' }).click();
    await heading('Orders8 block');
    await page.getByRole('main').getByRole('link', { name: 'Orders11' }).click();
    await heading('Orders11 target');
    expect(await page.locator('dd:visible', { hasText: /^mart\.orders11$/ }).count()).toBe(1);
    expect(new URL(page.url()).hash).toBe('#acme.io/shop/mart.Orders11');
    await page.goBack();
    await heading('Orders8 block');
    expect(await page.title()).toBe('Orders8 · Lineage of acme.io/shop');
    await page.getByRole('main').getByRole('link', { name: 'Orders8ArePositive' }).click();
    await heading('Orders8ArePositive test');
    await page.goto(`${page.url().split('#')[0]}#acme.io/shop/core.Missing`);
    await page.getByText('The page has no block or test acme.io/shop/core.Missing.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('reduces the graph of 500 blocks to what the chosen one needs and what needs it', async () => {
    const { page, complaints } = await openFile(await printProject(500), '#acme.io/shop/core.Orders251');
    const chosen = linkIn(page, 'Orders251 block');
    const isInView = () =>
      chosen.evaluate((link) => {
        const [box, frame] = [link.getBoundingClientRect(), link.closest('#canvas')?.getBoundingClientRect()];
        return (
          frame !== undefined && box.top >= frame.top && box.bottom <= frame.bottom && box.left >= frame.left
        );
      });
    expect(await chosen.getAttribute('aria-current')).toBe('true');
    expect(await isInView()).toBe(true);
    const reduced = await graphOf(page).getByRole('link').count();
    expect(reduced).toBeGreaterThan(4);
    expect(reduced).toBeLessThan(60);
    await look(page, 'large-chosen');
    const related = page.getByLabel('Only what the chosen block needs and what needs it');
    await related.uncheck();
    await expect.poll(() => graphOf(page).getByRole('link').count()).toBe(625);
    expect(await isInView()).toBe(true);
    await page.getByLabel('Tests', { exact: true }).uncheck();
    await expect.poll(() => graphOf(page).getByRole('link').count()).toBe(500);
    const canvas = page.locator('#canvas');
    const scrolled = () => canvas.evaluate((element) => element.scrollTop);
    const before = await scrolled();
    const box = await canvas.boundingBox();
    await page.mouse.move(box!.x + 2, box!.y + 200);
    await page.mouse.down();
    await page.mouse.move(box!.x + 2, box!.y + 140, { steps: 3 });
    await page.mouse.up();
    expect(await scrolled()).toBeGreaterThan(before);
    await page.getByRole('button', { name: 'Fit' }).click();
    const height = await graphOf(page).evaluate((svg) => svg.getBoundingClientRect().height);
    expect(height).toBeLessThanOrEqual(WIDE.height);
    expect(complaints).toEqual([]);
  });

  it('starts 500 blocks with the list, and finds in names, tags, :doc and SQL', async () => {
    const { page, complaints } = await openFile(await printProject(500));
    await page.getByText('Choose a block or test').waitFor();
    expect(await graphOf(page).count()).toBe(0);
    await look(page, 'large');
    const search = page.getByRole('searchbox');
    const count = page.getByText(/^\d+ of 625 blocks and tests$/);
    expect(await count.innerText()).toBe('625 of 625 blocks and tests');
    for (const [query, found] of [
      ['orders251', '3'],
      ['part2 shop', '166'],
      ['without returns', '500'],
      ['amount < 0', '125'],
      ['mart test', '31'],
    ] as const) {
      await search.fill(query);
      await expect.poll(() => count.innerText()).toBe(`${found} of 625 blocks and tests`);
      expect(await listOf(page).locator('li:visible').count()).toBe(Number(found));
    }
    await search.fill('no such block');
    await page.getByText('No block or test contains “no such block”').waitFor();
    await search.press('Enter');
    expect(new URL(page.url()).hash).toBe('');
    expect(complaints).toEqual([]);
  });

  it('leads to the SQL of a block by the keyboard alone', async () => {
    const { page, complaints } = await openFile(await printProject(500));
    await page.keyboard.press('Tab');
    await waitForFocus(page.getByRole('searchbox'));
    await page.keyboard.type('orders25');
    await page.keyboard.press('Enter');
    await waitForFocus(page.getByRole('heading', { name: 'Orders25 block', level: 2 }));
    await tabTo(page, "document.activeElement.matches('pre')");
    const sql = page.getByRole('group', { name: 'SQL of Orders25', exact: true });
    await waitForFocus(sql);
    expect(await sql.innerText()).toContain("SELECT DATE '2026-01-01' AS day, 25 AS amount");
    expect(await sql.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
    expect(complaints).toEqual([]);
  });

  it('moves in the list and in the graph with the arrow keys', async () => {
    const { page, complaints } = await openFile(await printProject(12), '#acme.io/shop/core.Orders8');
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await waitForFocus(listOf(page).getByRole('link', { name: 'Orders7' }));
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await waitForFocus(page.getByLabel('Only what the chosen block needs'));
    await tabTo(page, "document.activeElement.closest('svg') !== null");
    await waitForFocus(linkIn(page, 'Orders8 block'));
    await page.keyboard.press('ArrowLeft');
    await waitForFocus(linkIn(page, 'Orders5 block'));
    const shape = linkIn(page, 'Orders5 block').locator('.shape');
    expect(await shape.evaluate((element) => getComputedStyle(element).strokeWidth)).toBe('3px');
    await page.keyboard.press('Enter');
    await waitForFocus(page.getByRole('heading', { name: 'Orders5 block', level: 2 }));
    expect(complaints).toEqual([]);
  });

  it('has the list, the descriptions, the SQL and the links of 500 blocks without JavaScript', async () => {
    const { page, complaints } = await openFile(await printProject(500), '', { javaScriptEnabled: false });
    expect(await listOf(page).getByRole('link').count()).toBe(625);
    expect(await page.getByRole('searchbox').isVisible()).toBe(false);
    expect(await page.locator('article pre:visible').count()).toBe(625);
    await listOf(page).getByRole('link', { name: 'Orders251', exact: true }).click();
    const details = page.locator('[id="acme.io/shop/core.Orders251"]');
    await expect.poll(async () => (await details.boundingBox())?.y).toBeLessThan(WIDE.height);
    expect(await details.innerText()).toContain('Orders of shop 251, without returns.');
    expect(await details.innerText()).toContain('SELECT day, amount FROM {{ staging.Orders126() }}');
    await details.getByRole('link', { name: 'staging.Orders126', exact: true }).click();
    expect(new URL(page.url()).hash).toBe('#acme.io/shop/staging.Orders126');
    expect(complaints).toEqual([]);
  });

  it('shows markup and direction marks of the project as text', async () => {
    const cwd = await makeHome();
    const markup = '</code></script><img src=x onerror=alert(1)><!-- \u202e\u2028 -->';
    writeFiles(cwd, {
      'project.toml': '[general]\nname = "acme.io/shop"\nversion = "1.0.0"\n',
      'markup.sql': `#+src sql Markup()\n#+meta { :doc "${markup}", :tags ["${markup}"] }\n#+begin\nSELECT '${markup}' AS markup\n#+end\n`,
    });
    const { page, complaints } = await openFile(await printPage(cwd), '#acme.io/shop.Markup');
    await page.getByRole('heading', { name: 'Markup block', level: 2 }).waitFor();
    const shown = '</code></script><img src=x onerror=alert(1)><!-- \ufffd\ufffd -->';
    expect(await page.locator('.doc').innerText()).toBe(shown);
    expect(await page.locator('pre').innerText()).toContain(`SELECT '${shown}' AS markup`);
    expect(await page.locator('img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('has at most 200 KB besides the texts of the project, and 1 KB for each block and test', async () => {
    const empty = readFileSync(await printProject(1)).length;
    expect(empty).toBeLessThan(MAX_BYTES);
    expect(readFileSync(await printProject(500)).length - empty).toBeLessThan(625 * 1_000);
  });
});
