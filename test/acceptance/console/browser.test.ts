import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { createClient } from '../../support/http.ts';
import { makeFolder } from '../../support/quern.ts';
import { runQuern, startServer } from '../../support/server.ts';
import {
  closeDialog,
  createAtPage,
  openAndSignIn,
  openDeletion,
  openSignedIn,
  openTab,
  openTokenDialog,
  signInAs,
} from './browser.ts';
import { makeToken, PASSWORD, setPassword, shareConsole, signIn } from './console.ts';

const shared = shareConsole({ ada: {}, bob: {}, eve: {}, kay: {}, tim: {}, ida: {}, jo: {} });
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

async function callWith(token: string): Promise<number> {
  return (await createClient(shared.server.url, token).list('')).status;
}

function findRow(page: Page, name: string) {
  return page.getByRole('row').filter({ hasText: name });
}

describe.skipIf(chromiumPath === null)('the console in a browser', () => {
  it('signs users in, and reports a wrong password', async () => {
    const { page, complaints } = await openTab(shared.server.url);
    await page.waitForURL('**/login');
    await expect.poll(() => page.title()).toBe('Sign in · Quern');
    await page.getByLabel('User name or e-mail').fill('ada');
    await page.getByLabel('Password').fill('a mill of no stones');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('User name or password is wrong').waitFor();
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await signInAs(page, 'ada');
    await page.waitForURL('**/catalog');
    await expect.poll(() => page.title()).toBe('Catalog · Quern');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Catalog');
    await page.reload();
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.goto(`${shared.server.url}/login`);
    await page.waitForURL('**/catalog');
    expect(complaints).toEqual([]);
  });

  it('explains how an administrator signs in without a password, until one has it', async () => {
    const { server } = await startServer();
    const { page, complaints } = await openTab(server.url);
    const hint = page.getByRole('note').filter({ hasText: 'No administrator has a password yet' });
    await hint.getByText('quern ui').waitFor();
    await runQuern(server.cwd, 'admin reset-password --password-stdin', `${PASSWORD}\n`);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await hint.waitFor({ state: 'detached' });
    await signInAs(page, 'admin');
    expect(complaints).toEqual([]);
  });

  it('creates tokens, shows them once, and deletes them', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'bob');
    const token = await createAtPage(page, 'nightly', async (dialog) => {
      await dialog.getByLabel('Description').fill('the report');
      await dialog.getByLabel('Expiration').selectOption('1 year');
    });
    await page.getByText('The API key is shown only once').waitFor();
    expect(await callWith(token)).toBe(200);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await page.getByRole('textbox', { name: 'API key nightly' }).inputValue()).toBe(token);
    await closeDialog(page);
    await findRow(page, 'nightly')
      .getByText(`${token.slice(0, 8)}…${token.slice(-4)}`)
      .waitFor();
    expect(await page.content()).not.toContain(token);
    await page.reload();
    await findRow(page, 'nightly').waitFor();
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toContain('qrn_');
    await openDeletion(page, 'nightly');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await callWith(token)).toBe(200);
    const panel = page.getByRole('complementary', { name: 'nightly' });
    await panel.getByText('the report').waitFor();
    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete API key' }).click();
    await page.getByText('No API keys yet').waitFor();
    await panel.waitFor({ state: 'detached' });
    expect(await callWith(token)).toBe(401);
    expect(complaints).toEqual([]);
  });

  it('copies a new token', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'tim', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const token = await createAtPage(page, 'for the clipboard');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token);
    expect(complaints).toEqual([]);
  });

  it('reports why a token cannot be created, and keeps the typed values', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'tim');
    await createAtPage(page, 'twice');
    await closeDialog(page);
    const dialog = await openTokenDialog(page);
    await dialog.getByLabel('Name').fill('twice');
    await dialog.getByLabel('Expiration').selectOption('On a day of your choice');
    await dialog.getByLabel('Expires on').fill('2999-01-31');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await dialog.getByRole('alert').getByText('Token already exists: twice').waitFor();
    await dialog.getByLabel('Name').fill('thrice');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await closeDialog(page);
    expect(await findRow(page, 'thrice').textContent()).toContain('31 Jan 2999');
    expect(complaints).toEqual([]);
  });

  it('allows administrators to create and see tokens of others', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'admin');
    const token = await createAtPage(page, 'for eve', async (dialog) => {
      await dialog.getByRole('combobox', { name: 'Owner' }).click();
      await page.getByRole('option', { name: 'eve', exact: true }).click();
      await dialog.getByLabel('Scope').selectOption('read');
    });
    await closeDialog(page);
    await page.waitForURL('**/administration/api-keys?**');
    const panel = page.getByRole('complementary', { name: 'for eve' });
    await panel.getByRole('link', { name: 'eve', exact: true }).waitFor();
    await panel.getByText('read', { exact: true }).waitFor();
    expect((await createClient(shared.server.url, token).list('@Personal')).status).toBe(200);
    await findRow(page, 'for eve').waitFor();
    await page.goBack();
    await page.getByRole('navigation', { name: 'Profile' }).waitFor();
    expect(await findRow(page, 'for eve').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('searches and filters the tokens of the user, with the panel in the address', async () => {
    const jo = await signIn(shared.server.url, 'jo');
    await makeToken(jo, { name: 'report', description: 'for the Mill', expires_at: 'never' });
    await makeToken(jo, { name: 'dashboard' });
    const { page, complaints } = await openSignedIn(shared.server.url, 'jo');
    await page.getByText('2 API keys').waitFor();
    await page.getByLabel('Search API keys').fill('mill');
    await findRow(page, 'dashboard').waitFor({ state: 'detached' });
    await page.getByLabel('Expiry').selectOption('Expires within 30 days');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByRole('link', { name: 'report' }).click();
    await page.reload();
    const panel = page.getByRole('complementary', { name: 'report' });
    await panel.getByText('for the Mill').waitFor();
    expect(await panel.getByRole('link').count()).toBe(0);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('shows other users only their own tokens', async () => {
    const eve = await signIn(shared.server.url, 'eve');
    await makeToken(eve, { name: 'of eve' });
    const { page, complaints } = await openSignedIn(shared.server.url, 'kay');
    await page.getByText('No API keys yet').waitFor();
    const dialog = await openTokenDialog(page);
    expect(await dialog.getByLabel('Owner').count()).toBe(0);
    await page.keyboard.press('Escape');
    await createAtPage(page, 'of kay');
    await closeDialog(page);
    await findRow(page, 'of kay').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Owner' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('returns to the sign-in page when the session ends, and then to the last page', async () => {
    const { server } = shared;
    const { page, complaints } = await openSignedIn(server.url, 'ida');
    await setPassword(server.cwd, 'ida');
    const dialog = await openTokenDialog(page);
    await dialog.getByLabel('Name').fill('too late');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByRole('button', { name: 'Discard the input' }).click();
    await page.waitForURL('**/login?return=**');
    expect(new URL(page.url()).searchParams.get('return')).toBe('/profile/tokens?create=1');
    await signInAs(page, 'ida');
    expect(new URL(page.url()).pathname).toBe('/profile/tokens');
    await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('redirects to no other site', async () => {
    const { server } = shared;
    for (const target of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      'javascript:alert(1)',
    ]) {
      const { page, complaints } = await openTab(server.url, `/login?return=${encodeURIComponent(target)}`);
      await signInAs(page, 'ada');
      await page.waitForURL(`${server.url}/catalog`);
      expect(complaints).toEqual([]);
    }
  });

  it('signs out, and shows no data when the user goes back', async () => {
    const { page, complaints } = await openAndSignIn(shared.server.url, 'ada');
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([
      { name: expect.stringMatching(/^session-\d+$/), httpOnly: true, sameSite: 'Lax' },
    ]);
    await page.getByRole('button', { name: 'Profile menu of ada' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.goBack();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${shared.server.url}/profile/tokens`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Profile', level: 1 }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('continues after a new sign-in in another tab', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'kay');
    const other = await page.context().newPage();
    await other.goto(shared.server.url);
    await other.getByRole('button', { name: 'Profile menu of kay' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signInAs(other, 'kay');
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    await createAtPage(page, 'after all');
    await closeDialog(page);
    await findRow(page, 'after all').waitFor();
    expect(complaints).toEqual([]);
  });

  it('continues after the browser has got another session', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'kay');
    const dialog = await openTokenDialog(page);
    await dialog.getByLabel('Name').fill('at the second attempt');
    const answer = await page.request.post(`${shared.server.url}/console/api/sign-in`, {
      data: { login: 'kay', password: PASSWORD },
    });
    expect(answer.status()).toBe(200);
    const session = page.waitForResponse('**/console/api/session');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await dialog.getByRole('alert').getByText('belongs to another session').waitFor();
    await session;
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await closeDialog(page);
    await findRow(page, 'at the second attempt').waitFor();
    expect(complaints).toEqual([]);
  });

  it('reports how long to wait after many failures', async () => {
    const { server } = await startServer();
    const { page, complaints } = await openTab(server.url);
    await page.getByLabel('User name or e-mail').fill('nobody');
    for (let attempt = 0; attempt < 6; attempt++) {
      const answer = page.waitForResponse('**/console/api/sign-in');
      await page.getByLabel('Password').fill('a mill of no stones');
      await page.getByRole('button', { name: 'Sign in' }).click();
      if ((await answer).status() === 429) break;
    }
    await page.getByText(/Too many failed attempts. Try again in \d+ seconds?/).waitFor();
    const button = page.getByRole('button', { name: 'Sign in' });
    expect(await button.isDisabled()).toBe(true);
    await button.and(page.locator(':enabled')).waitFor();
    expect(complaints).toEqual([]);
  });

  it('can be used without a mouse', async () => {
    const { page, complaints } = await openTab(shared.server.url, '/profile/tokens');
    const focused = () =>
      page.evaluate<string>(`{
        const { labels, ariaLabel, textContent } = document.activeElement;
        labels?.[0]?.textContent ?? ariaLabel ?? textContent;
      }`);
    /** Presses the tab key until an element has the focus; the loop ends if it never has. */
    const tabTo = async (name: RegExp) => {
      for (let presses = 0; presses < 15 && !name.test(await focused()); presses++) {
        await page.keyboard.press('Tab');
      }
      expect(await focused()).toMatch(name);
    };
    await page.getByLabel('Password').waitFor();
    expect(await focused()).toMatch(/^User name or e-mail/);
    await page.keyboard.type('ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    await tabTo(/^Create API key$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    await expect.poll(focused).toMatch(/^Name/);
    await page.keyboard.type('by keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Your new API key' }).waitFor();
    await expect.poll(focused).toMatch(/^Cop/);
    await tabTo(/^Done$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(/^by keyboard$/);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('by keyboard');
    await page.getByRole('complementary', { name: 'by keyboard' }).getByText('Scope').waitFor();
    await tabTo(/^Delete$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Delete this API key?' }).waitFor();
    await expect.poll(focused).toBe('Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await findRow(page, 'by keyboard').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('is light or dark as the system is, unless the user chooses', async () => {
    const { page, complaints } = await openSignedIn(shared.server.url, 'ada', { colorScheme: 'dark' });
    const readLightness = async () => {
      const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      return Number(/\d+/.exec(colour)?.[0]);
    };
    expect(await readLightness()).toBeLessThan(60);
    await page.getByRole('button', { name: 'Profile menu of ada' }).click();
    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    await expect.poll(readLightness).toBeGreaterThan(200);
    await page.reload();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    expect(await readLightness()).toBeGreaterThan(200);
    expect(complaints).toEqual([]);
  });

  it('fits the screen of a telephone', async () => {
    const tim = await signIn(shared.server.url, 'tim');
    await makeToken(tim, { name: 'a'.repeat(255), description: 'long '.repeat(150) });
    const { page, complaints } = await openSignedIn(shared.server.url, 'tim', {
      viewport: { width: 360, height: 700 },
    });
    await page.getByRole('listitem').first().waitFor();
    const readOverflow = () =>
      page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(await readOverflow()).toBe(0);
    await openTokenDialog(page);
    expect(await readOverflow()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('has an accessible name for every control', async () => {
    const { page } = await openSignedIn(shared.server.url, 'admin');
    const findNameless = () =>
      page.evaluate<string[]>(`
        [...document.querySelectorAll('button, a[href], input, select')]
          .filter((element) => element.checkVisibility())
          .filter(({ ariaLabel, textContent, labels }) => !(ariaLabel || textContent.trim() || labels?.length))
          .map((element) => element.outerHTML)
      `);
    expect(await findNameless()).toEqual([]);
    await openTokenDialog(page);
    expect(await findNameless()).toEqual([]);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.locator('main').count()).toBe(1);
    expect(await page.locator('h1').count()).toBe(1);
  });

  it('reports an unreachable server, and continues when it is available again', async () => {
    const { server } = await startServer();
    await setPassword(server.cwd, 'admin');
    const { page } = await openSignedIn(server.url, 'admin');
    await page.route('**/console/api/**', (route) => route.abort());
    const dialog = await openTokenDialog(page);
    await dialog.getByLabel('Name').fill('later');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await dialog.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await page.reload();
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await page.unroute('**/console/api/**');
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows a page that links to the start page at an unknown address', async () => {
    const { page, complaints } = await openTab(shared.server.url, '/no/such/page');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The browser itself reports the status of the page.
    expect(complaints).toEqual([expect.stringContaining('status of 404')]);
  });

  it('loads its style sheet again if that has failed', async () => {
    const { page } = await openTab(shared.server.url);
    let requests = 0;
    await page.route('**/assets/index-*.css', (route) => {
      requests += 1;
      return requests === 1 ? route.abort() : route.continue();
    });
    await page.goto(`${shared.server.url}/profile/tokens`);
    await signInAs(page, 'admin');
    await openTokenDialog(page);
    expect(requests).toBe(2);
  });

  it.skipIf(!hasOpenssl)('keeps the session in a cookie for this host only over HTTPS', async () => {
    const folder = makeFolder();
    const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
        ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', key, '-out', cert],
      ],
      { stdio: 'ignore' },
    );
    const { server } = await startServer('--tls-cert', cert, '--tls-key', key);
    await setPassword(server.cwd, 'admin');
    const { page, complaints } = await openAndSignIn(server.url, 'admin', { ignoreHTTPSErrors: true });
    expect(await page.context().cookies()).toMatchObject([
      { name: '__Host-session', secure: true, httpOnly: true, sameSite: 'Lax', path: '/' },
    ]);
    await createAtPage(page, 'over https');
    expect(complaints).toEqual([]);
  });
});
