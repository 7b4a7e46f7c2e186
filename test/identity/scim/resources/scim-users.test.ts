import { describe, expect, it } from 'vitest';
import {
  BASE,
  CHANGE,
  createScimWorld,
  ENTERPRISE,
  makeUser,
  patchOf,
  patchUser,
  readUser,
  scimRefusalOf,
} from '../scim-world.ts';

describe('a created user', () => {
  it('becomes an account, and is returned with all given attributes', async () => {
    const world = createScimWorld();
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
      userName: 'Eve',
      externalId: '00u1',
      name: { givenName: 'Eve', familyName: 'Adams', fullName: 'Eve Adams' },
      displayName: 'Eve A.',
      nickName: 'Evi',
      emails: [
        { value: 'home@example.org', type: 'home' },
        { value: 'Eve@Example.org', type: 'work', primary: true },
      ],
      roles: [{ value: 'viewer' }],
      password: 'correct horse battery',
      [ENTERPRISE]: { organization: 'Shop', userStatus: 'INVITED' },
    };
    const { id, version, location, resource } = await world.scim.users.create(body, {});
    expect(world.users.findById(id)).toMatchObject({
      userName: 'Eve',
      email: 'Eve@Example.org',
      displayName: 'Eve A.',
      role: 'VIEWER',
      superUser: false,
      active: true,
      externalId: '00u1',
      external: false,
      origin: 'scim',
      revision: 1,
    });
    expect(await world.passwords.verify('correct horse battery', world.users.readPasswordHash(id))).toBe(
      true,
    );
    const { password: _, [ENTERPRISE]: extension, ...said } = body;
    expect(resource).toEqual({
      ...said,
      id,
      active: true,
      groups: [],
      [ENTERPRISE]: { ...extension, superUser: false, external: false },
      meta: {
        resourceType: 'User',
        created: '2026-03-01T00:00:00.000Z',
        lastModified: '2026-03-01T00:00:00.000Z',
        location: `${BASE}/Users/${id}`,
        version: 'W/"1"',
      },
    });
    expect([version, location]).toEqual(['W/"1"', `${BASE}/Users/${id}`]);
    expect(await readUser(world, id)).toEqual(resource);
  });

  it('is visible to the command line, and its users are visible to SCIM', async () => {
    const world = createScimWorld();
    await makeUser(world, { userName: 'eve', active: 'False' });
    expect(world.accounts.get(world.owner, 'EVE')).toMatchObject({ user_name: 'eve', active: false });
    expect(await readUser(world, world.ada.userId)).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
      id: world.ada.userId,
      userName: 'ada',
      active: true,
      emails: [{ value: 'ada@example.org', type: 'work', primary: true }],
      roles: [],
      groups: [],
      meta: expect.objectContaining({ version: 'W/"1"' }),
      [ENTERPRISE]: { superUser: false, userStatus: 'CONFIRMED', external: false },
    });
    expect(await readUser(world, world.owner.userId)).toMatchObject({
      roles: [{ value: 'ADMIN', primary: true }],
      [ENTERPRISE]: { superUser: true },
    });
  });

  it.each([
    [{ userName: 'ADA' }, '409 uniqueness: User name already exists: ADA'],
    [
      { userName: 'x', emails: [{ value: 'ADA@example.org' }] },
      '409 uniqueness: E-mail already exists: ADA@example.org',
    ],
    [{ userName: 'Ada@Example.org' }, '409 uniqueness: E-mail already exists: Ada@Example.org'],
    [{ userName: ' ' }, '400 invalidValue: User name is required'],

    [{ userName: 'ada ' }, '400 invalidValue: User name must not begin or end with a blank: `ada `'],
    [{ userName: 'a\u2060da' }, '400 invalidValue: User name must not have invisible characters: U+2060'],
    [{ userName: 'a\u0007' }, '400 invalidValue: User name must not have control characters'],
    [{ userName: 'x', emails: 'nobody' }, '400 invalidValue: E-mail is not valid: nobody'],
    [
      { userName: 'x', displayName: 'x'.repeat(256) },
      '400 invalidValue: Display name exceeds maximum length of 255 characters',
    ],
    [
      { userName: 'x', roles: [{ value: 'x'.repeat(256) }] },
      '400 invalidValue: Role exceeds maximum length of 255 characters',
    ],
    [
      { userName: 'x', password: 'short' },
      '400 invalidValue: password was refused: a password needs at least 8 characters',
    ],
  ])('is refused as %j', async (body, refusal) => {
    const world = createScimWorld();
    expect(await scimRefusalOf(() => world.scim.users.create(body, {}))).toBe(refusal);
    expect(world.users.count()).toBe(3);
  });

  it('keeps a stored name that is refused today, and can be renamed', async () => {
    const world = createScimWorld();
    const { id } = world.users.create({ userName: 'eve ' });
    await patchUser(world, id, { op: 'replace', path: 'title', value: 'Countess' });
    expect(await readUser(world, id)).toMatchObject({ userName: 'eve ', title: 'Countess' });
    await patchUser(world, id, { op: 'replace', path: 'userName', value: 'eve' });
    expect(world.users.findById(id)?.userName).toBe('eve');
  });

  it.each([
    [[{ value: 'a@x.org' }, { value: 'b@x.org' }], 'a@x.org'],
    [
      [
        { value: 'a@x.org', type: 'home' },
        { value: 'b@x.org', type: 'Work' },
      ],
      'b@x.org',
    ],
    [
      [
        { value: 'a@x.org', type: 'work' },
        { value: 'b@x.org', primary: true },
      ],
      'b@x.org',
    ],
    [[], null],
    [[{ type: 'work' }], null],
  ])('uses the primary one of the e-mail addresses %j', async (emails, email) => {
    const world = createScimWorld();
    expect(world.users.findById(await makeUser(world, { emails }))?.email).toBe(email);
  });

  it('uses its user name as e-mail address when it is one and no other is given', async () => {
    const world = createScimWorld();
    const id = await makeUser(world, { userName: 'eve@example.org' });
    expect((await readUser(world, id)).emails).toEqual([
      { value: 'eve@example.org', type: 'work', primary: true },
    ]);
  });

  it('does not need a password, and gets none when it signs in elsewhere', async () => {
    const world = createScimWorld();
    const id = await makeUser(world, { password: 'correct horse battery', [ENTERPRISE]: { external: true } });
    expect(world.users.readPasswordHash(id)).toBeNull();
    expect(world.users.findById(id)?.external).toBe(true);
    expect(await readUser(world, id)).toMatchObject({ [ENTERPRISE]: { external: true } });
  });

  it('may have a password that is easily guessed; the log gets a warning without the password', async () => {
    const world = createScimWorld();
    const id = await makeUser(world, { password: 'password1' });
    expect(world.users.readPasswordHash(id)).toMatch(/^\$argon2id\$/);
    expect(world.warnings).toEqual([
      'the password that was set for eve is easily guessed: it is made of names and obvious words',
    ]);
    const again = { userName: 'eve', password: 'password1' };
    expect(await scimRefusalOf(() => world.scim.users.create(again, {}))).toMatch(/^409 uniqueness/);
    await patchUser(world, id, { op: 'replace', path: 'password', value: 'administrator1' });
    expect(world.warnings).toHaveLength(2);
  });
});

