import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { createClient } from '../../support/http.ts';
import { ENTERPRISE, USER } from '../../support/scim.ts';
import { eventually } from '../../support/waiting.ts';
import { encode, startConversation } from '../http/scim-conversation.ts';
import { openAs } from './browser.ts';
import { makeToken, shareConsole, signIn } from './console.ts';
import { visit } from './visit.ts';

const PAGE = '/administration/provisioning';
const SECRET = 'correct-horse-battery';
const shared = shareConsole({ bob: { role: 'VIEWER' } });

/** Okta's requests for a new user, a change, and a user whose name is taken, as in the tests of Okta's protocol. */
async function talkAsOkta(token: string): Promise<void> {
  const { ask, list, patch } = startConversation(createClient(shared.server.url, token), {
    'accept-charset': 'utf-8',
    accept: 'application/scim+json',
    'content-type': 'application/scim+json; charset=utf-8',
    'user-agent': 'OKTA SCIM Integration',
  });
  const isa = {
    schemas: [USER, ENTERPRISE],
    userName: 'isa@example.org',
    name: { givenName: 'Isa', familyName: 'Mill' },
    emails: [{ primary: true, value: 'isa@example.org', type: 'work' }],
    displayName: 'Isa Mill',
    password: SECRET,
    active: true,
  };
  await list(`/Users?filter=${encode('userName eq "isa@example.org"')}&startIndex=1&count=100`);
  const { id } = await ask(201, 'POST', '/Users', isa);
  await ask(200, 'GET', `/Users/${id}`);
  await patch(`/Users/${id}`, { op: 'replace', value: { active: false, PassWord: SECRET } });
  await ask(409, 'POST', '/Users', { ...isa, displayName: 'Isa the second' });
  await list('/Groups?startIndex=1&count=100');
}

beforeAll(async () => {
  const admin = await signIn(shared.server.url);
  const { token } = await makeToken(admin, { name: 'okta', scope: 'all' });
  await talkAsOkta(token);
  const wrong = createClient(shared.server.url, 'wrong');
  for (let count = 0; count < 3; count += 1) await wrong.send('GET', '/scim/v2/Users');
  await eventually(async () => {
    const { body } = await shared.admin.send('GET', '/manage/scim/requests');
    expect(body).toMatchObject({ total: 7 });
  });
});

const openProvisioning = (query = '') => openAs(shared.server.url, 'admin', `${PAGE}${query}`);

describe.skipIf(chromiumPath === null)('the page of provisioning', () => {
  it('shows what Okta has sent, and the request that failed after two clicks, without its password', async () => {
    const { page, complaints } = await openProvisioning();
    await page.getByRole('link', { name: 'GET /Users?filter=userName eq "isa@example.org"' }).waitFor();
    await page.getByText('Last request just now, done').waitFor();
    expect(await page.getByRole('row').count()).toBe(8);
    await visit(page, 'provisioning');
    await page.getByLabel('Outcome').selectOption('Failed');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: 'POST /Users' }).click();
    const panel = page.getByRole('complementary', { name: 'Request' });
    await panel.getByText('409 uniqueness').waitFor();
    await panel.getByText('User name already exists: isa@example.org').waitFor();
    await panel.getByText('"password": "***"').waitFor();
    await panel.getByText('"displayName": "Isa the second"').waitFor();
    await visit(page, 'provisioning-request');
    await page.reload();
    await panel.getByText('409 uniqueness').waitFor();
    expect(await page.content()).not.toContain(SECRET);
    for (const name of ['providers.db', 'providers.db-wal']) {
      const bytes = readFileSync(path.join(shared.server.cwd, '.quern', name), 'latin1');
      expect(bytes, name).not.toContain(SECRET);
    }
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });

  it('counts requests without an API key, and finds requests by a part of their text', async () => {
    const { page, complaints } = await openProvisioning('?outcome=refused');
    await page.getByRole('link', { name: 'GET /Users' }).click();
    const panel = page.getByRole('complementary', { name: 'Request' });
    await panel.getByText('The server reads no body without a valid API key.').waitFor();
    await page.getByLabel('Outcome').selectOption('All outcomes');
    await page.getByLabel('Search requests').fill('ISA THE SECOND');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByLabel('Search requests').fill('nothing of this kind');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(8);
    await page.goto(`${shared.server.url}${PAGE}?request=missing`);
    await panel.getByText('The log does not have this request any more').waitFor();
    expect(complaints).toEqual([]);
  });

  it('has the address and creates a key for the provider, which it shows once', async () => {
    const { page, complaints } = await openProvisioning();
    const address = `${shared.server.url}/api/v1/scim/v2`;
    expect(await page.getByLabel('SCIM address', { exact: true }).inputValue()).toBe(address);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy: SCIM address' }).click();
    await page.getByRole('button', { name: 'Copied: SCIM address' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Name').fill('entra');
    expect(await dialog.getByLabel('Scope').inputValue()).toBe('scim');
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    const value = await page.getByLabel('API key entra').inputValue();
    expect((await createClient(shared.server.url, value).send('GET', '/scim/v2/Users')).status).toBe(200);
    expect((await createClient(shared.server.url, value).send('GET', '/manage/users')).status).toBe(403);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('says what to do before the first request, and when the log cannot be loaded', async () => {
    const { page } = await openProvisioning();
    const target = '**/console/api/manage/scim/requests*';
    await page.route(target, (route) => route.fulfill({ json: { data: [], total: 0 } }));
    await page.reload();
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    await page.getByText('No request with a valid API key yet').waitFor();
    await visit(page, 'provisioning-empty');
    await page.unroute(target);
    await page.route(target, (route) =>
      route.fulfill({ status: 500, json: { message: 'x', detail: 'the log is broken', code: 'internal' } }),
    );
    await page.reload();
    await page.getByText('Requests cannot be shown').waitFor();
    await visit(page, 'provisioning-failed');
    await page.unroute(target);
    await page.getByRole('button', { name: /again/i }).click();
    await page.getByRole('link', { name: 'POST /Users' }).first().waitFor();
  });

  it('is not for others', async () => {
    const { page } = await openAs(shared.server.url, 'bob', PAGE);
    await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
    for (const target of ['manage/scim/requests', 'manage/sso/failures']) {
      const status = await page.evaluate(async (to) => (await fetch(`/console/api/${to}`)).status, target);
      expect(status, target).toBe(403);
    }
  });
});
