import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Level } from '../../../src/identity/principal/permissions.ts';
import type { Principal } from '../../../src/identity/principal/principal.ts';
import { HUB_ROOT_ID, homeRootId, SHARED_ROOT_ID } from '../../../src/store/values/roots.ts';
import { share } from '../../support/rotation.ts';
import { createGrantWorld, type GrantWorld } from '../grant-world.ts';

const USERS = ['ada', 'bob', 'vic'];
const GROUPS = ['one', 'two'];
const SUBJECTS = [
  ...USERS.map((name) => `user:${name}`),
  ...GROUPS.map((name) => `group:${name}`),
  'everyone',
];
const RANKS: readonly Level[] = ['NONE', 'VIEW', 'EDIT', 'MANAGE'];

/** A node of the tree in the oracle. */
interface Node {
  readonly id: string;
  readonly path: string;
  readonly parent: Node | null;
  restricted: boolean;
  readonly granted: Map<string, Level>;
}

interface Plan {
  /** Each item's parent, by its number among the roots and the items before it. */
  readonly parents: readonly number[];
  readonly grants: readonly { at: number; subject: string; level: Level }[];
  readonly restricted: readonly number[];
  readonly memberships: readonly { user: string; group: string }[];
}

const plan: fc.Arbitrary<Plan> = fc.record({
  parents: fc.array(fc.nat(30), { maxLength: 14 }),
  grants: fc.array(
    fc.record({
      at: fc.nat(30),
      subject: fc.constantFrom(...SUBJECTS),
      level: fc.constantFrom<Level>('VIEW', 'EDIT', 'MANAGE'),
    }),
    { maxLength: 20 },
  ),
  restricted: fc.array(fc.nat(30), { maxLength: 5 }),
  memberships: fc.array(fc.record({ user: fc.constantFrom(...USERS), group: fc.constantFrom(...GROUPS) }), {
    maxLength: 4,
  }),
});

const INSERT = `
  INSERT INTO catalog_items (id, parent_id, name, type, description, revision, created_at, updated_at)
  VALUES (?, ?, ?, 'REGULAR_FOLDER', '', 1, '', '')
`;

/** Creates what a plan describes, in the home and in the oracle. */
function build(world: GrantWorld, { parents, grants, restricted, memberships }: Plan): Node[] {
  const { database, admin } = world;
  const root = (id: string, path: string): Node => ({
    id,
    path,
    parent: null,
    restricted: false,
    granted: new Map(),
  });
  const shared = root(SHARED_ROOT_ID, '@Shared');
  shared.granted.set('everyone', 'EDIT');
  const nodes = [shared, root(HUB_ROOT_ID, '@Project Hub'), root(homeRootId(admin.userId), '@Personal')];
  database.write(() => {
    for (const [index, choice] of parents.entries()) {
      const parent = nodes[choice % nodes.length]!;
      const node = { ...root(`i${index}`, `${parent.path}/${index}`), parent };
      database.statement(INSERT).run(node.id, parent.id, `${index}`);
      nodes.push(node);
    }
  });
  for (const { user, group } of memberships) world.accounts.groups.addMembers(admin, group, [user]);
  const common = nodes.filter(({ path }) => !path.startsWith('@Personal'));
  for (const { at, subject, level } of grants) {
    const node = common[at % common.length]!;
    world.grants.set(admin, { subject, level, target: node.path });
    node.granted.set(subject, level);
  }
  const below = common.filter(({ parent }) => parent !== null);
  for (const at of below.length === 0 ? [] : restricted) {
    const node = below[at % below.length]!;
    world.grants.restrict(admin, node.path, true);
    node.restricted = true;
  }
  return nodes;
}

/** The level by the documented rules: from the item upwards, until an item is restricted. */
function oracle(who: Principal, groups: readonly string[], node: Node): Level {
  let top = node;
  while (top.parent !== null) top = top.parent;
  const limit = who.viewsOnly ? 1 : 3;
  if (top.path === '@Personal') return top.id === who.userId ? RANKS[limit]! : 'NONE';
  if (who.superUser) return RANKS[limit]!;
  let rank = 0;
  for (let place: Node | null = node; place !== null; place = place.parent) {
    for (const subject of [`user:${who.userName}`, ...groups.map((name) => `group:${name}`), 'everyone']) {
      rank = Math.max(rank, RANKS.indexOf(place.granted.get(subject) ?? 'NONE'));
    }
    if (place.restricted || place.parent?.path === '@Project Hub') break;
  }
  return RANKS[Math.min(rank, limit)]!;
}

