import { describe, expect, it } from 'vitest';
import type { ScimObject } from '../../../../src/identity/scim/protocol/resource.ts';
import {
  CHANGE,
  createScimWorld,
  ENTERPRISE,
  makeUser,
  patchUser,
  readUser,
  scimRefusalOf,
} from '../scim-world.ts';

describe('PUT', () => {
  it('replaces everything except active, the password, the roles and the enterprise object', async () => {
    const world = createScimWorld();
    const id = await makeUser(world, {
      active: false,
      displayName: 'Eve',
      nickName: 'Evi',
      externalId: 'x',
      password: 'correct horse battery',
      emails: ['eve@example.org'],
      roles: ['ADMIN'],
      [ENTERPRISE]: { department: 'Sales', external: false },
    });
    const hash = world.users.readPasswordHash(id);
    const { resource } = await world.scim.users.replace(
      id,
      { id: 'other', userName: 'Eva', title: 'Dr' },
      CHANGE,
    );
    expect(resource).toEqual({
      schemas: expect.any(Array),
      id,
      userName: 'Eva',
      title: 'Dr',
      active: false,
      emails: [],
      roles: [{ value: 'ADMIN' }],
      groups: [],
      meta: expect.objectContaining({ version: 'W/"2"' }),
      [ENTERPRISE]: { department: 'Sales', superUser: true, userStatus: 'CONFIRMED', external: false },
    });
    expect(world.users.readPasswordHash(id)).toBe(hash);
    expect(world.users.findById(id)).toMatchObject({
      email: null,
      displayName: '',
      externalId: null,
      superUser: true,
    });
  });

  it('replaces a given enterprise object, but keeps absent rights and origin', async () => {
    const world = createScimWorld();
    const id = await makeUser(world, {
      [ENTERPRISE]: { department: 'Sales', superUser: true, external: true },
    });
    const { resource } = await world.scim.users.replace(
      id,
      { userName: 'eve', roles: [], [ENTERPRISE]: { costCenter: '7' } },
      CHANGE,
    );
    expect(resource).toMatchObject({
      [ENTERPRISE]: { costCenter: '7', superUser: true, userStatus: 'CONFIRMED', external: true },
    });
    expect(resource![ENTERPRISE]).not.toHaveProperty('department');
  });

  it('with the current values changes nothing', async () => {
    const world = createScimWorld();
    const id = await makeUser(world, {
      emails: ['eve@example.org'],
      roles: ['VIEWER'],
      name: { givenName: 'Eve' },
    });
    const before = await readUser(world, id);
    world.pass(1000);
    expect((await world.scim.users.replace(id, before, CHANGE)).resource).toEqual(before);
    expect(world.audit.find({ action: 'user.update' }, 10)).toEqual([]);
  });
});

