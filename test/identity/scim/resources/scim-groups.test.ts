import { describe, expect, it } from 'vitest';
import { createGroupStore } from '../../../../src/identity/records/group-store.ts';
import type { ScimObject } from '../../../../src/identity/scim/protocol/resource.ts';
import { createScimService } from '../../../../src/identity/scim/resources/scim-service.ts';
import { refusalOf } from '../../account-world.ts';
import { BASE, CHANGE, createScimWorld, patchOf, type ScimWorld, scimRefusalOf } from '../scim-world.ts';

/** Creates a group of these users, and returns its id. */
async function make({ scim }: ScimWorld, ...ids: readonly string[]): Promise<string> {
  const members = ids.map((value) => ({ value }));
  return (await scim.groups.create({ displayName: 'team', members }, {})).id;
}

const patch = ({ scim }: ScimWorld, id: string, ...operations: readonly object[]) =>
  scim.groups.patch(id, patchOf(...operations), CHANGE);

/** The user names of the members of a group, sorted. */
function membersOf({ groups, owner }: ScimWorld, name = 'team'): readonly string[] {
  return groups.get(owner, name).members;
}

function entriesOf({ audit }: ScimWorld, object: string): readonly string[] {
  return audit.find({ object }, 10).map((entry) => `${entry.action} ${entry.object}`);
}

describe('a created group', () => {
  it('belongs to the home, and is returned with all given attributes', async () => {
    const world = createScimWorld();
    const body = {
      displayName: 'Team',
      externalId: 'g1',
      description: 'All of us',
      external: true,
      members: [
        { value: world.ada.userId, $ref: null },
        { value: world.bob.userId },
        { value: world.ada.userId },
      ],
    };
    const { id, location, version, resource } = await world.scim.groups.create(body, {});
    expect([location, version]).toEqual([`${BASE}/Groups/${id}`, 'W/"1"']);
    const member = (userId: string, display: string) => {
      return { value: userId, display, $ref: `${BASE}/Users/${userId}`, type: 'USER' };
    };
    expect(resource).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id,
      ...body,
      members: [member(world.ada.userId, 'ada'), member(world.bob.userId, 'bob')],
      meta: {
        resourceType: 'Group',
        created: '2026-03-01T00:00:00.000Z',
        lastModified: '2026-03-01T00:00:00.000Z',
        location,
        version,
      },
    });
    expect((await world.scim.groups.get(id, {})).resource).toEqual(resource);
    expect(membersOf(world, 'TEAM')).toEqual(['ada', 'bob']);
    expect(entriesOf(world, 'Team')).toEqual(['group.add Team: ada, bob', 'group.create Team']);
    expect((await world.scim.users.get(world.ada.userId, {})).resource?.groups).toEqual([
      { value: id, $ref: location, display: 'Team', type: 'direct' },
    ]);
  });

  it.each([
    [{ displayName: 'TEAM' }, '409 uniqueness: Group already exists: TEAM'],
    [
      { displayName: 'Everyone' },
      '409 uniqueness: Group everyone is part of every home: all users are in it',
    ],
    [{ displayName: 'a\tb' }, '400 invalidValue: Group name must not have control characters'],
    [
      { displayName: 'x', members: [{ value: 'nobody' }] },
      '400 invalidValue: members must be users: no user has the id `nobody`',
    ],
    [
      { displayName: 'x', members: [{ value: 'nobody', type: 'Group' }] },
      '400 invalidValue: members must be users: groups in groups are not supported',
    ],
  ])('is refused as %j', async (body, refusal) => {
    const world = createScimWorld();
    await make(world);
    expect(await scimRefusalOf(() => world.scim.groups.create(body, {}))).toBe(refusal);
    expect(world.groups.list(world.owner)).toHaveLength(1);
  });

  it('cannot be a member of a group', async () => {
    const world = createScimWorld();
    const value = await make(world);
    expect(
      await scimRefusalOf(() => patch(world, value, { op: 'add', path: 'members', value: [{ value }] })),
    ).toBe('400 invalidValue: members must be users: groups in groups are not supported');
  });
});

