import { describe, expect, it } from 'vitest';
import { createClient } from '../../support/http.ts';
import { createProvider, ENTERPRISE, expectScimRefusal, type Resource, USER } from '../../support/scim.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { askToSignIn } from '../console/console.ts';
import { covers } from './rows.ts';
import { shareProvider } from './scim-provider.ts';

const shared = shareServer();
const provider = shareProvider(shared);
let count = 0;

/** An unused user name. */
const newName = () => `user${++count}`;
const root = () => `${shared.server.url}/api/v1/scim/v2`;
const put = (id: string, body: object) => provider.send('PUT', `/Users/${id}`, { body });
const enterpriseOf = (user: Resource) => user[ENTERPRISE] as Readonly<Record<string, unknown>>;
/** A user without the attributes that change with every change. */
const withoutMeta = ({ meta: _meta, ...rest }: Resource) => rest;

const password = 'a mill of two stones';

/** The status of a sign-in at the console. */
async function signIn(login: string, text: string): Promise<number> {
  return (await askToSignIn(shared.server.url, { login, password: text })).status;
}

const WHOLE = {
  schemas: [USER, ENTERPRISE],
  externalId: 'Ext-1',
  name: { givenName: 'Ada', familyName: 'Lovelace', fullName: 'Ada Lovelace', formatted: 'Lady Lovelace' },
  displayName: 'Ada L.',
  active: true,
  roles: [{ value: 'VIEWER', primary: true }],
  title: 'Countess',
  phoneNumbers: [{ value: '+44 1', type: 'work' }],
  [ENTERPRISE]: {
    organization: 'Analytical',
    department: 'Engines',
    superUser: false,
    userStatus: 'INVITED',
    external: true,
    manager: { value: 'somebody' },
  },
};

