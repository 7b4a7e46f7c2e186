import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage } from '../../support/chromium.ts';
import { sendHttps } from '../../support/sso/https.ts';
import {
  addUser,
  changeSettings,
  expectConsole,
  followLink,
  openAtProvider,
  readGroups,
  readReason,
  readRefusal,
  type SsoWorld,
  signInAs,
} from './instance.ts';

/** The tests that each identity provider must pass; the last one stops it. */
export function testFlows(world: SsoWorld): void {
  testAccounts(world);
  testKeys(world);
  testSigningOut(world);
  testProviderStopped(world);
}

interface Account {
  readonly user_name: string;
  readonly email: string | null;
  readonly display_name: string;
  readonly active: boolean;
}

/** Tests that depend little on the identity provider; the fastest one is enough. */
export function testOwnSide(world: SsoWorld): void {
  testSettings(world);
  testStolen(world);
}

function testAccounts(world: SsoWorld): void {
  it('creates a user with the groups at the first sign-in, and shows the console', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const user = await addUser(world, { groups: [one, other] });
    const page = await signInAs(world, user.name);
    await expectConsole(page, user.name);
    const account = await world.manage<Account>('GET', `/users/${user.name}`);
    expect(account).toMatchObject({ email: user.email, display_name: 'Ada Miller', active: true });
    expect(await readGroups(world, user.name)).toEqual([one, other].sort());
  });

  it('updates groups and name at the next sign-in', async () => {
    const [one, other, third] = [randomUUID(), randomUUID(), randomUUID()];
    const user = await addUser(world, { groups: [one, other] });
    await expectConsole(await signInAs(world, user.name), user.name);
    await world.provider.setUser(user.name, { ...user, lastName: 'Müller-Øst', groups: [other, third] });
    await expectConsole(await signInAs(world, user.name), user.name);
    expect(await readGroups(world, user.name)).toEqual([other, third].sort());
    expect(await world.manage('GET', `/users/${user.name}`)).toMatchObject({
      display_name: 'Ada Müller-Øst',
    });
    await world.provider.setUser(user.name, { ...user, groups: [] });
    await expectConsole(await signInAs(world, user.name), user.name);
    expect(await readGroups(world, user.name)).toEqual([]);
  });

  it('returns to the requested page', async () => {
    const user = await addUser(world);
    const page = await openAtProvider(world);
    await page.goto(`${world.url}/profile/tokens`);
    await page.waitForURL(`${world.url}/login?**`);
    await followLink(page);
    await world.provider.signIn(page, user.name);
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    expect(page.url()).toBe(`${world.url}/profile/tokens`);
  });

  it('treats an e-mail in another case as the same user', async () => {
    const user = await addUser(world);
    await expectConsole(await signInAs(world, user.name), user.name);
    await world.provider.setUser(user.name, { ...user, email: user.email.toUpperCase() });
    await expectConsole(await signInAs(world, user.name), user.name);
    const { data } = await world.manage<{ data: readonly Account[] }>('GET', '/users?limit=1000');
    const same = data.filter(({ email }) => email?.toLowerCase() === user.email);
    expect(same.map(({ user_name: name }) => name)).toEqual([user.name]);
  });

  it('refuses a disabled user with a clear message', async () => {
    const user = await addUser(world);
    await expectConsole(await signInAs(world, user.name), user.name);
    await world.manage('PUT', `/users/${user.name}`, { active: false });
    const { text, check } = await readRefusal(await signInAs(world, user.name), world);
    expect(text).toMatch(/disabled/);
    expect(check).toBe('account-disabled');
  });

  it('refuses the e-mail of a manual user, and creates a disabled user after the manual one is deleted', async () => {
    const user = await addUser(world);
    const manual = `manual-${user.name}`;
    await world.manage('POST', '/users', { user_name: manual, email: user.email });
    const conflict = await readRefusal(await signInAs(world, user.name), world);
    expect(conflict.text).toContain(`User with given email already registered: ${user.email}`);
    expect(conflict.text).toMatch(/contact (the|your) system administrator/);

    await world.manage('DELETE', `/users/${manual}`);
    const disabled = await readRefusal(await signInAs(world, user.name), world);
    expect(disabled.check).toBe('account-disabled');
    const account = await world.manage<Account>('GET', `/users/${user.name}`);
    expect(account).toMatchObject({ email: user.email, active: false });

    await world.manage('PUT', `/users/${user.name}`, { active: true });
    await expectConsole(await signInAs(world, user.name), user.name);
  });
}