describe('members', () => {
  it('are added and removed in the order of the operations', async () => {
    const world = createScimWorld();
    const { ada, bob, owner } = world;
    const id = await make(world, ada.userId);
    const { resource, version } = await patch(
      world,
      id,
      { op: 'Remove', path: `members[value eq "${ada.userId}"]` },
      { op: 'Add', path: 'members', value: { value: bob.userId } },
      { op: 'Add', path: 'members', value: [{ value: owner.userId }, { value: bob.userId }] },
      { op: 'Remove', path: 'members', value: [{ value: owner.userId }] },
    );
    expect([membersOf(world), version]).toEqual([['bob'], 'W/"2"']);
    expect(resource?.members).toMatchObject([{ value: bob.userId }]);
    await patch(world, id, {
      op: 'replace',
      path: 'members',
      value: [{ value: owner.userId }, { value: ada.userId }],
    });
    expect(membersOf(world)).toEqual(['ada', 'admin']);
    await patch(world, id, { op: 'remove', path: 'members[display sw "AD" and not (display ew "n")]' });
    expect(membersOf(world)).toEqual(['admin']);
    await patch(world, id, {
      op: 'replace',
      value: { displayName: 'crew', id: 'x', members: [{ value: bob.userId }] },
    });
    expect(membersOf(world, 'crew')).toEqual(['bob']);
    await patch(world, id, { op: 'remove', path: 'members' });
    expect(membersOf(world, 'crew')).toEqual([]);
  });

  it('are selected by filters after the earlier operations', async () => {
    const world = createScimWorld();
    const id = await make(world, world.ada.userId);
    await patch(
      world,
      id,
      { op: 'remove', path: 'members[display eq "ada"]' },
      { op: 'add', path: 'members', value: [{ value: world.bob.userId }, { value: world.owner.userId }] },
      { op: 'remove', path: 'members[display sw "b"]' },
      { op: 'add', path: 'members', value: world.ada.userId },
    );
    expect(membersOf(world)).toEqual(['ada', 'admin']);
  });

  it('are compared with filters at most two million times, except by id', async () => {
    const world = createScimWorld();
    const ids = Array.from({ length: 200 }, (_, number) => world.users.create({ userName: `u${number}` }).id);
    const id = await make(world, ...ids);
    const repeat = (comparison: string, times: number) =>
      Array(times).fill({ op: 'remove', path: `members[${Array(11).fill(comparison).join(' or ')}]` });
    expect(await scimRefusalOf(() => patch(world, id, ...repeat('display eq "u7"', 1000)))).toBe(
      '400 tooMany: Filters of members compare more than 2000000 times: choose by value eq "…", ' +
        'or send fewer operations at once',
    );
    expect(membersOf(world)).toHaveLength(200);
    await patch(world, id, ...repeat('display eq "u7"', 900), ...repeat(`value eq "${ids[8]}"`, 100));
    expect(membersOf(world)).toHaveLength(198);
  });

  it('do not change when an added user is a member already, or a removed user is not a member', async () => {
    const world = createScimWorld();
    const id = await make(world, world.ada.userId);
    const add = { op: 'add', path: 'members', value: [{ value: world.ada.userId }] };
    const remove = { op: 'remove', path: `members[value eq "${world.bob.userId}"]` };
    expect(
      await patch(world, id, add, remove, { op: 'remove', path: 'members[value eq "x"]' }),
    ).toMatchObject({
      version: 'W/"1"',
      resource: { members: [{ value: world.ada.userId }] },
    });
    expect(entriesOf(world, 'team')).toEqual(['group.add team: ada', 'group.create team']);
  });

  it('stay unchanged when a later operation fails', async () => {
    const world = createScimWorld();
    const id = await make(world, world.ada.userId);
    const refusal = await scimRefusalOf(() =>
      patch(
        world,
        id,
        { op: 'remove', path: 'members' },
        { op: 'replace', path: 'displayName', value: 'crew' },
        { op: 'add', path: 'members', value: [{ value: 'nobody' }] },
      ),
    );
    expect(refusal).toBe('400 invalidValue: members must be users: no user has the id `nobody`');
    expect(membersOf(world)).toEqual(['ada']);
    expect((await world.scim.groups.get(id, {})).version).toBe('W/"1"');
  });

  it('are counted in the audit log when they are more than twenty', async () => {
    const world = createScimWorld();
    const ids = Array.from({ length: 21 }, (_, number) => world.users.create({ userName: `u${number}` }).id);
    const id = await make(world, ...ids);
    await patch(world, id, { op: 'remove', path: 'members' });
    expect(entriesOf(world, 'team')).toEqual([
      'group.remove team: 21 members',
      'group.add team: 21 members',
      'group.create team',
    ]);
  });

  it('are not lost in concurrent changes', async () => {
    const world = createScimWorld();
    const id = await make(world);
    const add = (value: string) => patch(world, id, { op: 'add', path: 'members', value: [{ value }] });
    await Promise.all([add(world.ada.userId), add(world.bob.userId)]);
    expect(membersOf(world)).toEqual(['ada', 'bob']);
  });

  it('are announced when they lose rights', async () => {
    const world = createScimWorld();
    const id = await make(world, world.ada.userId);
    const announced: unknown[] = [];
    world.announcements.subscribe((announcement) => announced.push(announcement));
    await patch(world, id, { op: 'add', path: 'members', value: [{ value: world.bob.userId }] });
    expect(announced).toEqual([]);
    await patch(world, id, { op: 'remove', path: 'members' });
    expect(announced).toEqual([{ kind: 'grant-changed' }]);
    await world.scim.groups.delete(id, {});
    expect(announced).toHaveLength(2);
    expect(await scimRefusalOf(() => world.scim.groups.get(id, {}))).toBe(`404: Resource not found: ${id}`);
  });
});

