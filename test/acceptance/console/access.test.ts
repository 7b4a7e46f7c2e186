import { beforeAll, describe, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { shareServer, startServer } from '../../support/server.ts';
import { closeDialog, createAtPage, openSignedIn, openTab, openTokenDialog } from './browser.ts';
import { createUser, makeToken, setPassword, signIn } from './console.ts';
import { visit } from './visit.ts';

const shared = shareServer();

beforeAll(async () => {
  const { cwd } = shared.server;
  await setPassword(cwd, 'admin');
  await createUser(cwd, 'ada', '--display-name', 'Ada Lovelace');
});

describe.skipIf(chromiumPath === null)('axe finds nothing serious', () => {
  it('on the sign-in page, with a hint and with an error', async () => {
    const { server } = await startServer();
    const { page } = await openTab(server.url);
    await page.getByRole('note').waitFor();
    await visit(page, 'sign-in-hint');
    await page.goto(`${shared.server.url}/login?return=/profile/tokens`);
    await page.getByLabel('User name or e-mail').fill('ada');
    await page.getByLabel('Password').fill('a mill of no stones');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await visit(page, 'sign-in-error');
  });

  it('on the page of tokens, empty and full', async () => {
    const { page } = await openSignedIn(shared.server.url, 'ada');
    await page.getByText('No tokens yet').waitFor();
    await visit(page, 'tokens-empty');
    const ada = await signIn(shared.server.url, 'ada');
    await makeToken(ada, { name: 'nightly', description: 'the report', read_only: true });
    await makeToken(ada, { name: 'soon' });
    await page.reload();
    await page.getByText('nightly').waitFor();
    await visit(page, 'tokens');
  });

  it('in the dialogs of tokens', async () => {
    const { page } = await openSignedIn(shared.server.url, 'admin');
    const dialog = await openTokenDialog(page);
    await visit(page, 'token-create');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await createAtPage(page, 'for a look');
    await visit(page, 'token-created');
    await closeDialog(page);
    await page.getByRole('button', { name: 'Delete the token for a look' }).click();
    await page.getByRole('dialog', { name: 'Delete this token?' }).waitFor();
    await visit(page, 'token-delete');
  });

  it('in the profile menu', async () => {
    const { page } = await openSignedIn(shared.server.url, 'ada');
    await page.getByRole('button', { name: 'Profile menu of ada' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await visit(page, 'profile-menu');
  });

  it('at unknown addresses, with and without a session', async () => {
    const { page } = await openTab(shared.server.url, '/no/such/page');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await visit(page, 'not-found-signed-out');
    const { page: inside } = await openSignedIn(shared.server.url, 'ada');
    await inside.goto(`${shared.server.url}/no/such/page`);
    await inside.getByRole('navigation', { name: 'Pages' }).waitFor();
    await visit(inside, 'not-found');
  });
});
