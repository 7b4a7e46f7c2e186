import { describe, expect, it } from 'vitest';
import {
  createGrantWorld,
  createPlace,
  type GrantWorld,
  listAll,
  listAudit,
  makeAsset,
  makeFolders,
  refusalOf,
  set,
  tryLevel,
} from '../grant-world.ts';

const DENIED = "403 You don't have permission to perform the request";
const AT_FIRST = ['everyone EDIT @Shared', 'everyone READ connection:duckdb'];

describe('a new home', () => {
  it('lets everyone edit @Shared and read duckdb', () => {
    const world = createGrantWorld();
    expect(listAll(world)).toEqual(AT_FIRST);
    const users = [world.admin, world.add('ada'), world.add('odd', 'else'), world.add('vic', 'viewer')];
    const levels = (path: string) => users.map((who) => tryLevel(world, who, path));
    makeFolders(world, '@Shared/x', '@Project Hub/p');
    expect(levels('@Shared/x')).toEqual(['MANAGE', 'EDIT', 'EDIT', 'VIEW']);
    expect(levels('@Project Hub/p')).toEqual(['MANAGE', 'NONE', 'NONE', 'NONE']);
    expect(levels('@Project Hub')).toEqual(['MANAGE', 'VIEW', 'VIEW', 'VIEW']);
  });
});