describe('sources of members', () => {
  it('are separate: each source removes only the members that it added', async () => {
    const world = createScimWorld();
    const { groups, owner, ada, bob } = world;
    const id = await make(world, ada.userId);
    groups.addMembers(owner, 'team', ['bob', 'admin']);
    const { resource } = await world.scim.groups.get(id, {});
    expect((resource!.members as readonly ScimObject[]).map(({ display }) => display).sort()).toEqual([
      'ada',
      'admin',
      'bob',
    ]);
    await patch(world, id, { op: 'remove', path: `members[value eq "${bob.userId}"]` });
    await patch(world, id, { op: 'replace', path: 'members', value: [] });
    await world.scim.groups.replace(id, { displayName: 'team' }, CHANGE);
    expect(membersOf(world)).toEqual(['admin', 'bob']);
    await patch(world, id, { op: 'add', path: 'members', value: [{ value: ada.userId }] });
    expect(await refusalOf(() => groups.removeMembers(owner, 'team', ['bob', 'ada']))).toBe(
      '409 ada was put into the group team by the identity provider: remove the user there',
    );
    expect(membersOf(world)).toEqual(['ada', 'admin', 'bob']);
  });

  it('may both add the same user, who stays a member until both have removed the user', async () => {
    const world = createScimWorld();
    const { groups, owner, ada, database } = world;
    const id = await make(world, ada.userId);
    expect(groups.addMembers(owner, 'team', ['ada']).members).toEqual(['ada']);
    expect(database.statement('SELECT source FROM group_members ORDER BY source').all()).toEqual([
      { source: 'local' },
      { source: 'scim' },
    ]);
    expect((await world.scim.groups.get(id, {})).resource?.members).toMatchObject([{ value: ada.userId }]);
    expect((await world.scim.users.get(ada.userId, {})).resource?.groups).toHaveLength(1);
    await patch(world, id, { op: 'remove', path: 'members' });
    expect(membersOf(world)).toEqual(['ada']);
    await patch(world, id, { op: 'add', path: 'members', value: [{ value: ada.userId }] });
    expect(groups.removeMembers(owner, 'team', ['ada']).members).toEqual(['ada']);
    await patch(world, id, { op: 'remove', path: 'members' });
    expect(membersOf(world)).toEqual([]);
  });
});

