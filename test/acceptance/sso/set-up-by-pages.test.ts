import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPage } from '../../support/chromium.ts';
import { hasSimplesamlphp, startSimplesamlphp } from '../../support/sso/simplesamlphp.ts';
import { visit } from '../console/visit.ts';
import { addUser, canSignInAt, expectConsole, type SsoWorld, shareSsoWorld, signInAs } from './instance.ts';

const isHere = canSignInAt('SimpleSAMLphp', { SimpleSAMLphp: hasSimplesamlphp });
const ADMIN_PASSWORD = 'a mill of two stones';

/** Opens the page as the administrator, who signs in with a password. */
async function openAdministration({ url, browser }: SsoWorld, target = 'single-sign-on'): Promise<Page> {
  const page = await openPage({}, browser);
  page.setDefaultTimeout(20_000);
  await page.goto(`${url}/login?local=1`);
  await page.getByLabel('User name or e-mail').fill('admin');
  await page.getByLabel('Password').fill(ADMIN_PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Profile menu of admin' }).waitFor();
  await page.goto(`${url}/administration/${target}`);
  return page;
}

/** The text of a file that a click downloads. */
async function download(page: Page, target: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), target.click()]);
  return readFileSync(await file.path(), 'utf8');
}

describe.skipIf(!isHere)('the administration of SAML, by the pages alone', () => {
  const world = shareSsoWorld(startSimplesamlphp);

  beforeAll(async () => {
    if (isHere) await world.manage('PUT', '/users/admin', { password: ADMIN_PASSWORD });
  });

  it('resolves the conflict of a manual user and a sign-in with the same address', async () => {
    const user = await addUser(world);
    const manual = `manual-${user.name}`;
    await world.manage('POST', '/users', { user_name: manual, email: user.email });
    const refused = await signInAs(world, user.name);
    await refused.getByText(`User with given email already registered: ${user.email}`).waitFor();
    const page = await openAdministration(world, `users?q=${encodeURIComponent(user.email)}`);
    await page.getByRole('link', { name: manual }).click();
    await page.getByRole('complementary', { name: manual }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    const waiting = await signInAs(world, user.name);
    await waiting.getByText('disabled').first().waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByLabel('State').selectOption('waiting');
    await page.getByRole('link', { name: user.name }).click();
    const panel = page.getByRole('complementary', { name: user.name });
    await panel.getByText('Three steps resolve it').waitFor();
    await visit(page, 'users-waiting');
    await panel.getByRole('button', { name: 'Enable' }).click();
    await page.getByText(`Enabled ${user.name}`).waitFor();
    await expectConsole(await signInAs(world, user.name), user.name);
  });

  it('goes from nothing to sign-ins, a new certificate without an outage, and off again', async () => {
    const { url, provider, manage } = world;
    await manage('DELETE', '/sso/saml');
    const page = await openAdministration(world);
    const callback = page.getByRole('textbox', { name: 'Callback URL' });
    await callback.waitFor();
    expect(await callback.inputValue()).toBe(`${url}/api/saml2/callback`);
    expect(await page.getByRole('textbox', { name: 'Entity ID' }).inputValue()).toBe(url);
    await visit(page, 'sso-empty');

    // The metadata of both sides.
    const upload = page.locator('input[type=file]');
    const bad = { name: 'idp.xml', mimeType: 'text/xml', buffer: Buffer.from('<!DOCTYPE x><x/>') };
    await upload.setInputFiles(bad);
    await page.getByRole('alert').getByText('DOCTYPE').waitFor();
    await page.getByRole('textbox', { name: 'URL of its metadata' }).fill(provider.metadataUrl);
    await page.getByRole('button', { name: 'Read the URL' }).click();
    await page.getByText(`${provider.url}/entity`).waitFor();
    // Another document is only stored after its differences are shown.
    const other = (await provider.readMetadata()).replaceAll(`${provider.url}/entity`, 'urn:other');
    await upload.setInputFiles({ ...bad, buffer: Buffer.from(other) });
    const replacing = page.getByRole('dialog', { name: 'Replace the metadata?' });
    await replacing.getByText(`Entity ID: ${provider.url}/entity → urn:other`).waitFor();
    await replacing.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('switch', { name: 'Sign the requests to it' }).click();
    await page.getByText('Changed whether requests are signed').waitFor();
    const register = async () =>
      provider.register(await download(page, page.getByRole('link', { name: 'Metadata' })));
    await register();
    const pem = await download(page, page.getByRole('button', { name: 'Certificate', exact: true }));
    expect(pem).toMatch(/^-----BEGIN CERTIFICATE-----/);
    await page.getByRole('textbox', { name: 'Name of the identity provider' }).fill('the mill');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByText('the button “Sign in with the mill”').waitFor();
    await page.getByRole('switch', { name: 'Create users at their first sign-in' }).click();
    await page.getByText('Changed how accounts are made').waitFor();

    // A test sign-in on another tab, whose attributes stand next to their names.
    const tested = await addUser(world, { groups: ['millers'] });
    await page.getByRole('button', { name: 'Prepare a test sign-in' }).click();
    const link = page.getByRole('link', { name: 'Sign in at the identity provider' });
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await provider.signIn(tab, tested.name);
    await page.getByText('The sign-in would succeed').waitFor();
    const received = page.getByRole('region', { name: 'Received attributes' });
    await received.getByText('millers').waitFor();
    await received.getByText(tested.name, { exact: true }).waitFor();
    await visit(page, 'sso');

    const signIn = async () => {
      const { name } = await addUser(world);
      await expectConsole(await signInAs(world, name), name);
    };
    await signIn();

    // A certificate is renewed, and sign-ins work at each step.
    const certificates = page.getByRole('list', { name: 'Certificates' });
    await certificates.getByText(/36\d days left/).waitFor();
    await page.getByLabel('New certificates are valid for').fill('2');
    await page.getByLabel('Unit of the validity').selectOption('years');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Changed the validity of new certificates').waitFor();
    await page.getByRole('button', { name: 'Renew' }).click();
    await certificates.getByText(/7[23]\d days left/).waitFor();
    await signIn();
    await register();
    await signIn();
    await page.getByRole('button', { name: 'Activate the pending certificate' }).click();
    await certificates.getByText('former').waitFor();
    await signIn();

    // A failed sign-in is found by the reference on its page.
    const { name } = await addUser(world, { email: '' });
    const refused = await signInAs(world, name);
    await refused.getByRole('heading', { name: 'Sign-in failed' }).waitFor();
    const reference = await refused.locator('code').innerText();
    await page.getByRole('textbox', { name: 'Reference' }).fill(reference);
    await page
      .getByRole('list', { name: 'Failed sign-ins' })
      .getByText(/^name-id/)
      .waitFor();

    // Passwords are refused after a warning, but not those of administrators.
    await page.getByRole('switch', { name: 'Only administrators sign in with a password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Refuse passwords?' });
    await dialog.getByText('The way back').waitFor();
    await dialog.getByRole('button', { name: 'Refuse passwords' }).click();
    await page.getByText('on, only single sign-on').waitFor();
    const again = await openAdministration(world);
    await again.getByText('on, only single sign-on').waitFor();

    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Delete the settings' }).click();
    await page.getByText('Switched single sign-on off').waitFor();
    await page.getByRole('textbox', { name: 'URL of its metadata' }).waitFor();
    await expect(manage('GET', '/sso/saml')).rejects.toThrow('saml_not_configured');
  });
});
