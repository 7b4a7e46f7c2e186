import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GrantChange } from '../../../src/identity/grants/plan-changes.ts';
import type { Principal } from '../../../src/identity/principal/principal.ts';
import { share } from '../../support/rotation.ts';
import {
  createGrantWorld,
  createPlace,
  type GrantWorld,
  listAll,
  listAudit,
  makeFolders,
  refusalOf,
  set,
} from '../grant-world.ts';

const preview = async ({ grants }: GrantWorld, who: Principal, changes: readonly GrantChange[]) => {
  const { effects, ...rest } = await grants.previewChanges(who, changes);
  const { data = [], ...counts } = effects ?? {};
  return {
    ...rest,
    ...counts,
    lines: data.map(({ user, before, after, target }) => `${user} ${before} ${after} ${target}`),
  };
};

function createTeam(): GrantWorld {
  const world = createPlace();
  for (const name of ['ada', 'bob']) world.add(name);
  world.add('vic', 'VIEWER');
  world.accounts.groups.create(world.admin, 'readers');
  world.accounts.groups.addMembers(world.admin, 'readers', ['ada', 'vic']);
  return world;
}

describe('several changes of grants', () => {
  it('are previewed with gains and losses, then applied and audited together', async () => {
    const world = createTeam();
    const { grants, admin } = world;
    set(world, 'user:bob', 'MANAGE', '@Shared/x');
    const before = listAudit(world).length;
    const changes: readonly GrantChange[] = [
      { target: '@Shared/x/y', subject: 'group:Readers', level: 'EDIT' },
      { target: '@Shared/x/y', restricted: true },
      { target: '@Shared/x', subject: 'user:bob', level: 'NONE' },
      { target: 'connection:duckdb', subject: 'user:ada', level: 'USE' },
      { target: '@Shared', subject: 'everyone', level: 'EDIT' },
    ];
    const seen = await preview(world, admin, changes);
    expect(seen).toEqual({
      dry_run: true,
      changed: 4,
      etag: seen.etag,
      gains: 1,
      losses: 2,
      targets: [
        { target: 'connection:duckdb', gains: 1, losses: 0 },
        { target: '@Shared', gains: 0, losses: 0 },
        { target: '@Shared/x', gains: 0, losses: 1 },
        { target: '@Shared/x/y', gains: 0, losses: 1 },
      ],
      lines: ['ada READ USE connection:duckdb', 'bob MANAGE EDIT @Shared/x', 'bob MANAGE NONE @Shared/x/y'],
    });
    expect(listAudit(world)).toHaveLength(before);
    const applied = grants.applyChanges(admin, changes, seen.etag);
    expect(applied).toMatchObject({ dry_run: false, changed: 4 });
    expect(listAll(world)).toEqual([
      'everyone EDIT @Shared',
      'group:readers EDIT @Shared/x/y',
      'everyone READ connection:duckdb',
      'user:ada USE connection:duckdb',
      'restricted @Shared/x/y',
    ]);
    expect(listAudit(world).slice(before)).toEqual([
      'admin grant.set user:ada USE connection:duckdb',
      'admin grant.delete user:bob MANAGE @Shared/x',
      'admin grant.restrict @Shared/x/y',
      'admin grant.set group:readers EDIT @Shared/x/y',
    ]);
    expect(grants.applyChanges(admin, changes, `"${applied.etag}"`)).toEqual({ ...applied, changed: 0 });
    expect(listAudit(world)).toHaveLength(before + 4);
  });

  it('are refused when the grants of the targets or the folders above have changed since the preview', async () => {
    const world = createTeam();
    const { grants, admin } = world;
    const changes = [{ target: '@Shared/x/y', subject: 'user:ada', level: 'MANAGE' }];
    const { etag } = await preview(world, admin, changes);
    set(world, 'user:bob', 'VIEW', '@Shared/x');
    const before = listAll(world);
    const refusal = await refusalOf(() => grants.applyChanges(admin, changes, etag));
    expect(refusal).toMatch(/^412 The grants have changed since the preview, and nothing was applied/);
    expect(listAll(world)).toEqual(before);
    const again = await preview(world, admin, changes);
    set(world, 'user:ada', 'VIEW', '@Project Hub');
    expect(grants.applyChanges(admin, changes, again.etag).changed).toBe(1);
    expect(grants.applyChanges(admin, changes, '*').changed).toBe(0);
  });

  it('name for managers only users whom they sent, and count all', async () => {
    const world = createTeam();
    const max = world.add('max');
    set(world, 'user:max', 'MANAGE', '@Shared/x');
    set(world, 'everyone', 'VIEW', '@Shared');
    const changes = [
      { target: '@Shared/x/y', subject: 'group:readers', level: 'EDIT' },
      { target: '@Shared/x/y', subject: 'user:bob', level: 'EDIT' },
    ];
    const seen = await preview(world, max, changes);
    expect(seen).toMatchObject({ gains: 2, losses: 0, lines: ['bob VIEW EDIT @Shared/x/y'] });
    const ofAdmin = await preview(world, world.admin, changes);
    expect(ofAdmin.lines).toEqual(['ada VIEW EDIT @Shared/x/y', 'bob VIEW EDIT @Shared/x/y']);
    expect(world.grants.applyChanges(max, changes).changed).toBe(2);
    const outside = [...changes, { target: '@Shared', subject: 'everyone', level: 'NONE' }];
    expect(await refusalOf(() => world.grants.applyChanges(max, outside))).toMatch(/^403/);
    expect(await refusalOf(() => world.grants.previewChanges(max, outside))).toMatch(/^403/);
  });

  it('keep a manager who restricts a folder, and are refused when they take it from the manager', async () => {
    const world = createTeam();
    const max = world.add('max');
    const { grants } = world;
    set(world, 'user:max', 'MANAGE', '@Shared/x');
    const closing = [{ target: '@Shared/x/y', restricted: true }];
    expect(await preview(world, max, closing)).toMatchObject({ changed: 2, losses: 3, gains: 0 });
    expect(grants.applyChanges(max, closing).changed).toBe(2);
    expect(listAll(world)).toContain('user:max MANAGE @Shared/x/y');
    const before = listAll(world);
    for (const changes of [
      [{ target: '@Shared/x', subject: 'user:max', level: 'NONE' }],
      [{ target: '@Shared/x', subject: 'user:max', level: 'EDIT' }],
      [{ target: '@Shared/x/y', subject: 'user:max', level: 'NONE' }],
      [
        { target: '@Shared/x', subject: 'user:max', level: 'NONE' },
        { target: '@Shared/x', restricted: true },
      ],
    ]) {
      const refusal = await refusalOf(() => grants.applyChanges(max, changes));
      expect(refusal).toMatch(/^409 You would no longer manage @Shared\/x/);
      expect(await refusalOf(() => grants.previewChanges(max, changes))).toBe(refusal);
    }
    expect(listAll(world)).toEqual(before);
  });

  it.each<[string, readonly GrantChange[]]>([
    ['400 Changes is required', []],
    [
      '400 Changes must be at most 500: send the others in another request',
      Array.from({ length: 501 }, () => ({ target: '@Shared', restricted: true })),
    ],
    ['400 A change needs either subject and level, or restricted: @Shared', [{ target: '@Shared' }]],
    [
      '400 A change needs either subject and level, or restricted: @Shared/x',
      [{ target: '@Shared/x', subject: 'everyone', level: 'VIEW', restricted: true }],
    ],
    [
      '400 Changes have everyone twice on @Shared: leave one of them out',
      [
        { target: '@Shared', subject: 'everyone', level: 'VIEW' },
        { target: '/@Shared', subject: 'group:Everyone', level: 'NONE' },
      ],
    ],
    [
      '400 Changes have the restriction twice on @Shared/x: leave one of them out',
      [
        { target: '@Shared/x', restricted: true },
        { target: '@Shared/x', restricted: false },
      ],
    ],
    ['404 User not found: eve', [{ target: '@Shared', subject: 'user:eve', level: 'VIEW' }]],
    ['404 Group not found: eve', [{ target: '@Shared', subject: 'group:eve', level: 'VIEW' }]],
    [
      '400 Level on @Shared must be one of VIEW, EDIT, MANAGE: USE',
      [{ target: '@Shared', subject: 'everyone', level: 'USE' }],
    ],
    ['404 Path not found: @Shared/none', [{ target: '@Shared/none', restricted: true }]],
    [
      '400 Only catalog items can be restricted: connection:duckdb',
      [{ target: 'connection:duckdb', restricted: true }],
    ],
    [
      '422 @Shared is a namespace: it has no parent folder whose grants could be cut off',
      [{ target: '@Shared', restricted: true }],
    ],
    [
      '422 @Personal belongs to its user alone: items in it cannot be granted or restricted',
      [{ target: '@Personal', subject: 'everyone', level: 'VIEW' }],
    ],
  ])('are refused as a whole: %s', async (refusal, wrong) => {
    const world = createTeam();
    const before = listAll(world);
    const good = { target: '@Shared/x', subject: 'user:ada', level: 'MANAGE' };
    const changes = wrong.length === 0 || wrong.length > 500 ? wrong : [good, ...wrong];
    expect(await refusalOf(() => world.grants.applyChanges(world.admin, changes))).toBe(refusal);
    expect(await refusalOf(() => world.grants.previewChanges(world.admin, changes))).toBe(refusal);
    expect(listAll(world)).toEqual(before);
  });
});