describe('PATCH', () => {
  it('is applied as a whole or not at all', async () => {
    const world = createScimWorld();
    const id = await makeUser(world, {});
    const before = await readUser(world, id);
    const refusal = await scimRefusalOf(() =>
      patchUser(
        world,
        id,
        { op: 'add', path: 'title', value: 'Dr' },
        { op: 'replace', path: 'displayName', value: 'Eva' },
        { op: 'replace', path: 'userName', value: 'ADA' },
      ),
    );
    expect(refusal).toBe('409 uniqueness: User name already exists: ADA');
    expect(await readUser(world, id)).toEqual(before);
  });

  it('changes the e-mail address of an account that has it from another source', async () => {
    const world = createScimWorld();
    const id = world.ada.userId;
    await patchUser(world, id, {
      op: 'Replace',
      path: 'emails[type eq "work"].value',
      value: 'new@example.org',
    });
    expect(world.users.findById(id)).toMatchObject({
      email: 'new@example.org',
      origin: 'local',
      revision: 2,
    });
    await world.accounts.set(world.owner, 'ada', { email: 'newer@example.org' });
    expect((await readUser(world, id)).emails).toEqual([
      { value: 'newer@example.org', type: 'work', primary: true },
    ]);
    await world.accounts.set(world.owner, 'ada', { email: '' });
    expect(await readUser(world, id)).toMatchObject({ emails: [] });
  });

  it('renames a user, whose tokens stay valid', async () => {
    const world = createScimWorld();
    const { token } = world.tokens.create(world.ada, { name: 'ci' });
    await patchUser(world, world.ada.userId, { op: 'replace', path: 'userName', value: 'lovelace' });
    expect(world.users.findByUserName('ada')).toBeUndefined();
    expect(world.tokens.verify(token, { address: null, requestId: null })?.userName).toBe('lovelace');
    await patchUser(world, world.ada.userId, { op: 'replace', path: 'userName', value: 'LOVELACE' });
    expect(world.users.findByUserName('lovelace')?.userName).toBe('LOVELACE');
  });

  it('sets a new password, ends sessions and forgets failed sign-ins', async () => {
    const world = createScimWorld();
    const { ada, sessions, throttle } = world;
    const { cookieValue } = sessions.start(world.users.findById(ada.userId)!);
    const attempt = { login: 'ada', address: null };
    for (let number = 0; number < 5; number++) throttle.begin(attempt);
    expect(throttle.begin(attempt).isAllowed).toBe(false);
    await patchUser(world, ada.userId, { op: 'replace', path: 'password', value: 'correct horse battery' });
    const hash = world.users.readPasswordHash(ada.userId);
    expect(await world.passwords.verify('correct horse battery', hash)).toBe(true);
    expect(throttle.begin(attempt).isAllowed).toBe(true);
    expect(sessions.verify(cookieValue, { address: null, requestId: null })).toBeNull();
    const actions = world.audit.find({ object: 'ada' }, 2).map(({ action, actor }) => [action, actor]);
    expect(actions).toContainEqual(['user.password', 'admin']);
    expect((await readUser(world, ada.userId)).meta).toMatchObject({ version: 'W/"2"' });
  });

  it('sets no password for a user who signs in elsewhere, now or after the change', async () => {
    const world = createScimWorld();
    const external = { op: 'replace', path: `${ENTERPRISE}:external`, value: true };
    const password = { op: 'replace', path: 'password', value: 'correct horse battery' };
    await patchUser(world, world.ada.userId, password, external);
    expect(world.users.readPasswordHash(world.ada.userId)).toBeNull();
    await patchUser(world, world.ada.userId, { op: 'remove', path: ENTERPRISE }, password);
    expect(world.users.readPasswordHash(world.ada.userId)).toBeNull();
    await patchUser(world, world.ada.userId, { ...external, value: false }, password);
    expect(world.users.readPasswordHash(world.ada.userId)).not.toBeNull();
  });

  it('disables a user, and ends the tokens, sessions and executions of the user', async () => {
    const world = createScimWorld();
    const told: unknown[] = [];
    world.announcements.subscribe((announcement) => told.push(announcement));
    const { token } = world.tokens.create(world.ada, { name: 'ci' });
    const { cookieValue } = world.sessions.start(world.users.findById(world.ada.userId)!);
    await patchUser(world, world.ada.userId, { op: 'replace', value: { active: 'False' } });
    const visitor = { address: null, requestId: null };
    expect(world.tokens.verify(token, visitor)).toBeNull();
    expect(world.sessions.verify(cookieValue, visitor)).toBeNull();
    expect(told).toContainEqual({ kind: 'user-disabled', userId: world.ada.userId });
    expect(world.audit.find({ action: 'user.update' }, 1)).toMatchObject([{ object: 'ada: disabled' }]);
  });

  it('with the current values changes neither the version nor the audit log', async () => {
    const world = createScimWorld();
    const { version } = await patchUser(world, world.ada.userId, {
      op: 'replace',
      path: 'active',
      value: true,
    });
    expect(version).toBe('W/"1"');
    expect(world.audit.find({ action: 'user.update' }, 1)).toEqual([]);
  });
});

describe('a deleted user', () => {
  it('loses tokens and memberships, and is announced to other modules', async () => {
    const world = createScimWorld();
    const { scim, ada, groups, owner } = world;
    const told: unknown[] = [];
    world.announcements.subscribe((announcement) => told.push(announcement));
    const { token } = world.tokens.create(ada, { name: 'ci' });
    groups.create(owner, 'team');
    groups.addMembers(owner, 'team', ['ada']);
    const group = (await scim.groups.list({})).Resources as readonly ScimObject[];
    await scim.users.delete(ada.userId, {});
    expect(world.deleted.map(({ userName }) => userName)).toEqual(['ada']);
    expect(world.tokens.verify(token, { address: null, requestId: null })).toBeNull();
    expect(told).toEqual([{ kind: 'user-disabled', userId: ada.userId }]);
    expect(world.audit.find({ action: 'user.delete' }, 1)).toMatchObject([{ object: 'ada', actor: 'admin' }]);
    expect(await scim.groups.get(group[0]!.id as string, {})).toMatchObject({
      version: 'W/"3"',
      resource: { members: [] },
    });
    expect(await scimRefusalOf(() => scim.users.get(ada.userId, {}))).toBe(
      `404: Resource not found: ${ada.userId}`,
    );
  });
});
