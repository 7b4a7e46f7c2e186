import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { ServiceError } from '../../src/errors/service-error.ts';
import { createAuditLog } from '../../src/identity/audit/audit.ts';
import { createGrantPermissions } from '../../src/identity/grants/grant-permissions.ts';
import type { Principal } from '../../src/identity/principal/principal.ts';
import { createDatabase, type Database } from '../../src/store/database.ts';
import { createUuidV7 } from '../../src/store/values/uuid.ts';
import { homeAt } from '../../src/workspace/home/home.ts';
import { createServices } from '../../src/workspace/services/services.ts';
import { makeFolder } from '../store/temporary-home.ts';
import { createGrantWorld, makeAsset, makeFolders, set } from './grant-world.ts';
import { withoutCaches } from './without-caches.ts';

const USERS = ['admin', 'ada', 'bob'];
const PATHS = [
  '@Shared',
  '@Shared/x',
  '@Shared/x/y',
  '@Shared/x/y/a',
  '@Shared/z/a',
  '@Project Hub/p',
  '@Personal',
];

const named = (table: string, column: string, ...names: string[]) =>
  fc.constantFrom(...names.map((name) => `(SELECT id FROM ${table} WHERE ${column} = '${name}')`));
const user = named('users', 'user_name', ...USERS);
const group = named('groups', 'name', 'one', 'two');
const item = named('catalog_items', 'name', '@Shared', 'x', 'y', 'z', 'p', 'a');
const level = fc.constantFrom('VIEW', 'EDIT', 'MANAGE');

/** Replaces the grant of the subject in this column. */
const grant = (column: 'user_id' | 'group_id', subject: fc.Arbitrary<string>) =>
  fc
    .tuple(subject, item, level)
    .map(
      ([who, on, to]) =>
        `INSERT OR REPLACE INTO grants (id, ${column}, item_id, level, created_at) VALUES (hex(randomblob(8)), ${who}, ${on}, '${to}', '')`,
    );

/** Statements that change who a user is and what a user may do. */
const statement = fc.oneof(
  user.map((id) => `UPDATE users SET active = 1 - active WHERE id = ${id}`),
  user.map((id) => `UPDATE users SET super_user = 1 - super_user WHERE id = ${id}`),
  user.map((id) => `UPDATE users SET role = iif(role = 'VIEWER', 'EDITOR', 'VIEWER') WHERE id = ${id}`),
  user.map((id) => `UPDATE users SET user_name = user_name || '2' WHERE id = ${id}`),
  fc.constant(`DELETE FROM users WHERE user_name LIKE 'bob%'`),
  user.map((id) => `DELETE FROM tokens WHERE owner_id = ${id}`),
  user.map((id) => `UPDATE tokens SET scope = iif(scope = 'read', 'all', 'read') WHERE owner_id = ${id}`),
  user.map((id) => `UPDATE tokens SET expires_at = '2026-01-01T00:00:00.000Z' WHERE owner_id = ${id}`),
  fc.constant('UPDATE tokens SET expires_at = NULL'),
  fc.constant('DELETE FROM group_members'),
  fc
    .tuple(group, user)
    .map(([to, who]) => `INSERT OR IGNORE INTO group_members (group_id, user_id) VALUES (${to}, ${who})`),
  group.map((id) => `DELETE FROM groups WHERE id = ${id}`),
  grant('user_id', user),
  grant('group_id', group),
  grant('group_id', fc.constant('NULL')),
  fc.constant('DELETE FROM grants'),
  item.map((id) => `DELETE FROM grants WHERE item_id = ${id}`),
  item.map((id) => `UPDATE catalog_items SET restricted = 1 - restricted WHERE id = ${id}`),
  named('catalog_items', 'name', 'x', 'y', 'z').map(
    (id) => `UPDATE catalog_items SET parent_id = ${id} WHERE name = 'a'`,
  ),
  fc.constant(`UPDATE catalog_items SET name = iif(name = 'y', 'other', 'y') WHERE name IN ('y', 'other')`),
  fc.constant(`DELETE FROM catalog_items WHERE name = 'a'`),
);

/**
 * `undone`: rolled back after a read; `alone`: each statement in its own transaction; `unseen`: while the other side
 * reads.
 */
const step = fc.record({
  by: fc.constantFrom(0, 1),
  how: fc.constantFrom<How>('write', 'undone', 'alone', 'unseen'),
  statements: fc.array(statement, { minLength: 1, maxLength: 3 }),
});

type How = 'write' | 'undone' | 'alone' | 'unseen';

/** The answers of a home through one connection, with and without caches. */
interface Side {
  readonly database: Database;
  readonly kept: () => unknown;
  readonly anew: () => unknown;
}