const USERS = ['ada', 'bob', 'vic'];
const SUBJECTS = [...USERS.map((name) => `user:${name}`), 'group:one', 'group:two', 'everyone'];
const PATHS = ['@Shared', '@Shared/a', '@Shared/a/b', '@Project Hub', '@Project Hub/p', '@Project Hub/p/q'];
const RANKS = ['NONE', 'VIEW', 'READ', 'EDIT', 'USE', 'MANAGE'];

const itemChange = fc.record({
  target: fc.constantFrom(...PATHS),
  subject: fc.constantFrom(...SUBJECTS),
  level: fc.constantFrom('NONE', 'VIEW', 'EDIT', 'MANAGE'),
});
const connectionChange = fc.record({
  target: fc.constant('connection:duckdb'),
  subject: fc.constantFrom(...SUBJECTS),
  level: fc.constantFrom('NONE', 'READ', 'USE', 'MANAGE'),
});
const restriction = fc.record({
  target: fc.constantFrom('@Shared/a', '@Shared/a/b', '@Project Hub/p/q'),
  restricted: fc.boolean(),
});
const changeList = fc.uniqueArray(fc.oneof(itemChange, connectionChange, restriction), {
  minLength: 1,
  maxLength: 12,
  selector: (change) => `${change.target} ${'subject' in change ? change.subject : ''}`,
});