describe('a grant', () => {
  it('is listed as it was set, and replaced by the next grant to the same subject', async () => {
    const world = createPlace();
    const { grants, admin } = world;
    world.add('Ada');
    const made = set(world, 'user:ADA', 'VIEW', '/@Shared/x/');
    expect(made).toEqual({
      subject: 'user:Ada',
      level: 'VIEW',
      target: '@Shared/x',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(set(world, 'user:Ada', 'VIEW', '@Shared/x')).toEqual(made);
    set(world, 'user:Ada', 'MANAGE', '@Shared/x');
    expect(grants.list(admin, '@Shared/x').data.map(({ level }) => level)).toEqual(['MANAGE']);
    grants.delete(admin, 'user:ada', '@Shared/x');
    expect(grants.list(admin, '@Shared/x')).toEqual({ data: [], restricted: [] });
    expect(await refusalOf(() => grants.delete(admin, 'user:ada', '@Shared/x'))).toBe(
      '404 Grant not found: user:Ada on @Shared/x',
    );
    expect(listAudit(world)).toEqual([
      'admin grant.set user:Ada VIEW @Shared/x',
      'admin grant.set user:Ada MANAGE @Shared/x',
      'admin grant.delete user:Ada MANAGE @Shared/x',
    ]);
  });

  it('can be on a folder, an asset, a project, a namespace or a connection, to any existing subject', () => {
    const world = createPlace();
    world.add('a:b "c" é');
    world.accounts.groups.create(world.admin, 'gröup');
    makeFolders(world, '@Project Hub/p q');
    makeAsset(world, world.admin, '@Shared/x/s');
    set(world, 'user:A:B "C" É', 'MANAGE', '@Shared/x/s');
    set(world, 'group:GRÖUP', 'EDIT', '@Project Hub/p q');
    set(world, 'group:Everyone', 'EDIT', '@Project Hub');
    set(world, 'EVERYONE', 'MANAGE', 'connection:duckdb');
    expect(listAll(world)).toEqual([
      'everyone EDIT @Project Hub',
      'group:gröup EDIT @Project Hub/p q',
      'user:admin MANAGE @Project Hub/p q',
      'everyone EDIT @Shared',
      'user:a:b "c" é MANAGE @Shared/x/s',
      'everyone MANAGE connection:duckdb',
    ]);
  });

  it.each([
    ['ada', 'VIEW', '@Shared/x', '400 Subject must be user:NAME, group:NAME or everyone: ada'],
    ['user:', 'VIEW', '@Shared/x', '400 Subject must be user:NAME, group:NAME or everyone: user:'],
    ['', 'VIEW', '@Shared/x', '400 Subject must be user:NAME, group:NAME or everyone: '],
    ['User:ada', 'VIEW', '@Shared/x', '400 Subject must be user:NAME, group:NAME or everyone: User:ada'],
    ['user:nobody', 'VIEW', '@Shared/x', '404 User not found: nobody'],
    ['group:nobody', 'VIEW', '@Shared/x', '404 Group not found: nobody'],
    ['everyone', 'NONE', '@Shared/x', '400 Level on @Shared/x must be one of VIEW, EDIT, MANAGE: NONE'],
    ['everyone', 'view', '@Shared/x', '400 Level on @Shared/x must be one of VIEW, EDIT, MANAGE: view'],
    ['everyone', 'USE', '@Shared', '400 Level on @Shared must be one of VIEW, EDIT, MANAGE: USE'],
    ['everyone', '', '@Shared', '400 Level on @Shared must be one of VIEW, EDIT, MANAGE: '],
    [
      'everyone',
      'EDIT',
      'connection:duckdb',
      '400 Level on connection:duckdb must be one of READ, USE, MANAGE: EDIT',
    ],
    ['everyone', 'USE', 'connection:shop', '404 Connection not found: shop'],
    [
      'everyone',
      'USE',
      'connection:',
      '400 Target must be a catalog path, which begins with @, or connection:NAME: connection:',
    ],
    [
      'everyone',
      'VIEW',
      'Shared/x',
      '400 Target must be a catalog path, which begins with @, or connection:NAME: Shared/x',
    ],
    ['everyone', 'VIEW', '@Nowhere', '404 Path not found: @Nowhere'],
    ['everyone', 'VIEW', '@Shared/z', '404 Path not found: @Shared/z'],
    ['everyone', 'VIEW', '@Shared//x', '404 Path not found: @Shared//x'],
    [
      'everyone',
      'VIEW',
      '@Personal',
      '422 @Personal belongs to its user alone: items in it cannot be granted or restricted',
    ],
  ])('to %j of %s on %j is refused: %s', async (subject, level, target, refusal) => {
    const world = createPlace();
    expect(await refusalOf(() => set(world, subject, level, target))).toBe(refusal);
    expect(listAll(world)).toEqual(AT_FIRST);
    expect(listAudit(world)).toEqual([]);
  });

  it('applies to the members of a group while they are members', () => {
    const world = createGrantWorld();
    const { groups } = world.accounts;
    const ada = world.add('ada');
    makeFolders(world, '@Project Hub/p');
    groups.create(world.admin, 'team');
    set(world, 'group:team', 'EDIT', '@Project Hub/p');
    const levels = [tryLevel(world, ada, '@Project Hub/p')];
    groups.addMembers(world.admin, 'team', ['ada']);
    levels.push(tryLevel(world, ada, '@Project Hub/p'));
    groups.removeMembers(world.admin, 'team', ['ada']);
    levels.push(tryLevel(world, ada, '@Project Hub/p'));
    expect(levels).toEqual(['NONE', 'EDIT', 'NONE']);
  });

  it('that is revoked through one connection stops at once in another', () => {
    const world = createGrantWorld();
    const ada = world.add('ada');
    makeFolders(world, '@Project Hub/p');
    set(world, 'user:ada', 'VIEW', '@Project Hub/p');
    const other = createGrantWorld(world.home);
    expect(tryLevel(other, ada, '@Project Hub/p')).toBe('VIEW');
    world.grants.delete(world.admin, 'user:ada', '@Project Hub/p');
    expect(tryLevel(other, ada, '@Project Hub/p')).toBe('NONE');
    expect(other.catalog.list(ada, '@Project Hub')).toEqual({ data: [] });
  });

  it('makes its target readable by path, but not the folders above', async () => {
    const world = createPlace();
    const { catalog, grants, admin } = world;
    const ada = world.add('ada');
    grants.restrict(admin, '@Shared/x', true);
    set(world, 'user:ada', 'VIEW', '@Shared/x/y');
    makeAsset(world, admin, '@Shared/x/y/s');
    expect(catalog.list(ada, '@Shared').data).toEqual([]);
    expect(await refusalOf(() => catalog.list(ada, '@Shared/x'))).toBe(DENIED);
    expect(catalog.list(ada, '@Shared/x/y').data.map(({ name }) => name)).toEqual(['s']);
    expect(catalog.get(ada, '@Shared/x/y/s').body.name).toBe('s');
  });

  it('is deleted with its subject and with its target', () => {
    const world = createPlace();
    const { accounts, catalog, connections, admin } = world;
    world.add('ada');
    accounts.groups.create(admin, 'team');
    makeAsset(world, admin, '@Shared/x/s');
    connections.create(admin, { name: 'shop', kind: 'duckdb', options: { file: '/data/x.duckdb' } });
    const grantAll = () => {
      for (const target of ['@Shared/x', '@Shared/x/y', '@Shared/x/s']) {
        set(world, 'user:ada', 'VIEW', target);
        set(world, 'group:team', 'VIEW', target);
      }
      set(world, 'user:ada', 'USE', 'connection:shop');
      set(world, 'group:team', 'USE', 'connection:shop');
    };
    grantAll();
    catalog.deleteAsset(admin, '@Shared/x/s', '*');
    catalog.deleteFolder(admin, '@Shared/x/y', '*');
    expect(listAll(world).filter((line) => line.includes('@Shared/x'))).toEqual([
      'group:team VIEW @Shared/x',
      'user:ada VIEW @Shared/x',
    ]);
    accounts.users.delete(admin, 'ada');
    accounts.groups.delete(admin, 'team');
    expect(listAll(world)).toEqual([...AT_FIRST, 'user:admin MANAGE connection:shop']);
    connections.delete(admin, 'shop');
    expect(listAll(world)).toEqual(AT_FIRST);
    expect(world.database.statement('SELECT count(*) AS n FROM grants').get()).toEqual({ n: 2 });
  });
});

describe('a manager of a target', () => {
  function createManaged(): GrantWorld & { ada: ReturnType<GrantWorld['add']> } {
    const world = createPlace();
    const ada = world.add('ada');
    world.add('bob');
    set(world, 'user:ada', 'MANAGE', '@Shared/x');
    return { ...world, ada };
  }

  it('can grant on the target and below it, and nowhere else', async () => {
    const world = createManaged();
    const { grants, ada } = world;
    makeFolders(world, '@Shared/z', '@Project Hub/p');
    const give = (target: string) => () => grants.set(ada, { subject: 'user:bob', level: 'MANAGE', target });
    expect(give('@Shared/x')().level).toBe('MANAGE');
    expect(give('@Shared/x/y')().level).toBe('MANAGE');
    expect(await refusalOf(give('@Shared'))).toBe(DENIED);
    expect(await refusalOf(give('@Shared/z'))).toBe(DENIED);
    expect(await refusalOf(give('@Project Hub'))).toBe(DENIED);
    expect(await refusalOf(give('@Project Hub/p'))).toBe('404 Path not found: @Project Hub/p');
    expect(await refusalOf(give('@Project Hub/q'))).toBe('404 Path not found: @Project Hub/q');
    expect(await refusalOf(give('connection:duckdb'))).toBe(
      "403 You don't have permission to access this connection",
    );
    expect(grants.list(ada, '@Shared/x').data).toHaveLength(2);
    expect(await refusalOf(() => grants.list(ada))).toBe(DENIED);
    expect(await refusalOf(() => grants.list(ada, '@Shared'))).toBe(DENIED);
    expect(await refusalOf(() => grants.explain(ada, 'ada', '@Shared'))).toBe(DENIED);
    expect(await refusalOf(() => grants.delete(ada, 'everyone', '@Shared'))).toBe(DENIED);
    expect(await refusalOf(() => grants.restrict(ada, '@Shared', true))).toBe(DENIED);
  });

  it('gets an error for unknown names, without suggestions of similar names', async () => {
    const { grants, admin, ada } = createManaged();
    const give = (who: typeof ada) => () =>
      grants.set(who, { subject: 'user:boob', level: 'VIEW', target: '@Shared/x' });
    expect(give(ada)).toThrow(expect.objectContaining({ detail: 'User not found: boob', hint: undefined }));
    expect(give(admin)).toThrow(expect.objectContaining({ hint: 'did you mean `bob`?' }));
    expect(await refusalOf(() => grants.explain(ada, 'bo', '@Shared/x'))).toBe('404 User not found: bo');
  });

  it('cannot probe for names in their own @Personal', async () => {
    const { grants, ada, admin } = createManaged();
    for (const name of ['bob', 'nobody']) {
      expect(await refusalOf(() => grants.explain(ada, name, '@Personal'))).toBe(DENIED);
      expect(
        await refusalOf(() =>
          grants.set(ada, { subject: `user:${name}`, level: 'VIEW', target: '@Personal' }),
        ),
      ).toMatch(/^422 /);
    }
    expect(grants.explain(ada, 'ADA', '@Personal').level).toBe('MANAGE');
    expect(grants.explain(admin, 'ada', '@Personal').level).toBe('NONE');
  });

  it('cannot grant as a viewer, or with a read-only token', async () => {
    const world = createManaged();
    const { grants, admin } = world;
    const vic = world.add('vic', 'VIEWER');
    set(world, 'user:vic', 'MANAGE', '@Shared/x');
    const readOnly = { ...admin, viewsOnly: true };
    for (const who of [vic, readOnly]) {
      const given = { subject: 'everyone', level: 'VIEW', target: '@Shared/x' };
      expect(await refusalOf(() => grants.set(who, given))).toBe(DENIED);
      expect(await refusalOf(() => grants.delete(who, 'user:vic', '@Shared/x'))).toBe(DENIED);
      expect(await refusalOf(() => grants.restrict(who, '@Shared/x', true))).toBe(DENIED);
    }
    expect(await refusalOf(() => grants.list(vic, '@Shared/x'))).toBe(DENIED);
    expect(grants.list(readOnly, '@Shared/x').data).toHaveLength(2);
    expect(grants.explain(readOnly, 'vic', '@Shared/x').level).toBe('VIEW');
  });

  it('can lower their own level, and cannot raise it again', async () => {
    const { grants, ada } = createManaged();
    grants.set(ada, { subject: 'user:ada', level: 'EDIT', target: '@Shared/x' });
    const again = { subject: 'user:ada', level: 'MANAGE', target: '@Shared/x' };
    expect(await refusalOf(() => grants.set(ada, again))).toBe(DENIED);
  });
});