describe('a changed group', () => {
  it('has the values of the PUT', async () => {
    const world = createScimWorld();
    const body = { displayName: 'team', externalId: 'x', description: 'old', external: true };
    const { id } = await world.scim.groups.create({ ...body, members: [{ value: world.ada.userId }] }, {});
    const members = [{ value: world.bob.userId }];
    const { resource } = await world.scim.groups.replace(
      id,
      { displayName: 'crew', members, id: 'y' },
      CHANGE,
    );
    expect(resource).toEqual({
      schemas: expect.any(Array),
      id,
      displayName: 'crew',
      external: false,
      members: [expect.objectContaining(members[0]!)],
      meta: expect.objectContaining({ version: 'W/"2"' }),
    });
    expect(entriesOf(world, 'team')).toContain('group.update team: name crew, attributes');
  });

  it('needs a unique name, in any case', async () => {
    const world = createScimWorld();
    const id = await make(world);
    await world.scim.groups.create({ displayName: 'crew' }, {});
    const rename = (value: string) => patch(world, id, { op: 'replace', path: 'displayName', value });
    expect(await scimRefusalOf(() => rename('CREW'))).toBe('409 uniqueness: Group already exists: CREW');
    expect((await rename('TEAM')).resource).toMatchObject({ displayName: 'TEAM' });
  });

  it('gets a new version with every change, and refuses an old version', async () => {
    const world = createScimWorld();
    const id = await make(world);
    world.groups.addMembers(world.owner, 'team', ['ada']);
    world.groups.addMembers(world.owner, 'team', ['ada']);
    expect((await world.scim.groups.get(id, {})).version).toBe('W/"2"');
    const stale = { projection: {}, ifMatch: 'W/"1"' };
    const refusal = '412: Resource has been modified. Refresh and retry with current ETag: W/"2"';
    expect(await scimRefusalOf(() => world.scim.groups.patch(id, null, stale))).toBe(refusal);
    expect(await scimRefusalOf(() => world.scim.groups.replace(id, null, stale))).toBe(refusal);
    expect(await scimRefusalOf(() => world.scim.groups.delete(id, stale))).toBe(refusal);
  });

  it('is not returned with more than 1,000 members, unless the request names attributes', async () => {
    const world = createScimWorld();
    const ids = world.database.write(() =>
      Array.from({ length: 1001 }, (_, number) => world.users.create({ userName: `u${number}` }).id),
    );
    const id = await make(world, ...ids);
    const change = (projection: object) =>
      world.scim.groups.patch(id, patchOf({ op: 'add', path: 'externalId', value: 'x' }), { projection });
    expect(await change({})).toMatchObject({ version: 'W/"2"', resource: null });
    expect((await change({ excludedAttributes: ['members'] })).resource).toMatchObject({ externalId: 'x' });
    expect((await change({ attributes: ['members.value'] })).resource?.members).toHaveLength(1001);
    await patch(world, id, { op: 'remove', path: `members[value eq "${ids[0]}"]` });
    expect((await change({})).resource?.members).toHaveLength(1000);
  });
});

/** The interface as `admin`, and the statements that it runs. */
function watch(world: ScimWorld) {
  const texts: string[] = [];
  const counted = {
    ...world,
    database: {
      ...world.database,
      statement: <Row>(sql: string) => {
        texts.push(sql);
        return world.database.statement<Row>(sql);
      },
    },
  };
  const { groups } = createScimService({ ...counted, onDelete: () => undefined }).as({
    principal: world.owner,
    base: BASE,
    warn: () => undefined,
  });
  return { groups, texts };
}

it('reads members once for all filters of a PATCH', async () => {
  const world = createScimWorld();
  const id = await make(world, world.ada.userId, world.bob.userId);
  const { groups, texts } = watch(world);
  const steps = ['x', 'ada', 'y'].map((name) => ({ op: 'remove', path: `members[display eq "${name}"]` }));
  await groups.patch(id, patchOf(...steps), { projection: { excludedAttributes: ['members'] } });
  expect(texts.filter((sql) => /FROM users.*FROM group_members/s.test(sql))).toHaveLength(1);
  expect(membersOf(world)).toEqual(['bob']);
});

it('reads no members of groups when the response does not contain them', async () => {
  const world = createScimWorld();
  await make(world, world.ada.userId);
  const { groups, texts } = watch(world);
  await groups.list({ excludedAttributes: ['MEMBERS'] });
  expect(texts.filter((sql) => sql.includes('group_members'))).toEqual([]);
  await groups.list({ attributes: ['members'] });
  expect(texts.filter((sql) => sql.includes('group_members'))).toHaveLength(1);
});

it('finds users and groups with an index in a large home', () => {
  const { database } = createScimWorld();
  const texts: string[] = [];
  const store = createGroupStore({
    ...database,
    statement: (sql) => {
      texts.push(sql);
      return database.statement(sql);
    },
  });
  store.listMembers('g');
  store.listUserNames('g');
  store.hasMoreThan('g', 1);
  store.isMember('g', 'u');
  store.listGroupsOf(['u']);
  store.listUsers(['u']);
  store.listIdsBy('g', 'scim');
  database.write(() => {
    store.addMembers('g', [], 'scim');
    store.removeMembers('g', ['u'], 'scim');
    store.renewGroupsOf('u', '');
  });
  for (const condition of [{ id: 'g' }, { name: 'g' }, { externalId: 'g' }, { member: 'u' }])
    store.count(condition);
  const plans = texts.flatMap((sql) =>
    database
      .statement<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...(sql.match(/\?/g) ?? []).map(() => '[]'))
      .map(({ detail }) => detail),
  );
  expect(plans.length).toBeGreaterThan(14);
  expect(plans.filter((detail) => /^SCAN (groups|users|group_members)\b/.test(detail))).toEqual([]);
});
