import { describe, expect, it } from 'vitest';
import {
  createGrantWorld,
  createPlace,
  listAll,
  listAudit,
  makeFolders,
  refusalOf,
  set,
  tryLevel,
} from '../grant-world.ts';

describe('a restriction', () => {
  it('cuts off inherited grants, except for administrators, until it is removed', () => {
    const world = createPlace();
    const { grants, admin } = world;
    const ada = world.add('ada');
    set(world, 'user:ada', 'MANAGE', '@Shared');
    expect(grants.restrict(admin, '/@Shared/x', true)).toEqual({ target: '@Shared/x', restricted: true });
    expect(grants.restrict(admin, '@Shared/x', true).restricted).toBe(true);
    const levels = () => ['@Shared', '@Shared/x', '@Shared/x/y'].map((path) => tryLevel(world, ada, path));
    expect(levels()).toEqual(['MANAGE', 'NONE', 'NONE']);
    expect(tryLevel(world, admin, '@Shared/x/y')).toBe('MANAGE');
    expect(listAll(world)).toContain('restricted @Shared/x');
    expect(grants.list(admin, '@Shared/x').restricted).toEqual(['@Shared/x']);
    grants.restrict(admin, '@Shared/x', false);
    expect(levels()).toEqual(['MANAGE', 'MANAGE', 'MANAGE']);
    expect(listAudit(world).slice(1)).toEqual([
      'admin grant.restrict @Shared/x',
      'admin grant.restrict @Shared/x off',
    ]);
  });

  it('makes the user who sets it a manager', () => {
    const world = createPlace();
    const { grants, catalog } = world;
    const ada = world.add('ada');
    const bob = world.add('bob');
    set(world, 'user:ada', 'MANAGE', '@Shared/x');
    grants.restrict(ada, '@Shared/x', true);
    grants.restrict(ada, '@Shared/x/y', true);
    expect(listAll(world).filter((line) => line.includes('@Shared/x'))).toEqual([
      'user:ada MANAGE @Shared/x',
      'user:ada MANAGE @Shared/x/y',
      'restricted @Shared/x',
      'restricted @Shared/x/y',
    ]);
    expect([ada, bob].map((who) => tryLevel(world, who, '@Shared/x/y'))).toEqual(['MANAGE', 'NONE']);
    expect(catalog.list(bob, '@Shared').data).toEqual([]);
    expect(listAudit(world).slice(1)).toEqual([
      'ada grant.restrict @Shared/x',
      'ada grant.restrict @Shared/x/y',
      'ada grant.set user:ada MANAGE @Shared/x/y',
    ]);
  });

  it('does not change the revision', () => {
    const { grants, catalog, admin } = createPlace();
    const { revision } = catalog.get(admin, '@Shared/x');
    grants.restrict(admin, '@Shared/x', true);
    expect(catalog.get(admin, '@Shared/x').revision).toBe(revision);
  });

  it.each([
    ['@Shared', true, '422 @Shared is a namespace: it has no parent folder whose grants could be cut off'],
    [
      '@Personal',
      true,
      '422 @Personal belongs to its user alone: items in it cannot be granted or restricted',
    ],
    [
      '@Personal/f',
      true,
      '422 @Personal belongs to its user alone: items in it cannot be granted or restricted',
    ],
    ['connection:duckdb', true, '400 Only catalog items can be restricted: connection:duckdb'],
    [
      '@Project Hub/p',
      false,
      '422 @Project Hub/p is always restricted, because it is directly below @Project Hub',
    ],
    ['@Shared/nowhere', false, '404 Path not found: @Shared/nowhere'],
  ])('of %s, %j, is refused', async (path, on, refusal) => {
    const world = createGrantWorld();
    makeFolders(world, '@Project Hub/p', '@Personal/f');
    expect(await refusalOf(() => world.grants.restrict(world.admin, path, on))).toBe(refusal);
    expect(world.database.statement('SELECT 1 FROM catalog_items WHERE restricted = 1').all()).toEqual([]);
  });
});

describe('an explanation', () => {
  it('lists every reason from the root down, and marks the ones that do not count', () => {
    const world = createPlace();
    const { grants, admin, accounts } = world;
    world.add('vic', 'viewer');
    accounts.groups.create(admin, 'team');
    accounts.groups.addMembers(admin, 'team', ['vic']);
    set(world, 'user:vic', 'MANAGE', '@Shared');
    set(world, 'group:team', 'EDIT', '@Shared/x');
    set(world, 'user:vic', 'VIEW', '@Shared/x/y');
    grants.restrict(admin, '@Shared/x', true);
    const grant = (subject: string, level: string, target: string, cut_off_by: string | null) => {
      return { kind: 'grant', subject, level, target, cut_off_by };
    };
    expect(grants.explain(admin, 'VIC', '/@Shared/x/y')).toEqual({
      user: 'vic',
      target: '@Shared/x/y',
      level: 'VIEW',
      reasons: [
        grant('everyone', 'EDIT', '@Shared', '@Shared/x'),
        grant('user:vic', 'MANAGE', '@Shared', '@Shared/x'),
        grant('group:team', 'EDIT', '@Shared/x', null),
        grant('user:vic', 'VIEW', '@Shared/x/y', null),
        { kind: 'role', role: 'VIEWER', level: 'VIEW' },
      ],
    });
  });

  it('is short when the reason is simple', async () => {
    const world = createGrantWorld();
    const { grants, admin, accounts } = world;
    makeFolders(world, '@Project Hub/p');
    world.add('ada');
    const explain = (name: string, target: string) => {
      const { level, reasons } = grants.explain(admin, name, target);
      return [level, ...reasons.map(({ kind }) => kind)];
    };
    expect(explain('admin', '@Project Hub/p')).toEqual(['MANAGE', 'super_user']);
    expect(explain('admin', '@Personal')).toEqual(['MANAGE', 'own_home']);
    expect(explain('ada', '@Personal')).toEqual(['NONE', 'other_home']);
    expect(explain('ada', '@Project Hub')).toEqual(['NONE', 'namespace']);
    expect(explain('ada', '@Project Hub/p')).toEqual(['NONE']);
    expect(explain('ada', 'connection:duckdb')).toEqual(['READ', 'grant']);
    await accounts.users.set(admin, 'ada', { active: false });
    expect(explain('ada', '@Shared')).toEqual(['NONE', 'disabled']);
    expect(explain('ada', 'connection:duckdb')).toEqual(['NONE', 'disabled']);
  });
});