describe('rights', () => {
  it.each([
    [{}, false, null],
    [{ roles: [{ value: 'admin' }] }, true, null],
    [{ roles: [{ value: 'Analyst' }, { value: 'viewer' }, { value: 'EDITOR' }] }, false, 'EDITOR'],
    [{ roles: [{ value: 'ADMIN' }, { value: 'VIEWER', primary: true }] }, false, 'VIEWER'],
    [{ roles: [{ value: 'Analyst' }] }, false, 'Analyst'],
    [{ roles: ['VIEWER'] }, false, 'VIEWER'],
    [{ roles: [{ value: 'VIEWER' }], [ENTERPRISE]: { superUser: 'True' } }, true, null],
    [
      { roles: [{ value: 'ADMIN' }, { value: 'VIEWER' }], [ENTERPRISE]: { superUser: false } },
      false,
      'VIEWER',
    ],
    [{ roles: [{ value: 'ADMIN' }], [ENTERPRISE]: { superUser: false } }, false, null],
  ])('of %j are consistent, and stored once', async (body, superUser, role) => {
    const world = createScimWorld();
    const id = await makeUser(world, body);
    expect(world.users.findById(id)).toMatchObject({ superUser, role });
    expect(await readUser(world, id)).toMatchObject({ [ENTERPRISE]: { superUser } });
  });

  it('are returned as the effective role, first when the list has others', async () => {
    const world = createScimWorld();
    const roles = [{ value: 'VIEWER', primary: true }, { value: 'Analyst' }];
    const id = await makeUser(world, { roles });
    expect((await readUser(world, id)).roles).toEqual(roles);
    await world.accounts.set(world.owner, 'eve', { role: 'ADMIN' });
    expect((await readUser(world, id)).roles).toEqual([
      { value: 'ADMIN', primary: true },
      { value: 'VIEWER' },
      { value: 'Analyst' },
    ]);
    await world.accounts.set(world.owner, 'eve', { role: 'EDITOR' });
    expect((await readUser(world, id)).roles).toEqual([
      { value: 'EDITOR', primary: true },
      { value: 'VIEWER' },
      { value: 'Analyst' },
    ]);
  });

  it('change by roles or by superUser, depending on which one a change contains', async () => {
    const world = createScimWorld();
    const id = await makeUser(world, { roles: [{ value: 'VIEWER' }] });
    const rights = () => {
      const { superUser, role } = world.users.findById(id)!;
      return [superUser, role];
    };
    await patchUser(world, id, { op: 'replace', path: `${ENTERPRISE}:superUser`, value: true });
    expect(rights()).toEqual([true, null]);
    await patchUser(world, id, { op: 'replace', path: 'displayName', value: 'Eve' });
    expect(rights()).toEqual([true, null]);
    await patchUser(world, id, { op: 'replace', path: `${ENTERPRISE}:superUser`, value: false });
    expect(rights()).toEqual([false, 'VIEWER']);
    await patchUser(world, id, { op: 'replace', path: 'roles', value: [{ value: 'ADMIN' }] });
    expect(rights()).toEqual([true, null]);
    await patchUser(world, id, { op: 'remove', path: 'roles' });
    expect(rights()).toEqual([false, null]);
  });

  it('cannot be removed from the last active administrator', async () => {
    const world = createScimWorld();
    const { scim, owner } = world;
    const refusal =
      '409: admin is the last active administrator, and cannot be deleted, disabled or given another role';
    for (const act of [
      () => patchUser(world, owner.userId, { op: 'replace', path: 'active', value: false }),
      () => patchUser(world, owner.userId, { op: 'replace', path: 'roles', value: [{ value: 'EDITOR' }] }),
      () => patchUser(world, owner.userId, { op: 'remove', path: 'roles' }),
      () =>
        scim.users.replace(owner.userId, { userName: 'admin', [ENTERPRISE]: { superUser: false } }, CHANGE),
      () => scim.users.delete(owner.userId, {}),
    ]) {
      expect(await scimRefusalOf(act)).toBe(refusal);
    }
    await makeUser(world, { [ENTERPRISE]: { superUser: true } });
    await scim.users.delete(owner.userId, {});
    expect(world.users.findOwner()?.userName).toBe('eve');
  });
});

