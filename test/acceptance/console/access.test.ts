import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { runQuern, startServer } from '../../support/server.ts';
import {
  closeDialog,
  createAtPage,
  openAs,
  openDeletion,
  openSignedIn,
  openTab,
  openTokenDialog,
} from './browser.ts';
import { createUser, makeToken, shareConsole, signIn } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({ ada: { display_name: 'Ada Lovelace' } });

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
    await page.getByText('No API keys yet').waitFor();
    await visit(page, 'tokens-empty');
    const ada = await signIn(shared.server.url, 'ada');
    await makeToken(ada, { name: 'nightly', description: 'the report', read_only: true });
    await makeToken(ada, { name: 'soon' });
    await page.reload();
    await page.getByRole('link', { name: 'nightly' }).click();
    await page.getByRole('complementary', { name: 'nightly' }).getByText('the report').waitFor();
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
    await openDeletion(page, 'for a look');
    await visit(page, 'token-delete');
  });

  it('on a page that the user may no longer see', async () => {
    const { cwd, url } = shared.server;
    await createUser(cwd, 'boss', '--role', 'ADMIN');
    const { page } = await openAs(url, 'boss', '/administration/api-keys');
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    await runQuern(cwd, 'user set boss --role EDITOR');
    await page.getByLabel('Search API keys').fill('ada');
    await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
    await page.getByRole('table', { name: 'API keys' }).waitFor({ state: 'detached' });
    await visit(page, 'forbidden');
  });

  it('on a page that the server could not load', async () => {
    const { page } = await openSignedIn(shared.server.url, 'ada');
    // The server has no internal error on request.
    await page.route('**/console/api/manage/tokens**', (route) => {
      const headers = { 'x-request-id': 'ba307ea6-763e-45bb-b11f-0dfc87c39ee6' };
      return route.fulfill({ status: 500, headers, json: { message: 'Error', detail: 'Internal error' } });
    });
    await page.reload();
    const alert = page.getByRole('alert').filter({ hasText: 'API keys cannot be shown' });
    await alert.getByText('ba307ea6-763e-45bb-b11f-0dfc87c39ee6').waitFor();
    await visit(page, 'load-error');
    await page.unroute('**/console/api/manage/tokens**');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'API keys' }).or(page.getByText('No API keys yet')).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('while the server is unreachable from the start', async () => {
    const { page } = await openSignedIn(shared.server.url, 'ada');
    await page.route('**/console/api/**', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
    await visit(page, 'unreachable-start');
    await page.unroute('**/console/api/**');
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
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
    const { page: inside } = await openAs(shared.server.url, 'ada', '/no/such/page');
    await inside.getByRole('navigation', { name: 'Pages' }).waitFor();
    await visit(inside, 'not-found');
  });
});
