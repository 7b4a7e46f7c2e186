import { describe, expect, it } from 'vitest';
import { CHANGE, createScimWorld, idsOf, type ScimWorld, scimRefusalOf } from '../scim-world.ts';

/** The user names in the response to a query, in order. */
async function namesOf({ scim }: ScimWorld, query: object): Promise<readonly unknown[]> {
  const { Resources } = await scim.users.list(query);
  return (Resources as readonly { readonly userName: string }[]).map(({ userName }) => userName);
}

describe('a list of users', () => {
  it('is a list response, in the order of creation', async () => {
    const world = createScimWorld();
    const { id } = await world.scim.users.create({ userName: 'Aaron' }, {});
    const list = await world.scim.users.list({});
    expect(list).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 4,
      startIndex: 1,
      itemsPerPage: 4,
    });
    expect(idsOf(list)).toEqual([world.owner.userId, world.ada.userId, world.bob.userId, id]);
    await world.scim.users.replace(world.owner.userId, { userName: 'zoe' }, CHANGE);
    expect(await namesOf(world, {})).toEqual(['zoe', 'ada', 'bob', 'Aaron']);
  });

  it.each([
    [{ startIndex: 2 }, 2, ['ada', 'bob']],
    [{ startIndex: '2', count: '1' }, 2, ['ada']],
    [{ startIndex: 0 }, 1, ['admin', 'ada', 'bob']],
    [{ startIndex: '-7', count: 2 }, 1, ['admin', 'ada']],
    [{ count: 0 }, 1, []],
    [{ count: -1 }, 1, []],
    [{ startIndex: 3, count: 100_000 }, 3, ['bob']],
    [{ startIndex: 4 }, 4, []],
    [{ startIndex: '99999999999999999999', count: '99999999999999999999' }, 2 ** 31 - 1, []],
  ])('returns the page %j', async (query, startIndex, names) => {
    const world = createScimWorld();
    expect(await namesOf(world, query)).toEqual(names);
    expect(await world.scim.users.list(query)).toMatchObject({
      totalResults: 3,
      startIndex,
      itemsPerPage: names.length,
    });
  });

  it.each(['x', '', '1.5', '1e3', Number.NaN])('refuses the start index and count %j', async (number) => {
    const { scim } = createScimWorld();
    expect(await scimRefusalOf(() => scim.users.list({ startIndex: number }))).toBe(
      '400 invalidValue: startIndex must be a whole number',
    );
    expect(await scimRefusalOf(() => scim.groups.list({ count: number }))).toBe(
      '400 invalidValue: count must be a whole number',
    );
  });

  it('has 100 users by default, and 1,000 at most', async () => {
    const world = createScimWorld();
    world.database.write(() => {
      for (let number = 3; number < 1001; number++) world.users.create({ userName: `u${number}` });
    });
    const sizes = [{}, { count: 1000 }, { count: 5000 }, { startIndex: 1001, count: 5000 }].map(
      async (query) => (await namesOf(world, query)).length,
    );
    expect(await Promise.all(sizes)).toEqual([100, 1000, 1000, 1]);
  });

  it.each([
    'userName eq "ada"',
    'USERNAME EQ "ADA"',
    '(username Eq "Ada")',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada"',
  ])('has the user of the filter %s', async (filter) => {
    const world = createScimWorld();
    expect(await namesOf(world, { filter })).toEqual(['ada']);
    expect(await namesOf(world, { filter, startIndex: 2 })).toEqual([]);
    expect(await world.scim.users.list({ filter, count: 0 })).toMatchObject({
      totalResults: 1,
      itemsPerPage: 0,
    });
  });

  it.each(['userName eq "nobody"', 'userName eq "a\\"da"'])('is empty for %s', async (filter) => {
    expect(await createScimWorld().scim.users.list({ filter })).toMatchObject({
      totalResults: 0,
      Resources: [],
    });
  });

  it.each([
    'externalId eq "x"',
    'userName sw "a"',
    'userName eq "ada" and active eq true',
    'userName eq "ada" or userName eq "bob"',
    'not (userName eq "ada")',
    'userName eq true',
    'userName eq',
    '((',
    '',
  ])('has all users for %j', async (filter) => {
    expect(await namesOf(createScimWorld(), { filter })).toEqual(['admin', 'ada', 'bob']);
  });

  it('has the requested attributes', async () => {
    const world = createScimWorld();
    const { Resources } = await world.scim.users.list({
      filter: 'userName eq "ada"',
      attributes: ['USERNAME'],
    });
    expect(Resources).toEqual([{ schemas: expect.any(Array), id: world.ada.userId, userName: 'ada' }]);
  });
});