function testSettings(world: SsoWorld): void {
  it('posts its request where the identity provider accepts only POST', async () => {
    const user = await addUser(world);
    const metadata = await world.provider.readMetadata();
    const single = metadata.replace(
      /<md:SingleSignOnService [^>]*HTTP-Redirect"[^>]*>(<\/md:SingleSignOnService>)?/,
      '',
    );
    expect(single).not.toBe(metadata);
    await changeSettings(world, { metadata: single }, { metadata });
    const page = await openPage({}, world.browser);
    const posted = page.waitForRequest((request) => request.method() === 'POST');
    await page.goto(`${world.url}/login`);
    await followLink(page);
    expect((await posted).url().startsWith(world.provider.url)).toBe(true);
    await world.provider.signIn(page, user.name);
    await expectConsole(page, user.name);
  });

  it('shows the received values in a test sign-in, and creates no session', async () => {
    const group = randomUUID();
    const user = await addUser(world, { groups: [group] });
    const started = await world.manage<{ id: string; url: string }>('POST', '/sso/saml/tests');
    const page = await openPage({}, world.browser);
    await page.goto(started.url);
    await world.provider.signIn(page, user.name);
    await page.getByText('The test succeeded').waitFor();
    const { status, outcome } = await world.manage<{ status: string; outcome: object }>(
      'GET',
      `/sso/saml/tests/${started.id}`,
    );
    expect(status).toBe('finished');
    const attributes = { username: [user.name], firstName: ['Ada'], lastName: ['Miller'], groups: [group] };
    expect(outcome).toMatchObject({ passed: true, check: null, subject: user.email, attributes });
    await page.goto(`${world.url}/`);
    await page.getByRole('link', { name: 'Sign in with the mill' }).waitFor();
    await expect(world.manage('GET', `/users/${user.name}`)).rejects.toThrow('404');
  });

  it('allows passwords only to administrators, with a parameter, where single sign-on is required', async () => {
    const password = randomUUID();
    await world.manage('PUT', '/users/admin', { password });
    await changeSettings(world, { sso_only: true }, { sso_only: false });
    const page = await openPage({}, world.browser);
    await page.goto(`${world.url}/login`);
    await page.getByRole('link', { name: 'Sign in with the mill' }).waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await page.goto(`${world.url}/login?local=1`);
    await signInByPassword(page, 'admin', password);
    await expectConsole(page, 'admin');
  });
}

function testStolen(world: SsoWorld): void {
  it('accepts an answer once, and only from the browser that requested it', async () => {
    const user = await addUser(world);
    const { page, body } = await catchAnswer(world, user.name);
    const cookie = await readCookies(page, world);
    const other = await openAtProvider(world);
    const foreign = await readCookies(other, world);
    expect(foreign).not.toBe(cookie);
    for (const thief of [undefined, foreign, `${foreign}; ${foreign}`]) {
      const answer = await post(world, body, thief);
      expect(answer.status).toBe(403);
      expect((await readReason(answer.reference, world)).check).toBe('request');
    }
    const answers = await Promise.all(Array.from({ length: 4 }, () => post(world, body, cookie)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(3).fill(403)]);
    expect((await post(world, body, cookie)).status).toBe(403);
  });

  it('refuses an answer that was changed in transit', async () => {
    const user = await addUser(world);
    const { page, body } = await catchAnswer(world, user.name);
    const form = new URLSearchParams(body);
    const xml = Buffer.from(form.get('SAMLResponse')!, 'base64').toString('utf8');
    const changed = xml.replaceAll(user.email, 'admin@example.org');
    expect(changed).not.toBe(xml);
    form.set('SAMLResponse', Buffer.from(changed).toString('base64'));
    const answer = await post(world, form.toString(), await readCookies(page, world));
    expect(answer.status).toBe(403);
    expect((await readReason(answer.reference, world)).check).toBe('digest');
    expect((await post(world, body, await readCookies(page, world))).status).toBe(303);
  });
}

