import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  addUser,
  expectConsole,
  followLink,
  openAtProvider,
  readGroups,
  readRefusal,
  type SsoWorld,
  signInAs,
} from './instance.ts';

const PASSWORD = 'a mill of two stones';

/** The tests that each identity provider has to pass; the last one ends it. */
export function testFlows(world: SsoWorld): void {
  testAccounts(world);
  testKeys(world);
  testSigningOut(world);
  testProviderStopped(world);
}

interface Account {
  readonly user_name: string;
  readonly email: string;
  readonly display_name: string;
  readonly active: boolean;
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

  it('takes over changed groups and the changed name at the next sign-in', async () => {
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

  it('returns to the page that was asked for', async () => {
    const user = await addUser(world);
    const page = await openAtProvider(world);
    await page.goto(`${world.url}/profile/tokens`);
    await page.waitForURL(`${world.url}/login?**`);
    await followLink(page);
    await world.provider.signIn(page, user.name);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(page.url()).toBe(`${world.url}/profile/tokens`);
  });

  it('refuses a disabled user in clear words', async () => {
    const user = await addUser(world);
    await expectConsole(await signInAs(world, user.name), user.name);
    await world.manage('PUT', `/users/${user.name}`, { active: false });
    const { text, check } = await readRefusal(await signInAs(world, user.name), world);
    expect(text).toMatch(/disabled/);
    expect(check).toBe('account-disabled');
  });

  it('refuses the e-mail of a manual user, and resolves that as the interface says', async () => {
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

function testKeys(world: SsoWorld): void {
  const read = async () => {
    const { manage, provider } = world;
    const settings = await manage<{ identity_provider: { certificates: unknown[] } }>('PUT', '/sso/saml', {
      metadata_url: provider.metadataUrl,
    });
    return settings.identity_provider.certificates.length;
  };

  it('stays open while the identity provider changes its key, and refuses a key that its metadata does not have', async () => {
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
    await signOut(page, user.name);
    await page.waitForURL(`${world.url}/login`);
    await followLink(page);
    await world.provider.waitForForm(page);
    expect(world.server.log()).not.toContain('single sign-out not confirmed');
  });

  it('refuses a sign-out that begins at the identity provider', async () => {
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
    await world.manage('PUT', '/users/admin', { password: PASSWORD });
    const page = await openAtProvider(world);
    const failure = page.waitForEvent('requestfailed', (request) => request.isNavigationRequest());
    await world.provider.stop();
    await world.provider.signIn(page, user.name);
    expect((await failure).failure()).toEqual({ errorText: 'net::ERR_CONNECTION_REFUSED' });
    await page.waitForURL('chrome-error://chromewebdata/');
    await page.goto(`${world.url}/login`);
    await page.getByLabel('User name or e-mail').fill('admin');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectConsole(page, 'admin');
  });
}
