import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld } from '../world.ts';

const USERS = '/api/v1/manage/users';
const forbidden = "You don't have permission to perform the request";

describe('users', () => {
  it('are created, read, changed and deleted', async () => {
    const { ask } = await createWorld();
    const body = { user_name: 'Ada', email: 'ada@example.org', display_name: 'Ada L.', role: 'viewer' };
    const made = await ask('POST', USERS, { body });
    expect(made).toMatchObject({
      status: 201,
      headers: { location: `${USERS}/Ada`, 'cache-control': 'no-store' },
      body: { ...body, role: 'VIEWER', active: true },
    });
    expect(Object.keys(made.body as object)).toEqual([
      'id',
      'user_name',
      'email',
      'display_name',
      'role',
      'active',
      'created_at',
      'updated_at',
    ]);
    const seen = {
      state: 'active',
      source: 'local',
      external: false,
      groups: [],
      session_count: 0,
      token_count: 0,
    };
    const one = { ...(made.body as object), ...seen };
    expect((await ask('GET', made.headers.location!)).body).toMatchObject(one);
    expect((await ask('GET', `${USERS}/ADA`)).body).toMatchObject(one);

    const changed = await ask('PUT', `${USERS}/ada`, { body: { email: '', role: 'EDITOR', active: false } });
    expect(changed).toMatchObject({
      status: 200,
      body: { user_name: 'Ada', email: null, display_name: 'Ada L.', role: 'EDITOR', active: false },
    });
    const { body: listing } = await ask('GET', USERS);
    expect(listing).toMatchObject({ data: [{ user_name: 'Ada' }, { user_name: 'admin' }] });

    const deleted = await ask('DELETE', `${USERS}/Ada`, { headers: { 'content-type': 'application/json' } });
    expect(deleted).toMatchObject({ status: 204, text: '' });
    expectRefusal(await ask('GET', `${USERS}/Ada`), 404, 'User not found: Ada');
  });

  it('are listed by user name, page by page', async () => {
    const { ask } = await createWorld();
    for (const user_name of ['Cleo', 'bob', 'Dan', 'ada']) await ask('POST', USERS, { body: { user_name } });
    const list = async (query: string) =>
      ((await ask('GET', `${USERS}?${query}`)).body as { data: { user_name: string }[] }).data.map(
        ({ user_name }) => user_name,
      );
    expect(await list('')).toEqual(['ada', 'admin', 'bob', 'Cleo', 'Dan']);
    expect(await list('limit=2')).toEqual(['ada', 'admin']);
    expect(await list('limit=2&after=ADMIN')).toEqual(['bob', 'Cleo']);
    expect(await list('after=bobby')).toEqual(['Cleo', 'Dan']);
    expect(await list('after=dan')).toEqual([]);
  });

  it.each([
    ['limit=0', 'Limit must be between 1 and 1000'],
    ['limit=1001', 'Limit must be between 1 and 1000'],
    ['limit=ten', 'Limit must be a whole number'],
    ['after=a&after=b', 'After must be a string'],
  ])('are not listed with %s', async (query, detail) => {
    const { ask } = await createWorld();
    expectRefusal(await ask('GET', `${USERS}?${query}`), 400, detail);
  });

  it('have names of any kind, decoded once', async () => {
    const { ask } = await createWorld();
    for (const name of ['a/b', 'über ☃', '50%25', 'x?y#z', 'admin@x', '+1', '..a']) {
      const { status, headers, body } = await ask('POST', USERS, { body: { user_name: name } });
      expect([status, (body as { user_name: string }).user_name]).toEqual([201, name]);
      expect(headers.location).toBe(`${USERS}/${encodeURIComponent(name)}`);
      expect((await ask('GET', headers.location!)).body).toMatchObject(body as object);
      expect((await ask('DELETE', headers.location!)).status).toBe(204);
    }
  });

  it.each([
    ['no object', [], 'Body must be a JSON object'],
    ['no object', 'null', 'User name is required'],
    ['no body', undefined, 'User name is required'],
    ['null', { user_name: null }, 'User name is required'],
    ['empty', { user_name: '' }, 'User name is required'],
    ['blank', { user_name: '  ' }, 'User name is required'],
    ['a number', { user_name: 7 }, 'User name must be a string'],
    ['the first of two errors', { user_name: 'a', email: 1, role: 2 }, 'E-mail must be a string'],
    ['an e-mail', { user_name: 'a', email: 'nobody' }, 'E-mail is not valid: nobody'],
    ['a display name', { user_name: 'a', display_name: {} }, 'Display name must be a string'],
    ['a role', { user_name: 'a', role: ['ADMIN'] }, 'Role must be a string'],
    ['a password', { user_name: 'a', password: 12345678 }, 'Password must be a string'],
    ['a switch', { user_name: 'a', active: 'true' }, 'Active must be true or false'],
    ['another', { user_name: 'a', password_is_typed: 1 }, 'Password is typed must be true or false'],
    ['half a pair', { user_name: '\ud800' }, 'User name must be well-formed Unicode'],
    ['a blank at the end', { user_name: 'a ' }, 'User name must not begin or end with a blank: `a `'],
    [
      'an invisible character',
      { user_name: 'a\ufeffb' },
      'User name must not have invisible characters: U+FEFF',
    ],
    ['control characters', { user_name: 'a\nb' }, 'User name must not have control characters'],
  ])('refuse %s', async (_what, body, detail) => {
    const { ask } = await createWorld();
    const sending = body === undefined ? { headers: { 'content-type': 'application/json' } } : { body };
    expectRefusal(await ask('POST', USERS, sending), 400, detail);
    expect((await ask('GET', USERS)).body).toMatchObject({ data: [{ user_name: 'admin' }] });
  });

  it('ignore unknown fields and null', async () => {
    const { ask } = await createWorld();
    const body = JSON.parse('{"user_name":"a","role":null,"__proto__":{"superUser":true},"superUser":true}');
    expect((await ask('POST', USERS, { body })).body).toMatchObject({ user_name: 'a', role: 'EDITOR' });
    expect(({} as { superUser?: boolean }).superUser).toBeUndefined();
  });

  it('limit attempts to guess typed passwords', async () => {
    const { ask } = await createWorld();
    const body = { user_name: 'a', password: 'password1', password_is_typed: true };
    const { status, body: answer } = await ask('POST', USERS, { body });
    expect([status, (answer as { detail: string }).detail]).toEqual([
      400,
      expect.stringMatching(/^Password refused: .*easily guessed$/),
    ]);
    expect((await ask('POST', USERS, { body: { ...body, password_is_typed: false } })).status).toBe(201);
    expect((await ask('PUT', `${USERS}/a`, { body: { password: 'short' } })).status).toBe(400);
  });

  it('are changed by a body, which may be empty', async () => {
    const { ask } = await createWorld();
    const type = { 'content-type': 'application/json' };
    for (const sending of [{}, { headers: type }, { body: 'null' }]) {
      expectRefusal(await ask('PUT', `${USERS}/admin`, sending), 400, 'Body must be a JSON object');
    }
    expect((await ask('PUT', `${USERS}/admin`, { body: {} })).status).toBe(200);
  });

  it('keep one administrator, and unique names', async () => {
    const { ask } = await createWorld();
    for (const answer of [
      await ask('DELETE', `${USERS}/admin`),
      await ask('PUT', `${USERS}/ADMIN`, { body: { active: false } }),
      await ask('PUT', `${USERS}/admin`, { body: { role: 'EDITOR' } }),
    ]) {
      expectRefusal(answer, 409, expect.stringContaining('admin is the last active administrator'));
    }
    const taken = await ask('POST', USERS, { body: { user_name: 'Admin' } });
    expectRefusal(taken, 409, 'User name already exists: Admin');
  });

  it('are for administrators only, with any body', async () => {
    const { ask, createUser } = await createWorld();
    const token = await createUser('ed');
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/admin'],
      ['GET', '/nobody'],
      ['PUT', '/admin'],
      ['PUT', '/nobody'],
      ['DELETE', '/admin'],
      ['DELETE', '/nobody'],
    ] as const) {
      const body = method === 'POST' || method === 'PUT' ? { body: '{"broken' } : {};
      expectRefusal(await ask(method, `${USERS}${path}`, { token, ...body }), 403, forbidden);
      expect((await ask(method, `${USERS}${path}`, { token: null, ...body })).status).toBe(401);
    }
  });

  it('can be read, and not changed, with a read-only token', async () => {
    const { ask, createUser } = await createWorld();
    const token = await createUser('boss', 'ADMIN', { scope: 'read' });
    expect((await ask('GET', USERS, { token })).status).toBe(200);
    expectRefusal(await ask('POST', USERS, { token, body: { user_name: 'x' } }), 403, forbidden);
    expectRefusal(await ask('DELETE', `${USERS}/admin`, { token }), 403, forbidden);
  });

  it('that are disabled lose access at once', async () => {
    const { ask, createUser } = await createWorld();
    const token = await createUser('ed');
    expect((await ask('GET', '/api/v1/catalog/list', { token })).status).toBe(200);
    await ask('PUT', `${USERS}/ed`, { body: { active: false } });
    expect((await ask('GET', '/api/v1/catalog/list', { token })).status).toBe(401);
    await ask('PUT', `${USERS}/ed`, { body: { active: true } });
    expect((await ask('GET', '/api/v1/catalog/list', { token })).status).toBe(200);
  });
});
