import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { createClient } from '../../support/http.ts';
import { openAs } from './browser.ts';
import { makeToken, shareConsole, signIn } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({ ada: {}, bob: { role: 'VIEWER' } });

beforeAll(async () => {
  const admin = await signIn(shared.server.url);
  await makeToken(admin, { name: 'nightly', owner: 'ada', expires_at: 'never' });
  await makeToken(admin, { name: 'dashboard', owner: 'bob', scope: 'query' });
});

const openKeys = (query = '') => openAs(shared.server.url, 'admin', `/administration/api-keys${query}`);

describe.skipIf(chromiumPath === null)('the page of the API keys of all users', () => {
  it('finds keys by owner, last use and expiry, and deletes one', async () => {
    const { server, admin } = shared;
    const made = await admin.send('POST', '/manage/tokens', { body: { name: 'old', owner: 'ada' } });
    const { token } = made.body as { token: string };
    const { page, complaints } = await openKeys();
    await page.getByRole('link', { name: 'nightly' }).waitFor();
    await page.getByLabel('Search API keys').fill('BOB');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByLabel('Search API keys').fill('ada');
    await page.getByLabel('Last use').selectOption('Unused for 90 days');
    await page.getByLabel('Expiry').selectOption('Expires within 30 days');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByLabel('Expiry').selectOption('Any expiry');
    await page.getByRole('link', { name: 'old' }).click();
    const panel = page.getByRole('complementary', { name: 'old' });
    await panel.getByText('Created by').waitFor();
    await visit(page, 'api-keys');
    await page.reload();
    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete API key' }).click();
    await page.getByText('Deleted the API key old').waitFor();
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'old' }).waitFor({ state: 'detached' });
    expect((await createClient(server.url, token).send('GET', '/me')).status).toBe(401);
    expect(complaints).toEqual([]);
  });

  it('creates a key for an owner, whom the server searches', async () => {
    const { page, complaints } = await openKeys('?create=1');
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Name').fill('pipeline');
    await dialog.getByLabel('Owner').first().click();
    await page.keyboard.type('ad');
    await page.getByRole('option', { name: 'ada' }).click();
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await page.getByText('Copy it now').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: 'pipeline' }).getByText('ada').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is not for others', async () => {
    const { page } = await openAs(shared.server.url, 'bob', '/administration/api-keys');
    await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
    const status = await page.evaluate(
      async () => (await fetch('/console/api/manage/tokens?owner=*')).status,
    );
    expect(status).toBe(403);
  });
});