describe('versions', () => {
  it('increase with every change, by any caller', async () => {
    const world = createScimWorld();
    const id = world.ada.userId;
    await world.accounts.set(world.owner, 'ada', { displayName: 'Ada' });
    expect((await world.scim.users.get(id, {})).version).toBe('W/"2"');
    await world.accounts.set(world.owner, 'ada', { password: 'correct horse battery' });
    expect((await patchUser(world, id, { op: 'add', path: 'title', value: 'Dr' })).version).toBe('W/"4"');
  });

  it.each(['"1"', 'W/"1"', '"7", W/"1"', '*'])('match If-Match %s', async (ifMatch) => {
    const world = createScimWorld();
    const change = { projection: {}, ifMatch };
    const body = patchOf({ op: 'add', path: 'title', value: 'Dr' });
    expect((await world.scim.users.patch(world.ada.userId, body, change)).version).toBe('W/"2"');
    await world.scim.users.delete(world.bob.userId, { ifMatch });
    expect(world.users.findById(world.bob.userId)).toBeUndefined();
  });

  it.each(['"2"', 'W/"2"', '1', 'x', ''])('do not match If-Match %j', async (ifMatch) => {
    const world = createScimWorld();
    const { users } = world.scim;
    const refusal = '412: Resource has been modified. Refresh and retry with current ETag: W/"1"';
    const change = { projection: {}, ifMatch };
    const id = world.ada.userId;
    // The version is checked before the body.
    expect(await scimRefusalOf(() => users.patch(id, null, change))).toBe(refusal);
    expect(await scimRefusalOf(() => users.replace(id, null, change))).toBe(refusal);
    expect(await scimRefusalOf(() => users.delete(id, change))).toBe(refusal);
  });
});

it('only administrators can change users, with a token that can write', async () => {
  const world = createScimWorld();
  const reading = { tokenId: 't', scope: 'read' as const, address: null, requestId: null };
  const id = world.ada.userId;
  const body = { userName: 'eve' };
  const writes = (principal: typeof world.owner) => {
    const { users, groups } = world.as(principal);
    return [
      () => users.create(body, {}),
      () => users.create(null, {}),
      () => users.replace(id, body, CHANGE),
      () => users.patch('unknown', null, CHANGE),
      () => users.delete(id, {}),
      () => groups.create({ displayName: 'g' }, {}),
      () => groups.replace('unknown', null, CHANGE),
      () => groups.patch('unknown', null, CHANGE),
      () => groups.delete('unknown', {}),
    ];
  };
  const { users, groups, search } = world.as(world.ada);
  const reads = [
    () => users.list({}),
    () => users.get(id, {}),
    () => groups.list({}),
    () => groups.get('x', {}),
    () => search({}),
  ];
  const all = [...writes(world.ada), ...reads, ...writes({ ...world.owner, origin: reading })];
  for (const act of all) {
    expect(await scimRefusalOf(act)).toBe("403: You don't have permission to perform the request");
  }
  expect(await world.as({ ...world.owner, origin: reading }).users.list({})).toMatchObject({
    totalResults: 3,
  });
});