it('say in the preview exactly what differs in the explanations after they are applied', async () => {
  await fc.assert(
    fc.asyncProperty(changeList, changeList, async (first, second) => {
      const world = createGrantWorld();
      const { grants, admin, accounts } = world;
      for (const name of ['ada', 'bob']) world.add(name);
      world.add('vic', 'VIEWER');
      for (const name of ['one', 'two']) accounts.groups.create(admin, name);
      accounts.groups.addMembers(admin, 'one', ['ada', 'vic']);
      accounts.groups.addMembers(admin, 'two', ['ada', 'bob']);
      makeFolders(world, '@Shared/a', '@Shared/a/b', '@Project Hub/p', '@Project Hub/p/q');
      grants.applyChanges(admin, first);
      const targets = [...new Set(second.map(({ target }) => target))];
      const read = () =>
        new Map(
          targets.flatMap((target) =>
            USERS.map((user) => [`${user} ${target}`, grants.explain(admin, user, target).level] as const),
          ),
        );
      const before = read();
      const { lines, gains, losses, etag } = await preview(world, admin, second);
      grants.applyChanges(admin, second, etag);
      const after = read();
      const expected = [...before].flatMap(([key, level]) => {
        const [user, ...target] = key.split(' ');
        const now = after.get(key) ?? '';
        return now === level ? [] : `${user} ${level} ${now} ${target.join(' ')}`;
      });
      expect(lines.toSorted()).toEqual(expected.sort());
      const isGain = (line: string) => {
        const [, was = '', is = ''] = line.split(' ');
        return RANKS.indexOf(is) > RANKS.indexOf(was);
      };
      expect(gains).toBe(expected.filter(isGain).length);
      expect(losses).toBe(expected.length - expected.filter(isGain).length);
      for (const change of second) {
        if (!('subject' in change)) continue;
        const { data } = grants.list(admin, change.target, change.subject);
        expect(data[0]?.level ?? 'NONE').toBe(change.level);
      }
    }),
    { numRuns: share(60) },
  );
});

it('name 1,000 users and count all, in a home with 3,000', async () => {
  const world = createGrantWorld();
  const { database, admin, grants } = world;
  const insert = `
    INSERT INTO users (id, user_name, user_name_key, display_name, super_user, active, role, created_at, updated_at)
    VALUES (?, ?, ?, '', 0, ?, ?, '', '')
  `;
  database.write(() => {
    for (let number = 0; number < 3_000; number++) {
      const name = `u${String(number).padStart(4, '0')}`;
      const role = number % 3 === 0 ? 'VIEWER' : null;
      database.statement(insert).run(name, name, name, Number(number % 10 !== 0), role);
    }
  });
  const { effects } = await grants.previewChanges(admin, [
    { target: '@Shared', subject: 'everyone', level: 'VIEW' },
    { target: 'connection:duckdb', subject: 'everyone', level: 'NONE' },
  ]);
  expect(effects?.targets).toEqual([
    { target: 'connection:duckdb', gains: 0, losses: 2_700 },
    { target: '@Shared', gains: 0, losses: 1_800 },
  ]);
  expect(effects?.data).toHaveLength(1_000);
  expect(effects?.data.at(-1)).toEqual({
    user: 'u1111',
    target: 'connection:duckdb',
    before: 'READ',
    after: 'NONE',
  });
});