describe('a list of groups', () => {
  /** The groups `one` with ada, `two` with ada and bob, and `three`. */
  async function createGroups() {
    const world = createScimWorld();
    const { ada, bob } = world;
    const make = (displayName: string, externalId: string, ...ids: readonly string[]) =>
      world.scim.groups.create({ displayName, externalId, members: ids.map((value) => ({ value })) }, {});
    const one = await make('One', 'x', ada.userId);
    const two = await make('two "2"', 'X', ada.userId, bob.userId);
    const three = await make('three', 'x');
    return { ...world, ids: { one: one.id, two: two.id, three: three.id } };
  }

  it.each([
    ['displayName eq "ONE"', ['one']],
    ['urn:ietf:params:scim:schemas:core:2.0:Group:displayname EQ "one"', ['one']],
    ['displayName eq "two \\"2\\""', ['two']],
    ['externalId eq "x"', ['one', 'three']],
    ['externalId eq "x" and displayName eq "three"', ['three']],
    ['displayName eq "one" and displayName eq "three"', []],
    ['displayName eq "none"', []],
  ])('for %s has the groups %j', async (filter, names) => {
    const world = await createGroups();
    const list = await world.scim.groups.list({ filter });
    expect(idsOf(list)).toEqual(names.map((name) => world.ids[name as 'one']));
    expect(list.totalResults).toBe(names.length);
  });

  it('can be filtered by id and by member', async () => {
    const { scim, ids, ada, bob } = await createGroups();
    const find = async (filter: string) => idsOf(await scim.groups.list({ filter }));
    expect(await find(`id eq "${ids.two}"`)).toEqual([ids.two]);
    expect(await find(`members.value eq "${ada.userId}"`)).toEqual([ids.one, ids.two]);
    expect(await find(`members[value eq "${bob.userId}"]`)).toEqual([ids.two]);
    expect(await find(`members eq "${ada.userId}" and externalId eq "x"`)).toEqual([ids.one]);
    expect(await find('members.value eq "x"')).toEqual([]);
    expect(await scim.groups.list({ startIndex: 2, count: 1 })).toMatchObject({
      totalResults: 3,
      Resources: [{ id: ids.two }],
    });
  });

  it.each([
    'displayName co "o"',
    'displayName eq "a" or displayName eq "b"',
    'not (displayName eq "a")',
    'description eq "x"',
    'toString eq "x"',
    'constructor eq "x"',
    'displayName eq true',
    'displayName pr',
  ])('refuses the filter %s', async (filter) => {
    const { scim } = createScimWorld();
    expect(await scimRefusalOf(() => scim.groups.list({ filter }))).toMatch(
      /^400 invalidFilter: Filter is not valid: a filter of groups /,
    );
  });

  it('refuses a malformed filter', async () => {
    const { scim } = createScimWorld();
    expect(await scimRefusalOf(() => scim.groups.list({ filter: 'displayName eq' }))).toMatch(
      /^400 invalidFilter: Filter is not valid at character /,
    );
  });
});

describe('a list of groups with very many members', () => {
  it('ends early, and continues at the next start index', async () => {
    const world = createScimWorld();
    const { scim, database } = world;
    const ids: string[] = [];
    for (const displayName of ['one', 'two', 'three'])
      ids.push((await scim.groups.create({ displayName }, {})).id);
    database.write(() => {
      const users = `
        INSERT INTO users (id, user_name, user_name_key, display_name, super_user, active, created_at, updated_at)
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 50000)
        SELECT 'u' || n, 'u' || n, 'u' || n, '', 0, 1, '', '' FROM number
      `;
      const members =
        "INSERT INTO group_members SELECT groups.id, users.id, 'scim' FROM groups, users WHERE users.id LIKE 'u%'";
      for (const sql of [users, members]) database.statement(sql).run();
    });
    const list = await scim.groups.list({});
    expect(list).toMatchObject({ totalResults: 3, itemsPerPage: 2 });
    expect(idsOf(list)).toEqual(ids.slice(0, 2));
    expect(idsOf(await scim.groups.list({ startIndex: 3 }))).toEqual(ids.slice(2));
    expect(idsOf(await scim.groups.list({ excludedAttributes: ['members'] }))).toEqual(ids);
  });
});

describe('a search', () => {
  it('returns pages across users and groups', async () => {
    const world = createScimWorld();
    const { id } = await world.scim.groups.create({ displayName: 'team' }, {});
    const { owner, ada, bob, scim } = world;
    const find = async (query: object) => idsOf(await scim.search(query));
    expect(await find({})).toEqual([owner.userId, ada.userId, bob.userId, id]);
    expect(await scim.search({ startIndex: 3, count: 2 })).toMatchObject({
      totalResults: 4,
      startIndex: 3,
      itemsPerPage: 2,
      Resources: [{ userName: 'bob' }, { displayName: 'team' }],
    });
    expect(await find({ startIndex: 4 })).toEqual([id]);
    expect(await find({ startIndex: 5 })).toEqual([]);
    expect(await find({ count: 2 })).toEqual([owner.userId, ada.userId]);
    expect(await find({ filter: 'userName eq "bob"' })).toEqual([bob.userId]);
  });
});