describe('a user', () => {
  it(
    covers('create a user', 'scim: created', 'user: id', 'user: userName', 'user: emails', 'user: schemas'),
    async () => {
      const userName = newName();
      const emails = [{ value: `${userName}@example.org`, primary: true }];
      const body = { schemas: [USER], id: 'mine', meta: { version: 'x' }, userName, emails };
      const made = await provider.send('POST', '/Users', { body });
      const user = made.body as Resource;
      expect(made.status).toBe(201);
      expect(user).toMatchObject({ schemas: [USER, ENTERPRISE], userName, emails, active: true });
      expect(user.id).toMatch(/^[\w-]{20,}$/);
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(user.meta).toEqual({
        resourceType: 'User',
        created: time,
        lastModified: user.meta.created,
        location: `${root()}/Users/${user.id}`,
        version: made.headers.etag,
      });
      expect(made.headers).toMatchObject({
        location: user.meta.location,
        etag: expect.stringMatching(/^W\/"[^"]+"$/),
        'content-type': 'application/scim+json; charset=utf-8',
        'cache-control': 'no-store',
      });
      const read = await shared.admin.send('GET', made.headers.location!.split('/api/v1')[1]!);
      expect([read.status, read.body, read.headers.etag]).toEqual([200, user, made.headers.etag]);
    },
  );

  it(
    covers(
      'read a user',
      'user: name',
      'user: displayName',
      'user: roles',
      'user: enterprise',
      'scim: kept attributes',
    ),
    async () => {
      const userName = newName();
      const emails = [
        { value: `${userName}@home.example.org`, type: 'home', primary: false },
        { value: `${userName}@example.org`, type: 'work', primary: true },
      ];
      const { id } = await provider.addUser(userName, { ...WHOLE, emails });
      expect(await provider.get('Users', id)).toMatchObject({ ...WHOLE, userName, emails });
      const listed = await runQuern(shared.server.cwd, 'user ls --json');
      expect(JSON.parse(listed).data).toContainEqual(
        expect.objectContaining({
          user_name: userName,
          email: `${userName}@example.org`,
          display_name: 'Ada L.',
          role: 'VIEWER',
          active: true,
        }),
      );
    },
  );

  it(covers('user: CONFIRMED', 'user: active'), async () => {
    const user = await provider.addUser(newName());
    expect(user.active).toBe(true);
    expect(enterpriseOf(user)).toMatchObject({ superUser: false, userStatus: 'CONFIRMED', external: false });
    const idle = await provider.addUser(newName(), { active: false });
    expect(idle.active).toBe(false);
    const { id } = await provider.addUser(newName(), {
      active: 'False',
      [ENTERPRISE]: { superUser: 'True' },
    });
    expect(await provider.get('Users', id)).toMatchObject({
      active: false,
      [ENTERPRISE]: { superUser: true },
    });
  });

  it(covers('user: password', 'scim: short password'), async () => {
    const userName = newName();
    const made = await provider.send('POST', '/Users', { body: { userName, password } });
    expect(made.status).toBe(201);
    const { id } = made.body as Resource;
    expect(await signIn(userName, password)).toBe(200);
    for (const answer of [
      made,
      await provider.send('GET', `/Users/${id}?attributes=password`),
      await provider.send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`),
      await provider.patch('Users', id, { op: 'replace', path: 'password', value: 'a mill of three stones' }),
    ]) {
      expect(answer.status).toBeLessThan(300);
      expect(answer.text).not.toMatch(/password|a mill of|argon2/);
    }
    expect(await signIn(userName, password)).toBe(401);
    expect(await signIn(userName, 'a mill of three stones')).toBe(200);
    const short = { userName: newName(), password: '1234567' };
    expectScimRefusal(await provider.send('POST', '/Users', { body: short }), 400, 'invalidValue');
    expect(shared.server.log()).not.toMatch(/a mill of/);
  });

  it(covers('user: groups'), async () => {
    const user = await provider.addUser(newName());
    expect(user.groups ?? []).toEqual([]);
    const group = await provider.addGroup(newName(), [user.id]);
    expect((await provider.get('Users', user.id)).groups).toEqual([
      { value: group.id, display: group.displayName, $ref: group.meta.location, type: 'direct' },
    ]);
  });

  it(covers('delete a user'), async () => {
    const userName = newName();
    const { id } = await provider.addUser(userName);
    const deleted = await provider.send('DELETE', `/Users/${id}`);
    expect([deleted.status, deleted.text]).toEqual([200, '{"status":"200"}']);
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const sending = method === 'PUT' || method === 'PATCH' ? { body: { userName } } : {};
      expectScimRefusal(
        await provider.send(method, `/Users/${id}`, sending),
        404,
        null,
        expect.stringContaining(id),
      );
    }
    await provider.addUser(userName);
  });
});

describe('PUT', () => {
  it(covers('replace a user', 'scim: put keeps'), async () => {
    const userName = newName();
    const made = await provider.addUser(userName, { ...WHOLE, active: false });
    const renamed = newName();
    const answer = await put(made.id, { schemas: [USER], userName: renamed, displayName: 'Countess' });
    expect(answer.status).toBe(200);
    const user = answer.body as Resource;
    const kept = { active: false, roles: WHOLE.roles, [ENTERPRISE]: WHOLE[ENTERPRISE] };
    expect(withoutMeta(user)).toEqual({
      schemas: [USER, ENTERPRISE],
      emails: [],
      groups: [],
      id: made.id,
      userName: renamed,
      displayName: 'Countess',
      ...kept,
    });
    expect(user.meta.created).toBe(made.meta.created);
    expect(user.meta.version).not.toBe(made.meta.version);
    expect(answer.headers.etag).toBe(user.meta.version);
    const again = await put(made.id, {
      userName: renamed,
      active: true,
      roles: [],
      [ENTERPRISE]: { organization: 'Other' },
    });
    expect(again.body).toMatchObject({ active: true, [ENTERPRISE]: { organization: 'Other' } });
    expect(enterpriseOf(again.body as Resource)).not.toHaveProperty('department');
    const { id } = await provider.addUser(userName, { password });
    expect((await put(id, { userName })).status).toBe(200);
    expect(await signIn(userName, password)).toBe(200);
  });

  it(covers('scim: put ignores'), async () => {
    const { id } = await provider.addUser(newName());
    const other = await provider.addUser(newName());
    const group = await provider.addGroup(newName());
    const body = {
      id: other.id,
      userName: newName(),
      meta: { created: '2000-01-01T00:00:00Z', location: 'x' },
      groups: [{ value: group.id }],
    };
    const answer = await put(id, body);
    const user = answer.body as Resource;
    expect([answer.status, user.id, user.groups ?? []]).toEqual([200, id, []]);
    expect(user.meta.location).toBe(`${root()}/Users/${id}`);
    expect(user.meta.created).not.toMatch(/^2000/);
    expect(await provider.get('Users', other.id)).toEqual(other);
    expect((await provider.get('Groups', group.id)).members ?? []).toEqual([]);
  });
});

describe('names in use', () => {
  it(covers('scim: uniqueness'), async () => {
    const userName = newName();
    const emails = [{ value: `${userName}@example.org`, primary: true }];
    const first = await provider.addUser(userName, { emails });
    const other = await provider.addUser(newName());
    const upper = [{ value: `${userName}@EXAMPLE.ORG`.toUpperCase() }];
    for (const body of [
      { userName: userName.toUpperCase() },
      { userName: newName(), emails },
      { userName: newName(), emails: upper },
    ]) {
      expectScimRefusal(await provider.send('POST', '/Users', { body }), 409, 'uniqueness');
      expectScimRefusal(await put(other.id, body), 409, 'uniqueness');
    }
    const value = userName.toUpperCase();
    const patched = await provider.patch('Users', other.id, { op: 'replace', path: 'userName', value });
    expectScimRefusal(patched, 409, 'uniqueness');
    expect(await provider.get('Users', other.id)).toEqual(other);
    expect((await put(first.id, { userName: value, emails: upper })).body).toMatchObject({ userName: value });
  });
});

describe('administrators', () => {
  it(covers('scim: last administrator'), async () => {
    const { Resources } = await provider.list('Users', '?filter=userName+eq+"admin"');
    const { id } = Resources[0]!;
    const admins = await provider.list('Users', '?count=1000');
    const others = admins.Resources.filter((user) => enterpriseOf(user).superUser === true && user.id !== id);
    for (const user of others) await provider.send('DELETE', `/Users/${user.id}`);
    for (const answer of [
      await provider.send('DELETE', `/Users/${id}`),
      await provider.patch('Users', id, { op: 'replace', path: 'active', value: false }),
      await provider.patch('Users', id, { op: 'replace', path: `${ENTERPRISE}:superUser`, value: false }),
      await put(id, { userName: 'admin', [ENTERPRISE]: { superUser: false } }),
    ]) {
      expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([
        409,
        expect.stringContaining('administrator'),
      ]);
    }
    expect(await provider.get('Users', id)).toEqual(Resources[0]);
  });

  it(covers('scim: superUser wins', 'scim: unknown role'), async () => {
    const roleOf = async (fields: object) => {
      const user = await provider.addUser(newName(), fields);
      const { superUser } = enterpriseOf(user);
      const [first] = user.roles as { value: string }[];
      await provider.send('DELETE', `/Users/${user.id}`);
      return [superUser, first?.value];
    };
    const roles = [{ value: 'ADMIN' }];
    expect(await roleOf({ roles })).toEqual([true, 'ADMIN']);
    expect(await roleOf({ roles: [{ value: 'admin' }] })).toEqual([true, expect.stringMatching(/^admin$/i)]);
    expect(await roleOf({ [ENTERPRISE]: { superUser: true } })).toEqual([true, 'ADMIN']);
    expect(await roleOf({ roles, [ENTERPRISE]: { superUser: false } })).toEqual([false, 'EDITOR']);
    const user = await provider.addUser(newName(), { roles: [{ value: 'Astronaut' }] });
    expect(user.roles).toContainEqual({ value: 'Astronaut' });
    expect(enterpriseOf(user).superUser).toBe(false);
  });

  it(covers('scim: administrators'), async () => {
    const { cwd, url } = shared.server;
    await runQuern(cwd, 'user create plain');
    const plain = createProvider(createClient(url, await createToken(cwd, 'plain')));
    const forbidden = 'Provisioning needs a token of an administrator; GET /api/v1/me takes any token';
    expectScimRefusal(await plain.send('GET', '/Users'), 403, null, forbidden);
    expectScimRefusal(await plain.send('POST', '/Users', { body: '{' }), 403, null, forbidden);
    expectScimRefusal(await createProvider(createClient(url)).send('GET', '/Users'), 401, null);
  });
});

describe('a user of another source', () => {
  it(covers('scim: external password'), async () => {
    const userName = newName();
    const { id } = await provider.addUser(userName, { password, [ENTERPRISE]: { external: true } });
    expect(await signIn(userName, password)).toBe(401);
    await provider.patch('Users', id, { op: 'add', path: 'password', value: password });
    expect(await signIn(userName, password)).toBe(401);
  });

  it('from the command line is also visible, and changes there are visible', async () => {
    const { cwd } = shared.server;
    const userName = newName();
    await runQuern(cwd, ['user', 'create', userName, '--email', `${userName}@example.org`]);
    const { Resources } = await provider.list('Users', `?filter=userName+eq+"${userName}"`);
    const [user] = Resources;
    expect(user).toMatchObject({ userName, emails: [{ value: `${userName}@example.org`, primary: true }] });
    await runQuern(cwd, ['user', 'set', userName, '--email', `${userName}@example.com`, '--role', 'VIEWER']);
    const changed = await provider.get('Users', user!.id);
    expect(changed).toMatchObject({
      emails: [{ value: `${userName}@example.com`, primary: true }],
      roles: [{ value: 'VIEWER' }],
    });
    expect(changed.meta.version).not.toBe(user!.meta.version);
  });
});

describe('actions of provisioning', () => {
  it(covers('scim: audit'), async () => {
    const userName = newName();
    const { id } = await provider.addUser(userName, { password });
    await provider.patch('Users', id, { op: 'replace', path: 'active', value: false });
    await provider.send('DELETE', `/Users/${id}`);
    const { body, text } = await shared.admin.send('GET', `/manage/audit?object=${userName}`);
    const entries = (body as { data: { action: string; actor: string }[] }).data;
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['user.create', 'user.update', 'user.delete']));
    expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set(['admin']));
    expect(text).not.toMatch(/a mill of/);
  });
});
