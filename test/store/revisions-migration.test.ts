import { expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database, openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { createTestClock, makeFolder } from './temporary-home.ts';

const clock = createTestClock();

/** A home of schema version 6 with items of these revisions, in addition to the namespaces. */
function makeOldHome(revisions: readonly number[]): string {
  const home = makeFolder();
  const old = createDatabase(home, { clock, migrations: migrations.slice(0, 6) });
  const insert = old.statement(
    `INSERT INTO catalog_items (id, parent_id, name, type, description, revision, created_at, updated_at)
     SELECT ?, id, ?, 'SQL_SCRIPT', '', ?, '', '' FROM catalog_items WHERE name = '@Shared'`,
  );
  old.write(() => {
    for (const [index, revision] of revisions.entries()) insert.run(`i${index}`, `item ${index}`, revision);
  });
  old.close();
  return home;
}

function open(home: string): Database {
  const database = openDatabase(home, { clock });
  onTestFinished(() => database.close());
  return database;
}

function lastRevision(database: Database): number {
  return database.statement<{ last: number }>('SELECT last FROM catalog_revisions').get()!.last;
}

it('keeps the revisions of all items, and continues 1,000,000 above the highest', () => {
  const database = open(makeOldHome([1, 41, 1]));
  expect(database.statement('SELECT name, revision FROM catalog_items ORDER BY id').all()).toEqual([
    { name: '@Shared', revision: 1 },
    { name: '@Project Hub', revision: 1 },
    { name: 'item 0', revision: 1 },
    { name: 'item 1', revision: 41 },
    { name: 'item 2', revision: 1 },
  ]);
  expect(lastRevision(database)).toBe(1_000_041);
});

it('starts at the first revision in a new home', () => {
  const home = makeFolder();
  createDatabase(home, { clock }).close();
  expect(lastRevision(open(home))).toBe(1);
});

it('has one counter, which cannot be deleted', () => {
  const database = open(makeOldHome([3]));
  const run = (sql: string) => () => database.write(() => database.statement(sql).run());
  expect(run('INSERT INTO catalog_revisions VALUES (2, 7)')).toThrow('CHECK');
  expect(run('INSERT INTO catalog_revisions VALUES (1, 7)')).toThrow('UNIQUE');
  expect(run('UPDATE catalog_revisions SET last = 0')).toThrow('CHECK');
});
