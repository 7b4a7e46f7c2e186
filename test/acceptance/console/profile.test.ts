import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { expectRefusal } from '../../support/http.ts';
import { runQuern, startServer } from '../../support/server.ts';
import { openAndSignIn, openSignedIn, openTab } from './browser.ts';
import { askToSignIn, PASSWORD, shareConsole, signIn } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({
  ada: { email: 'ada@example.org', display_name: 'Ada Lovelace' },
  bob: {},
  eve: {},
  tim: {},
  kay: {},
});
const OTHER = 'another mill, of wood';

beforeAll(async () => {
  const { cwd } = shared.server;
  await runQuern(cwd, 'group create analysts');
  await runQuern(cwd, 'group add-member analysts ada');
});

/** Opens the profile from the menu. */
async function openProfile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  await page.getByRole('table', { name: 'Sessions' }).waitFor();
}

const listRows = (page: Page) => page.getByRole('table', { name: 'Sessions' }).locator('tr[data-row]');

describe.skipIf(chromiumPath === null)('the profile in a browser', () => {
  it('shows the account, and changes the display name', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada');
    await openProfile(page);
    for (const fact of ['ada@example.org', 'EDITOR', 'analysts', 'Managed in Quern']) {
      await page.getByText(fact, { exact: true }).waitFor();
    }
    const save = page.getByRole('button', { name: 'Save' });
    expect(await save.isDisabled()).toBe(true);
    await visit(page, 'profile');
    await page.getByLabel('Display name').fill('Countess of Lovelace');
    await save.click();
    await page.getByText('Changed the display name').waitFor();
    await page.getByRole('banner').getByText('Countess of Lovelace').waitFor();
    await page.reload();
    await page.getByLabel('Display name').waitFor();
    expect(await page.getByLabel('Display name').inputValue()).toBe('Countess of Lovelace');
    const tabs = page.getByRole('navigation', { name: 'Profile' });
    await tabs.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    expect(await tabs.getByRole('link', { name: 'API keys' }).getAttribute('aria-current')).toBe('page');
    await tabs.getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('changes the password from the keyboard alone, and ends other sessions', async () => {
    const { url } = shared.server;
    const other = await signIn(url, 'bob');
    const { page, complaints } = await openSignedIn(url, 'bob');
    await openProfile(page);
    expect(await listRows(page).count()).toBe(2);
    await page.getByLabel('Current password').focus();
    await page.keyboard.type('wrong');
    await page.getByLabel('New password').focus();
    await page.keyboard.type(OTHER);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Current password is wrong').waitFor();
    await visit(page, 'profile-wrong-password');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('easily guessed').waitFor();
    await page.getByLabel('New password').fill(OTHER);
    await page.keyboard.press('Enter');
    await page.getByText('Changed the password').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    await expect.poll(() => listRows(page).count()).toBe(1);
    expect((await other.send('GET', 'session')).status).toBe(401);
    expect((await askToSignIn(url, { login: 'bob', password: PASSWORD })).status).toBe(401);
    expect((await askToSignIn(url, { login: 'bob', password: OTHER })).status).toBe(200);
    expect(complaints).toEqual([]);
  });

  it('lists the sessions, and ends one or all others', async () => {
    const { url } = shared.server;
    const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Safari/604.1';
    const first = await signIn(url, 'eve', { 'user-agent': phone });
    const second = await signIn(url, 'eve', { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/133.0' });
    const third = await signIn(url, 'eve', { 'user-agent': '<script>alert(1)</script>' });
    const { page, complaints } = await openAndSignIn(url, 'eve');
    await openProfile(page);
    const own = listRows(page).filter({ hasText: 'This session' });
    expect(await own.textContent()).toContain('Chrome on Linux');
    expect(await own.textContent()).toContain('127.0.0.1');
    expect(await own.getByRole('button').count()).toBe(0);
    await listRows(page).filter({ hasText: 'Unknown browser' }).waitFor();
    await visit(page, 'profile-sessions');
    await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).click();
    await page.getByText('Signed out Safari on iPhone').waitFor();
    await expect.poll(() => listRows(page).count()).toBe(3);
    expect((await first.send('GET', 'session')).status).toBe(401);
    expect((await second.send('GET', 'session')).status).toBe(200);
    await page.getByRole('button', { name: 'Sign out all others' }).click();
    await page.getByText('Signed out everywhere else').waitFor();
    await expect.poll(() => listRows(page).count()).toBe(1);
    expect((await second.send('GET', 'session')).status).toBe(401);
    expect((await third.send('GET', 'session')).status).toBe(401);
    expect(await page.getByRole('button', { name: 'Sign out all others' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says what cannot be loaded, and loads it again', async () => {
    const { page } = await openSignedIn(shared.server.url, 'kay');
    await page.route('**/console/api/profile/sessions', (route) =>
      route.fulfill({ status: 500, json: { detail: 'Internal error' } }),
    );
    await page.route('**/console/api/profile', (route) =>
      route.fulfill({ status: 500, json: { detail: 'Internal error' } }),
    );
    await page.goto(`${shared.server.url}/profile`);
    await page.getByText('Your account cannot be shown').waitFor();
    await page.getByText('Sessions cannot be shown').waitFor();
    await visit(page, 'profile-error');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByLabel('Display name').waitFor();
  });
});

describe.skipIf(chromiumPath === null)('the first password', () => {
  it('is asked for after `quern ui`, and can be chosen later in the profile', async () => {
    const { server } = await startServer();
    const open = async () => pathToFileURL((await runQuern(server.cwd, 'ui --no-open')).trim()).href;
    const { page, complaints } = await openTab(server.url, '/login');
    await page.goto(await open());
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('new-password');
    await visit(page, 'choose-password');
    await page.keyboard.type('admin-2026');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('easily guessed').waitFor();
    await visit(page, 'choose-password-refused');
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('button', { name: 'Profile menu of admin' }).waitFor();
    await page.goto(await open());
    await page.getByRole('button', { name: 'Profile menu of admin' }).waitFor();
    await openProfile(page);
    await listRows(page).filter({ hasText: 'quern ui' }).first().waitFor();
    await visit(page, 'profile-first-password');
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Set the password').waitFor();
    await page.getByLabel('Current password').waitFor();
    expect((await askToSignIn(server.url, { login: 'admin', password: PASSWORD })).status).toBe(200);
    expect(complaints).toEqual([]);
  });

  it('is set on the page, which then is not shown again', async () => {
    const { server } = await startServer();
    const file = (await runQuern(server.cwd, 'ui --no-open')).trim();
    const { page, complaints } = await openTab(server.url, '/login');
    await page.goto(pathToFileURL(file).href);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('button', { name: 'Profile menu of admin' }).waitFor();
    await page.goto(`${server.url}/choose-password`);
    await page.getByRole('button', { name: 'Profile menu of admin' }).waitFor();
    expect(complaints).toEqual([]);
    const other = await openTab(server.url, '/choose-password');
    await other.page.waitForURL('**/login');
  });
});

describe('the profile over HTTP', () => {
  it('checks what is sent', async () => {
    const tim = await signIn(shared.server.url, 'tim');
    const rows: [string, unknown, string][] = [
      ['profile', {}, 'Display name is required'],
      ['profile', { display_name: 7 }, 'Display name must be a string'],
      ['profile', { display_name: 'a\u0007' }, 'Display name must not have control characters'],
      ['profile/password', {}, 'New password is required'],
      ['profile/password', { next: ['x'] }, 'New password must be a string'],
      ['profile/password', { current: 7, next: OTHER }, 'Current password must be a string'],
      ['profile/password', { current: PASSWORD, next: 'short' }, expect.stringContaining('8 characters')],
      ['profile/password', { current: 'x'.repeat(4001), next: OTHER }, expect.stringContaining('4000')],
    ];
    for (const [target, body, detail] of rows)
      expectRefusal(await tim.send('PUT', target, { body }), 400, detail);
    expectRefusal(
      await tim.send('PUT', 'profile/password', { body: { next: OTHER } }),
      403,
      expect.anything(),
    );
    expectRefusal(await tim.send('DELETE', 'profile/sessions/nothing'), 404, 'The session has ended already');
  });

  it.each([
    ['GET', 'profile'],
    ['PUT', 'profile'],
    ['PUT', 'profile/password'],
    ['GET', 'profile/sessions'],
    ['DELETE', 'profile/sessions'],
    ['DELETE', 'profile/sessions/x'],
  ])('needs a session and its CSRF token: %s %s', async (method, target) => {
    const { server, token } = shared;
    const { url } = server;
    const tim = await signIn(url, 'tim');
    const noCookie = await tim.send(method, target, { headers: { cookie: '' } });
    expect(noCookie.status).toBe(401);
    const bearer = await tim.send(method, target, {
      headers: { cookie: '', authorization: `Bearer ${token}` },
    });
    expect(bearer.status).toBe(401);
    if (method !== 'GET') {
      const forged = await tim.send(method, target, { headers: { 'x-csrf-token': 'x' } });
      expect(forged.status).toBe(403);
    }
    expect((await tim.send('GET', 'session')).status).toBe(200);
  });
});
