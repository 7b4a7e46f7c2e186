import { describe, expect, it } from 'vitest';
import { createClient, expectRefusal } from '../../support/http.ts';
import { makeToken, shareConsole, signIn } from './console.ts';

const shared = shareConsole({ ada: { display_name: 'Ada Lovelace' }, bob: { role: 'VIEWER' } });
const NOT_FOR_YOU = "You don't have permission to perform the request";
const DAY_MS = 86_400_000;

describe('tokens of the console', () => {
  it('are shown once, listed without their value, and refused after their deletion', async () => {
    const { url } = shared.server;
    const ada = await signIn(url, 'ada');
    const given = { name: 'nightly', description: 'the report', expires_at: 'never' };
    const made = await ada.send('POST', 'manage/tokens', { body: given });
    expect(made).toMatchObject({
      status: 201,
      headers: { 'cache-control': 'no-store' },
      body: {
        token: expect.stringMatching(/^qrn_[0-9A-Za-z]{36}$/),
        name: 'nightly',
        description: 'the report',
        owner: 'ada',
        creator: 'ada',
        scope: 'all',
        read_only: false,
        expires_at: null,
        last_used_at: null,
      },
    });
    const { token, ...body } = made.body as { token: string; id: string };
    const listed = await ada.send('GET', 'manage/tokens');
    expect(listed.body).toEqual({ data: [body], total: 1 });
    expect(listed.text).not.toContain(token.slice(8, 20));
    expect((await createClient(url, token).list('')).status).toBe(200);
    expect(await ada.send('DELETE', `manage/tokens/${body.id}`)).toMatchObject({ status: 204, text: '' });
    expect((await createClient(url, token).list('')).status).toBe(401);
    expectRefusal(await ada.send('DELETE', `manage/tokens/${body.id}`), 404, `Token not found: ${body.id}`);
    expect((await ada.send('GET', 'manage/tokens')).body).toEqual({ data: [], total: 0 });
  });

  it('expire at the chosen time, and after 90 days by default', async () => {
    const ada = await signIn(shared.server.url, 'ada');
    const before = Date.now();
    const { body } = await ada.send('POST', 'manage/tokens', { body: { name: 'default' } });
    const { expires_at } = body as { expires_at: string };
    expect(Math.floor((Date.parse(expires_at) - before) / DAY_MS)).toBe(90);
    const day = { name: 'day', expires_at: '2999-02-28' };
    expect((await ada.send('POST', 'manage/tokens', { body: day })).body).toMatchObject({
      expires_at: '2999-02-28T00:00:00.000Z',
    });
  });

  it('are validated', async () => {
    const ada = await signIn(shared.server.url, 'ada');
    const rows: [unknown, string][] = [
      [undefined, 'Token name is required'],
      [{ name: '  ' }, 'Token name is required'],
      [{ name: 'x', expires_at: '2020-01-01' }, 'Expiry must be in the future'],
      [
        { name: 'x', expires_at: '30d' },
        'Expiry must be a date or time of ISO 8601, as 2027-01-31T08:00:00Z',
      ],
      [{ name: 'x'.repeat(256) }, 'Token name exceeds maximum length of 255 characters'],
      [['x'], 'Body must be a JSON object'],
    ];
    for (const [body, detail] of rows) {
      expectRefusal(await ada.send('POST', 'manage/tokens', { body }), 400, detail);
    }
    await makeToken(ada, { name: 'twice' });
    const twice = await ada.send('POST', 'manage/tokens', { body: { name: 'twice' } });
    expectRefusal(twice, 409, 'Token already exists: twice');
  });

  it('of others are for administrators', async () => {
    const { url } = shared.server;
    const [admin, ada, bob] = [await signIn(url), await signIn(url, 'ada'), await signIn(url, 'bob')];
    const { token, id } = await makeToken(admin, { name: 'for ada', owner: 'ADA', read_only: true });
    const client = createClient(url, token);
    expect((await client.list('@Shared')).status).toBe(200);
    expect((await client.create('folders', { parent_path: '@Shared', name: 'no' })).status).toBe(404);
    const own = (await ada.send('GET', 'manage/tokens')).body as { data: { name: string }[] };
    expect(own.data).toContainEqual(
      expect.objectContaining({ id, owner: 'ada', creator: 'admin', read_only: true }),
    );
    expect((await admin.send('GET', 'manage/tokens?owner=ada')).body).toEqual(own);
    expect((await admin.send('GET', 'manage/tokens')).body).not.toEqual(own);
    for (const attempt of [
      bob.send('GET', 'manage/tokens?owner=ada'),
      bob.send('GET', 'manage/tokens?owner=nobody'),
      bob.send('POST', 'manage/tokens', { body: { name: 'x', expires_at: 'never', owner: 'ada' } }),
      bob.send('DELETE', `manage/tokens/${id}?owner=ada`),
      bob.send('GET', 'manage/users'),
    ]) {
      expectRefusal(await attempt, 403, NOT_FOR_YOU);
    }
    expectRefusal(await bob.send('DELETE', `manage/tokens/${id}`), 404, `Token not found: ${id}`);
    expectRefusal(await admin.send('GET', 'manage/tokens?owner=nobody'), 404, 'User not found: nobody');
    expectRefusal(await admin.send('GET', 'manage/tokens?owner=a&owner=b'), 400, 'Owner must be a string');
    expect((await admin.send('DELETE', `manage/tokens/${id}?owner=ada`)).status).toBe(204);
    expect((await client.list('')).status).toBe(401);
  });

  it('stay visible next to one whose name is their id', async () => {
    const ada = await signIn(shared.server.url, 'ada');
    const stolen = await makeToken(ada);
    const decoy = await makeToken(ada, { name: stolen.id });
    expect((await ada.send('DELETE', `manage/tokens/${stolen.id}`)).status).toBe(204);
    expect((await createClient(shared.server.url, stolen.token).list('')).status).toBe(401);
    expect((await createClient(shared.server.url, decoy.token).list('')).status).toBe(200);
  });

  it('can be created for users whom administrators see', async () => {
    const admin = await signIn(shared.server.url);
    expect((await admin.send('GET', 'manage/users')).body).toMatchObject({
      data: [
        { user_name: 'ada', display_name: 'Ada Lovelace', active: true },
        { user_name: 'admin', display_name: '', active: true },
        { user_name: 'bob', display_name: '', active: true },
      ],
    });
  });
});