function toChain(node: Node): string[] {
  return node.parent === null ? [node.id] : [...toChain(node.parent), node.id];
}

it('returns the levels of the rules, one by one, in lists and in explanations', () => {
  fc.assert(
    fc.property(plan, (given) => {
      const world = createGrantWorld();
      const { permissions, grants, admin, accounts } = world;
      const users = [admin, world.add('ada'), world.add('bob'), world.add('vic', 'VIEWER')];
      for (const name of GROUPS) accounts.groups.create(admin, name);
      const nodes = build(world, given);
      for (const who of users) {
        const groups = GROUPS.filter((group) =>
          given.memberships.some((one) => one.user === who.userName && one.group === group),
        );
        const expected = nodes.map((node) => oracle(who, groups, node));
        const readOnly = nodes.map((node) => oracle({ ...who, viewsOnly: true }, groups, node));
        const { levelOf, levelsBelow } = permissions.catalog;
        const asked = nodes.map((node) => levelOf(who, toChain(node)));
        const listed = nodes.map((node) =>
          node.parent === null ? levelOf(who, [node.id]) : levelsBelow(who, toChain(node.parent))(node.id),
        );
        const explained = nodes.map((node) => grants.explain(admin, who.userName, node.path).level);
        expect(asked).toEqual(expected);
        expect(listed).toEqual(expected);
        expect(explained).toEqual(expected);
        expect(nodes.map((node) => levelOf({ ...who, viewsOnly: true }, toChain(node)))).toEqual(readOnly);
      }
    }),
    { numRuns: share(60) },
  );
});

const connectionPlan = fc.record({
  grants: fc.array(
    fc.record({
      name: fc.constantFrom('duckdb', 'shop', 'web'),
      subject: fc.constantFrom(...SUBJECTS),
      level: fc.constantFrom('READ', 'USE', 'MANAGE'),
    }),
    { maxLength: 8 },
  ),
  memberships: plan.map(({ memberships }) => memberships),
});

/** The level by the documented rules, from the levels granted to all subjects of the user. */
function connectionOracle(who: Principal, granted: readonly (string | undefined)[]): string {
  const levels = who.superUser ? ['MANAGE'] : granted;
  const level = ['MANAGE', 'USE', 'READ'].find((known) => levels.includes(known)) ?? 'NONE';
  return who.viewsOnly && level !== 'NONE' ? 'READ' : level;
}

it('returns the granted levels on connections', () => {
  fc.assert(
    fc.property(connectionPlan, (given) => {
      const world = createGrantWorld();
      const { grants, admin, accounts, connections } = world;
      const { levelOf, levels } = world.permissions.connections;
      const users = [admin, world.add('ada'), world.add('bob'), world.add('vic', 'VIEWER')];
      for (const name of GROUPS) accounts.groups.create(admin, name);
      for (const { user, group } of given.memberships) accounts.groups.addMembers(admin, group, [user]);
      for (const name of ['shop', 'web']) {
        connections.create(admin, { name, kind: 'duckdb', options: { file: '/data/x.duckdb' } });
      }
      const rows = new Map([['duckdb everyone', 'READ']]);
      for (const { name, subject, level } of given.grants) {
        grants.set(admin, { subject, level, target: `connection:${name}` });
        rows.set(`${name} ${subject}`, level);
      }
      for (const who of users) {
        const own = given.memberships.filter(({ user }) => user === who.userName);
        const subjects = [`user:${who.userName}`, ...own.map(({ group }) => `group:${group}`), 'everyone'];
        for (const name of ['duckdb', 'shop', 'web']) {
          const id = connections.locate(admin, name);
          const answers = [
            levelOf(who, id),
            levels(who)(id),
            grants.explain(admin, who.userName, `connection:${name}`).level,
          ];
          const granted = subjects.map((subject) => rows.get(`${name} ${subject}`));
          expect(answers).toEqual(Array(3).fill(connectionOracle(who, granted)));
        }
      }
    }),
    { numRuns: 30 },
  );
});