/** Signs in at the provider, and stops its answer. */
async function catchAnswer(
  world: SsoWorld,
  name: string,
): Promise<{ readonly page: Page; readonly body: string }> {
  const page = await openAtProvider(world);
  const { promise, resolve } = Promise.withResolvers<string>();
  await page.route('**/api/saml2/callback*', async (route) => {
    resolve(route.request().postData() ?? '');
    await route.abort();
  });
  await world.provider.signIn(page, name);
  return { page, body: await promise };
}

async function readCookies(page: Page, { url }: SsoWorld): Promise<string> {
  const cookies = await page.context().cookies(url);
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

async function post(
  { url, tls, provider }: SsoWorld,
  body: string,
  cookie: string | undefined,
): Promise<{ readonly status: number; readonly reference: string }> {
  const type = { 'content-type': 'application/x-www-form-urlencoded', origin: provider.url };
  const { status, text } = await sendHttps(`${url}/api/saml2/callback`, tls.authority, {
    method: 'POST',
    headers: { ...type, ...(cookie === undefined ? {} : { cookie }) },
    body,
  });
  const [, reference = ''] = /<code>([^<]+)<\/code>/.exec(text) ?? [];
  return { status, reference };
}

function testKeys(world: SsoWorld): void {
  const read = async () => {
    const { manage, provider } = world;
    const metadata = await provider.readMetadata();
    const settings = await manage<{ identity_provider: { certificates: unknown[] } }>('PUT', '/sso/saml', {
      metadata,
    });
    return settings.identity_provider.certificates.length;
  };

  it('works while the identity provider changes its key, and refuses a key that is not in its metadata', async () => {
    const user = await addUser(world);
    const signIn = async () => expectConsole(await signInAs(world, user.name), user.name);
    await world.provider.announceKey();
    await signIn();
    expect(await read()).toBe(2);
    await signIn();
    await world.provider.switchKey();
    await signIn();
    expect(await read()).toBe(1);
    await signIn();

    await world.provider.switchKey();
    expect((await readRefusal(await signInAs(world, user.name), world)).check).toBe('key');
    await read();
    await signIn();
  });
}

function testSigningOut(world: SsoWorld): void {
  it('ends the session at the identity provider as well', async () => {
    const user = await addUser(world);
    const page = await signInAs(world, user.name);
    await expectConsole(page, user.name);
    const back = page.waitForResponse((response) => response.url().includes('SAMLResponse='));
    await signOut(page, user.name);
    expect((await back).headers().location).toBe('/login');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await followLink(page);
    await world.provider.waitForForm(page);
    expect(world.server.log()).not.toContain('single sign-out not confirmed');
  });

  it('refuses a sign-out that starts at the identity provider', async () => {
    const user = await addUser(world);
    const page = await signInAs(world, user.name);
    await expectConsole(page, user.name);
    await world.provider.signOut(page);
    await page.getByText('Signing out at the identity provider does not sign out here').waitFor();
    await page.goto(`${world.url}/`);
    await expectConsole(page, user.name);
  });
}

async function signOut(page: Page, userName: string): Promise<void> {
  await page.getByRole('button', { name: `Profile menu of ${userName}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

function testProviderStopped(world: SsoWorld): void {
  it('lets administrators sign in with a password while the identity provider is down', async () => {
    const user = await addUser(world);
    const password = randomUUID();
    await world.manage('PUT', '/users/admin', { password });
    const page = await openAtProvider(world);
    const failure = page.waitForEvent('requestfailed', (request) => request.isNavigationRequest());
    await world.provider.stop();
    await world.provider.signIn(page, user.name);
    expect((await failure).failure()).toEqual({ errorText: 'net::ERR_CONNECTION_REFUSED' });
    await page.waitForURL('chrome-error://chromewebdata/');
    await page.goto(`${world.url}/login`);
    await signInByPassword(page, 'admin', password);
    await expectConsole(page, 'admin');
  });
}

async function signInByPassword(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('User name or e-mail').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
