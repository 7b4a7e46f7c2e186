import { describe, expect, it } from 'vitest';
import type { LevelSearch } from '../../../src/identity/grants/grant-levels.ts';
import type { Principal } from '../../../src/identity/principal/principal.ts';
import { listLevelPlaces } from '../../../src/identity/records/level-rows.ts';
import { SHARED_ROOT_ID } from '../../../src/store/values/roots.ts';
import {
  createGrantWorld,
  createPlace,
  type GrantWorld,
  makeFolders,
  refusalOf,
  set,
} from '../grant-world.ts';

/** The rows as text: own levels in capitals, inherited ones in parentheses. */
function show(world: GrantWorld, who: Principal, search: LevelSearch): string[] {
  const { folder, data } = world.grants.listLevels(who, search);
  return [...(folder === null ? [] : [folder]), ...data].map(({ target, restricted, has_children, levels }) =>
    [
      target,
      ...levels.map(({ own, level }) => (own === level ? level : `(${level})`)),
      ...(restricted ? ['restricted'] : []),
      ...(has_children ? ['+'] : []),
    ].join(' '),
  );
}

describe('the levels of several subjects', () => {
  it('are those of the folder and its children: own, inherited, restricted', async () => {
    const world = createPlace();
    world.add('ada');
    world.add('vic', 'VIEWER');
    world.accounts.groups.create(world.admin, 'readers');
    world.accounts.groups.addMembers(world.admin, 'readers', ['ada']);
    makeFolders(world, '@Shared/x/a', '@Shared/x/y/z');
    set(world, 'everyone', 'VIEW', '@Shared');
    set(world, 'group:readers', 'EDIT', '@Shared/x/y');
    set(world, 'user:vic', 'MANAGE', '@Shared/x');
    world.grants.restrict(world.admin, '@Shared/x/a', true);
    const subjects = ['user:ADA', 'group:Readers', 'everyone', 'user:vic', 'user:admin'];
    expect(show(world, world.admin, { subjects, under: '/@Shared/x' })).toEqual([
      '@Shared/x (VIEW) (VIEW) (VIEW) (VIEW) (MANAGE) +',
      '@Shared/x/a (NONE) (NONE) (NONE) (NONE) (MANAGE) restricted',
      '@Shared/x/y (EDIT) EDIT (VIEW) (VIEW) (MANAGE) +',
    ]);
    await world.accounts.users.set(world.admin, 'ada', { active: false });
    expect(show(world, world.admin, { subjects: ['user:ada'] })).toEqual([
      '@Project Hub (NONE)',
      '@Shared (NONE) +',
    ]);
    expect(show(world, world.admin, { subjects: ['everyone', 'user:vic'], under: 'connections' })).toEqual([
      'connection:duckdb READ (READ)',
    ]);
  });

  it('are read for managers on what they manage alone', async () => {
    const world = createPlace();
    const max = world.add('max');
    makeFolders(world, '@Shared/x/mine', '@Shared/x/secret', '@Project Hub/p');
    set(world, 'user:max', 'MANAGE', '@Shared/x');
    set(world, 'user:max', 'MANAGE', '@Project Hub');
    for (const path of ['@Shared/x/mine', '@Shared/x/secret']) world.grants.restrict(world.admin, path, true);
    set(world, 'user:max', 'MANAGE', '@Shared/x/mine');
    const read = (under?: string) => world.grants.listLevels(max, { subjects: ['everyone'], under });
    expect(read('@Shared/x')).toMatchObject({
      data: [{ target: '@Shared/x/mine' }, { target: '@Shared/x/y' }],
      total: 2,
    });
    expect(read('@Shared/x')).toMatchObject({ folder: { has_children: true } });
    makeFolders(world, '@Shared/x/y/hidden');
    world.grants.restrict(world.admin, '@Shared/x/y/hidden', true);
    // What a manager cannot see does not show.
    expect(read('@Shared/x').data.map((row) => row.has_children)).toEqual([false, false]);
    expect(read('@Project Hub')).toMatchObject({ data: [], total: 0 });
    expect(read('connections')).toMatchObject({ data: [], total: 0 });
    set(world, 'user:max', 'MANAGE', 'connection:duckdb');
    expect(read('connections')).toMatchObject({ data: [{ target: 'connection:duckdb' }], total: 1 });
    expect(await refusalOf(() => read('@Shared'))).toMatch(/^403/);
    expect(await refusalOf(() => read())).toMatch(/^403/);
    expect(await refusalOf(() => read('@Shared/x/secret'))).toMatch(/^404/);
  });

  it('are refused for too many subjects, unknown ones, other targets and @Personal', async () => {
    const world = createPlace();
    const read = (search: LevelSearch) => refusalOf(() => world.grants.listLevels(world.admin, search));
    const everyone = ['everyone'];
    expect(await read({ subjects: [] })).toBe('400 Subject is required');
    expect(await read({ subjects: Array(51).fill('everyone') })).toBe(
      '400 Subject must be given at most 50 times',
    );
    expect(await read({ subjects: ['ada'] })).toMatch(/^400 Subject must be user:NAME/);
    expect(await read({ subjects: ['user:eve'] })).toBe('404 User not found: eve');
    expect(await read({ subjects: ['group:eve'] })).toBe('404 Group not found: eve');
    expect(await read({ subjects: everyone, under: 'x' })).toMatch(/^400 Target must be a catalog path/);
    expect(await read({ subjects: everyone, under: 'connection:duckdb' })).toMatch(/^400 Under must be/);
    expect(await read({ subjects: everyone, under: '@Shared/none' })).toBe(
      '404 Path not found: @Shared/none',
    );
    expect(await read({ subjects: everyone, under: '@Personal' })).toMatch(/^422/);
    expect(await read({ subjects: everyone, limit: 1001 })).toBe('400 Limit must be between 1 and 1000');
  });
});

