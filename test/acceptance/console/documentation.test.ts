import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { openSignedIn, openTab } from './browser.ts';
import { shareConsole } from './console.ts';
import { expectAccessible } from './visit.ts';

const shared = shareConsole({ ada: {} });

/** Checks a page light and dark, wide and narrow; it must not be wider than the screen. */
async function check(page: Page): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  }
}

describe.skipIf(chromiumPath === null)('the documentation in a browser', () => {
  it.each([
    '/docs',
    '/docs/guides/backups',
    '/docs/reference/settings',
    '/docs/search?q=backup',
    '/docs/none',
  ])('%s is accessible, light and dark, wide and narrow', async (target) => {
    const { page, complaints } = await openTab(shared.server.url, target);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await check(page);
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('is searched with the keyboard alone, up to the section', async () => {
    const { page, complaints } = await openTab(shared.server.url, '/docs');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('restoring backup');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('contain').waitFor();
    const hit = page.getByRole('main').getByRole('link', { name: 'Restoring', exact: true });
    await hit.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guides/backups#restoring');
    await page.getByRole('heading', { name: 'Restoring' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('names the current page in the list of pages, and follows links between pages', async () => {
    const { page } = await openTab(shared.server.url, '/docs/guides/backups');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    const current = pages.getByRole('link', { name: 'Backups', exact: true });
    expect(await current.getAttribute('aria-current')).toBe('page');
    await pages.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  it('is a link in the profile menu of the console', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    await page.getByRole('button', { name: 'Profile menu' }).click();
    await page.getByRole('menuitem', { name: 'Documentation' }).click();
    await page.getByRole('heading', { level: 1, name: 'Documentation of Quern' }).waitFor();
    expect(complaints).toEqual([]);
    await page.getByRole('banner').getByRole('link', { name: 'Console' }).click();
    await page.getByRole('button', { name: 'Profile menu' }).waitFor();
  });
});