function createSide(home: string, tokens: readonly string[]): Side {
  const clock = () => new Date();
  const database = createDatabase(home, { clock });
  onTestFinished(() => database.close());
  database.statement('PRAGMA synchronous = OFF').run();
  return {
    database,
    kept: createQuestion(database, home, tokens),
    anew: createQuestion(withoutCaches(database), home, tokens),
  };
}

/** The user of each token, and what that user sees and may do. */
function createQuestion(database: Database, home: string, tokens: readonly string[]): () => unknown {
  const { accounts, catalog } = createServices(database, homeAt(home));
  const clock = () => new Date();
  const newId = createUuidV7(clock);
  const audit = createAuditLog(database, clock, newId);
  const { levelOf } = createGrantPermissions({ database, clock, newId, audit }).catalog;
  return () =>
    tokens.map((token) => {
      const principal = accounts.tokens.verify(token);
      if (principal === null) return null;
      const seen = PATHS.map((path) =>
        orRefusal(() => {
          const chain = catalog.locate(principal, path).map(({ id }) => id);
          const { body } = catalog.get(principal, path);
          return [body, database.read(() => levelOf(principal, chain))];
        }),
      );
      return [principal, seen];
    });
}

function orRefusal(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (error instanceof ServiceError) return `${error.status} ${error.detail}`;
    throw error;
  }
}

function expectSame({ kept, anew }: Side): unknown {
  const answers = kept();
  expect(answers).toEqual(anew());
  return answers;
}

/** A statement about a deleted row may violate a constraint; it then has no effect. */
function run(database: Database, statements: readonly string[]): void {
  for (const sql of statements) {
    try {
      database.statement(sql).run();
    } catch (error) {
      expect(error).toMatchObject({ name: 'SqliteError', code: expect.stringMatching(/^SQLITE_CONSTRAINT/) });
    }
  }
}

const act: Readonly<Record<How, (writer: Side, reader: Side, statements: readonly string[]) => void>> = {
  write: ({ database }, _reader, statements) => database.write(() => run(database, statements)),
  alone: ({ database }, _reader, statements) => run(database, statements),
  undone: (writer, _reader, statements) => {
    const { database } = writer;
    const work = () => {
      run(database, statements);
      expectSame(writer);
      throw new Error('undone');
    };
    expect(() => database.write(work)).toThrow('undone');
  },
  unseen: ({ database }, reader, statements) => {
    reader.database.read(() => {
      const before = expectSame(reader);
      database.write(() => run(database, statements));
      expect(expectSame(reader)).toEqual(before);
    });
  },
};

it('returns the same answers with and without caches, after any writes through two connections', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 3, maxLength: 12 }), (steps) => {
      const { home, tokens } = createHome();
      const sides = [createSide(home, tokens), createSide(home, tokens)] as const;
      for (const side of sides) expectSame(side);
      for (const { by, how, statements } of steps) {
        act[how](sides[by]!, sides[1 - by]!, statements);
        expect(expectSame(sides[0])).toEqual(expectSame(sides[1]));
      }
    }),
    { numRuns: 25 },
  );
});

function createHome() {
  const world = createGrantWorld(makeFolder());
  const { admin, accounts, grants } = world;
  const users = [admin, world.add('ada'), world.add('bob')];
  makeFolders(world, '@Shared/x', '@Shared/x/y', '@Shared/z', '@Project Hub/p');
  makeAsset(world, admin, '@Shared/x/y/a');
  for (const name of ['one', 'two']) accounts.groups.create(admin, name);
  accounts.groups.addMembers(admin, 'one', ['ada']);
  set(world, 'group:one', 'MANAGE', '@Shared/x');
  grants.restrict(admin, '@Shared/x', true);
  const tokens = users.flatMap((user) =>
    [false, true].map((readOnly) => accounts.tokens.create(user, { name: `${readOnly}`, readOnly }).token),
  );
  return { home: world.home, tokens };
}

it('returns a separate level for each principal that reads the same item', () => {
  const world = createGrantWorld();
  const { admin, permissions, database } = world;
  const ada = world.add('ada');
  makeFolders(world, '@Shared/x');
  set(world, 'user:ada', 'MANAGE', '@Shared/x');
  const chain = world.catalog.locate(admin, '@Shared/x').map(({ id }) => id);
  const askers = [
    ada,
    { ...ada, viewsOnly: true },
    admin,
    { ...admin, superUser: false },
    { ...admin, viewsOnly: true },
  ];
  const expected = ['MANAGE', 'VIEW', 'MANAGE', 'EDIT', 'VIEW'];
  const ask = (who: Principal) => database.read(() => permissions.catalog.levelOf(who, chain));
  expect(askers.map(ask)).toEqual(expected);
  database.write(() => database.statement("UPDATE catalog_items SET description = 'x'").run());
  expect(askers.toReversed().map(ask)).toEqual(expected.toReversed());
});