const INSERT = `
  INSERT INTO catalog_items (id, parent_id, name, type, description, revision, created_at, updated_at)
  VALUES (?, ?, ?, 'REGULAR_FOLDER', '', 1, '', '')
`;

it('are read in pages from a folder of 10,000 children, for a user in 2,000 groups, by one statement', () => {
  const world = createGrantWorld();
  const { database, admin, grants } = world;
  const ada = world.add('ada');
  database.write(() => {
    for (let number = 0; number < 10_000; number++) {
      database.statement(INSERT).run(`i${number}`, SHARED_ROOT_ID, String(number).padStart(5, '0'));
    }
    const [group, member] = [
      `INSERT INTO groups (id, name, name_key, display_name, created_at, updated_at) VALUES (?, ?, ?, '', '', '')`,
      'INSERT INTO group_members (group_id, user_id) VALUES (?, ?)',
    ];
    const grant = `INSERT INTO grants (id, group_id, item_id, level, created_at) VALUES (?, ?, ?, 'MANAGE', '')`;
    for (let number = 0; number < 2_000; number++) {
      database.statement(group).run(`g${number}`, `g${number}`, `g${number}`);
      database.statement(member).run(`g${number}`, ada.userId);
      database.statement(grant).run(`r${number}`, `g${number}`, `i${number * 5}`);
    }
  });
  const seen: string[] = [];
  let total = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = grants.listLevels(admin, { subjects: ['user:ada'], under: '@Shared', limit: 1000, after });
    seen.push(...page.data.map(({ levels: [cell] }) => cell?.level ?? ''));
    total = page.total;
    after = page.data.at(-1)?.name;
  }
  expect(total).toBe(10_000);
  expect(seen).toEqual(Array.from({ length: 10_000 }, (_, n) => (n % 5 === 0 ? 'MANAGE' : 'EDIT')));
  expect(show(world, admin, { subjects: ['everyone'], under: 'connections', after: 'x' })).toEqual([]);

  const texts: string[] = [];
  const noting = {
    ...database,
    statement: <Row>(sql: string) => {
      texts.push(sql);
      return database.statement<Row>(sql);
    },
  };
  const parent = { kind: 'folder', chain: [SHARED_ROOT_ID] } as const;
  const page = { parent, subjects: [ada.userId], managerId: ada.userId, after: '', limit: 100 };
  listLevelPlaces(noting, page);
  expect(texts).toHaveLength(1);
  const plan = texts.flatMap((sql) =>
    database
      .statement<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...(sql.match(/\?/g) ?? []).map(() => '[]'))
      .map(({ detail }) => detail),
  );
  expect(
    plan.filter((detail) => /^SCAN (item|grants|group_members|child|catalog_items)\b/.test(detail)),
  ).toEqual([]);
});
