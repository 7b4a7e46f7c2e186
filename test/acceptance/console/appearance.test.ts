import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { expectAppearance } from './appearance.ts';
import { openAs, openTab } from './browser.ts';
import { shareConsole } from './console.ts';
import { openRun, waitForState } from './results/open-run.ts';

const shared = shareConsole({ bob: {} });

/** Another page for each form of content: lists, forms, matrices, texts. */
const PAGES = [
  '/catalog',
  '/catalog/@Shared',
  '/catalog/@Shared?view=properties',
  '/catalog/@Shared?view=access',
  '/catalog/bin',
  '/sql',
  '/administration/users?user=bob',
  '/administration/groups',
  '/administration/permissions',
  '/administration/connections?connection=duckdb',
  '/administration/single-sign-on',
  '/administration/provisioning',
  '/administration/api-keys',
  '/administration/audit',
  '/administration/server',
  '/administration/settings',
  '/profile',
  '/profile/tokens',
] as const;

/** The buttons that open a dialog. */
const DIALOGS = [
  ['/administration/users', 'Invite'],
  ['/administration/users', 'Create'],
  ['/administration/users?user=bob', 'Stop now'],
  ['/administration/users?user=bob', 'Delete'],
  ['/administration/groups', 'Create group'],
  ['/administration/connections', 'Create connection'],
  ['/profile/tokens', 'Create API key'],
  ['/catalog/@Shared', 'Upload'],
  ['/sql', 'Save as…'],
] as const;

const readBackground = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);

const readOutline = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);

describe.skipIf(chromiumPath === null)('the appearance', () => {
  it.each(['light', 'dark'] as const)('has its rules on each page, %s', async (colorScheme) => {
    const { url } = shared.server;
    const { page, complaints } = await openAs(url, 'admin', '/catalog', { colorScheme });
    for (const target of PAGES) {
      await page.goto(`${url}${target}`);
      await page
        .getByRole('main')
        .getByRole('heading')
        .or(page.getByRole('main').getByRole('textbox'))
        .first()
        .waitFor();
      await expect.poll(() => page.locator('.mantine-Skeleton-root').count()).toBe(0);
      await expectAppearance(page);
    }
    expect(complaints).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has its rules in each dialog, %s', async (colorScheme) => {
    const { url } = shared.server;
    const { page, complaints } = await openAs(url, 'admin', '/catalog', { colorScheme });
    for (const [target, name] of DIALOGS) {
      await page.goto(`${url}${target}`);
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.getByRole('dialog').getByRole('button').first().waitFor();
      await expectAppearance(page);
    }
    expect(complaints).toEqual([]);
  });

  it('has its rules around the results of a run, and the sign-in page', async () => {
    const { page } = await openRun(shared.server, 'SELECT 1 AS one');
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await waitForState(page, 'Done');
    await page.getByRole('gridcell', { name: '1' }).waitFor();
    await expectAppearance(page);
    const other = await openTab(shared.server.url, '/login', { colorScheme: 'dark' });
    await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectAppearance(other.page);
  });

  it('has dark surfaces of different lightness next to each other', async () => {
    const { page } = await openAs(shared.server.url, 'admin', '/administration/users?user=bob', {
      colorScheme: 'dark',
    });
    await page.getByRole('complementary', { name: 'bob' }).waitFor();
    const [bar, panel, side, body] = [
      await readBackground(page, 'header'),
      await readBackground(page, 'nav[data-pane]'),
      await readBackground(page, 'main aside'),
      await readBackground(page, 'body'),
    ];
    expect(side).toBe(panel);
    expect(new Set([bar, panel, body]).size).toBe(3);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog').waitFor();
    expect([bar, panel, body]).not.toContain(await readBackground(page, '.mantine-Modal-content'));
  });

  it('shows the focus to the keyboard only, also in fields', async () => {
    const { page } = await openAs(shared.server.url, 'admin', '/administration/users');
    await page.getByRole('textbox', { name: 'Search users' }).click();
    expect(await readOutline(page)).toBe('none');
    await page.keyboard.type('b');
    expect(await readOutline(page)).toBe('none');
    await page.keyboard.press('Tab');
    expect(await readOutline(page)).toBe('solid');
    await page.keyboard.press('Shift+Tab');
    expect(await readOutline(page)).toBe('solid');
  });
});
