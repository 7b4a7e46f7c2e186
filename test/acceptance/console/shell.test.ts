import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { makeAdminHome, serve } from '../../support/server.ts';
import { openAndSignIn, openDeletion, openSignedIn, openTokenDialog, signInAs } from './browser.ts';
import { setPassword, shareConsole } from './console.ts';
import { expectAccessible, visit } from './visit.ts';

const shared = shareConsole({ ada: {}, bob: {}, eve: {}, kay: {} });

const readFocus = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

async function signOutInAnotherTab(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(new URL('/', page.url()).href);
  await other.getByRole('button', { name: 'Profile menu' }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  return other;
}

describe.skipIf(chromiumPath === null)('the shell', () => {
  it('shows icons in the sidebar, or names if one likes, and remembers it', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    const rail = page.getByRole('navigation', { name: 'Pages' });
    const link = rail.getByRole('link', { name: 'Catalog' });
    await link.click();
    await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
    const readWidth = async () => (await rail.boundingBox())!.width;
    expect(await readWidth()).toBeLessThan(60);
    await page.getByRole('button', { name: 'Expand sidebar' }).click();
    await page.getByRole('button', { name: 'Collapse sidebar' }).waitFor();
    expect(await readWidth()).toBeGreaterThan(150);
    await page.reload();
    await link.waitFor();
    expect(await readWidth()).toBeGreaterThan(150);
    await visit(page, 'sidebar-expanded');
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
    await page.getByRole('button', { name: 'Expand sidebar' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('can be used with the keyboard alone', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    const reached: string[] = [];
    // The loop ends even if the tab key never reaches the content.
    for (let presses = 0; presses < 15 && reached.at(-1) !== 'Create API key'; presses++) {
      await page.keyboard.press('Tab');
      const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline).toBe('solid');
      reached.push(
        await page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent'),
      );
    }
    expect(reached).toEqual([
      'Skip to the content',
      'Quern, start page',
      expect.stringContaining('Search'),
      expect.stringContaining('Profile menu of ada'),
      'Catalog',
      'SQL',
      'Expand sidebar',
      'Create API key',
    ]);
    await page.getByRole('button', { name: 'Profile menu of ada' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    const items = ['Profile', 'API keys', 'Documentation', 'System', 'Light', 'Dark', 'Sign out'];
    for (const item of items) {
      await expect.poll(() => readFocus(page)).toBe(item);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => readFocus(page)).toContain('Profile menu of ada');
    await page.getByRole('link', { name: 'Skip to the content' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await readFocus(page)).toBe('Create API key');
    expect(complaints).toEqual([]);
  });

  it('has a drawer instead of the sidebar on a narrow screen', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada', {
      viewport: { width: 390, height: 844 },
    });
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Open sidebar' }).click();
    const link = page.getByRole('dialog').getByRole('link', { name: 'Catalog' });
    await link.waitFor();
    await expectAccessible(page);
    await link.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('moves the focus to the heading of the page that is opened', async () => {
    const { page, complaints } = await openAndSignIn(shared.server.url, 'ada');
    await expect.poll(() => readFocus(page)).toBe('Profile');
    await page.goto(`${shared.server.url}/no/such/page`);
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await expect.poll(() => readFocus(page)).toBe('Catalog');
    expect(complaints).toEqual([expect.stringContaining('status of 404')]);
  });

  it('leaves the page when the session ends in another tab', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    const other = await signOutInAnotherTab(page);
    await page.waitForURL('**/login?return=**');
    await page.getByText('Your session has ended. Sign in to continue.').waitFor();
    await signInAs(other, 'ada');
    expect(complaints).toEqual([]);
  });

  it('keeps unsaved input when the session ends, until one has signed in again', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'bob');
    const form = await openTokenDialog(page);
    await form.getByLabel('Name').fill('typed before');
    const other = await signOutInAnotherTab(page);
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    await visit(page, 'session-ended');
    await signInAs(other, 'bob');
    await ended.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('typed before');
    await form.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('dialog', { name: 'Your new API key' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('does not mix the input of two users', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'eve');
    const form = await openTokenDialog(page);
    await form.getByLabel('Name').fill('of eve');
    const other = await signOutInAnotherTab(page);
    await signInAs(other, 'kay');
    const replaced = page.getByRole('dialog', { name: 'Another user has signed in' });
    await replaced.getByText('signed in as kay').waitFor();
    await visit(page, 'session-replaced');
    await replaced.getByRole('button', { name: 'Discard the input' }).click();
    await page.getByRole('button', { name: 'Profile menu of kay' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('asks before it discards input', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    await page.getByRole('link', { name: 'Catalog' }).click();
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    await page.getByRole('button', { name: 'Profile menu of ada' }).click();
    await page.getByRole('menuitem', { name: 'API keys' }).click();
    const form = await openTokenDialog(page);
    await form.getByLabel('Name').fill('half typed');
    await page.goBack();
    const question = page.getByRole('dialog', { name: 'Discard your input?' });
    await question.waitFor();
    await visit(page, 'discard');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('half typed');
    await page.goBack();
    await question.getByRole('button', { name: 'Discard and leave' }).click();
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('says that the server has stopped, and continues when it has started again', async () => {
    const { cwd } = await makeAdminHome();
    await setPassword(cwd, 'admin');
    const first = await serve(cwd);
    const { port } = new URL(first.url);
    const { page } = await openSignedIn(first.url, 'admin');
    const form = await openTokenDialog(page);
    await form.getByLabel('Name').fill('across a restart');
    await first.stop();
    await form.getByRole('button', { name: 'Create API key' }).click();
    await form.getByRole('alert').getByText('The server cannot be reached').waitFor();
    const banner = page.getByRole('status').filter({ hasText: 'connects again' });
    await banner.waitFor();
    await visit(page, 'server-unreachable');
    const second = await serve(cwd, ['--port', port]);
    await banner.waitFor({ state: 'detached' });
    await form.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('dialog', { name: 'Your new API key' }).waitFor();
    await second.kill();
  });

  it('announces what is done', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    const form = await openTokenDialog(page);
    await form.getByLabel('Name').fill('short-lived');
    await form.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await openDeletion(page, 'short-lived');
    await page.getByRole('button', { name: 'Delete API key' }).click();
    const region = page.getByRole('region', { name: 'Notifications' });
    expect(await region.getAttribute('aria-live')).toBe('polite');
    await region.getByText('Deleted the API key short-lived').waitFor();
    await visit(page, 'notification');
    await region.getByRole('button', { name: 'Dismiss the notification' }).click();
    await region.getByText('Deleted the API key short-lived').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
