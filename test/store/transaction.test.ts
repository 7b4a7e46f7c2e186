import { expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database } from '../../src/store/database.ts';
import { createTestClock, makeFolder } from './temporary-home.ts';

function open(home = makeFolder()): Database {
  const database = createDatabase(home, { clock: createTestClock(), busyTimeout: 50 });
  onTestFinished(() => database.close());
  return database;
}

function rename(database: Database, name: string): void {
  database.statement("UPDATE catalog_items SET name = ? WHERE name LIKE '@Shared%'").run(name);
}

function renameThenSay(database: Database, name: string, word: string): string {
  rename(database, name);
  return word;
}

function names(database: Database): unknown[] {
  return database.statement('SELECT name FROM catalog_items ORDER BY id').all();
}

it('commits a write whose work returns', () => {
  const database = open();
  expect(database.write(() => renameThenSay(database, '@Shared 2', 'done'))).toBe('done');
  expect(names(database)).toEqual([{ name: '@Shared 2' }, { name: '@Project Hub' }]);
});

it('undoes a write whose work throws, and writes again after it', () => {
  const database = open();
  const failing = () =>
    database.write(() => {
      rename(database, '@Shared 2');
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(names(database)).toEqual([{ name: '@Shared' }, { name: '@Project Hub' }]);
  database.write(() => rename(database, '@Shared 3'));
  expect(names(database)).toEqual([{ name: '@Shared 3' }, { name: '@Project Hub' }]);
});

it('joins a write within a write: all or nothing', () => {
  const database = open();
  const failing = () =>
    database.write(() => {
      database.write(() => rename(database, '@Shared 2'));
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(names(database)).toEqual([{ name: '@Shared' }, { name: '@Project Hub' }]);
});

it('reads one snapshot, whatever others commit meanwhile', () => {
  const home = makeFolder();
  const [reader, writer] = [open(home), open(home)];
  const seen = reader.read(() => {
    const before = names(reader);
    writer.write(() => rename(writer, '@Shared 2'));
    return [before, reader.read(() => names(reader))];
  });
  expect(seen[1]).toEqual(seen[0]);
  expect(names(reader)).toEqual([{ name: '@Shared 2' }, { name: '@Project Hub' }]);
});

it('refuses a write within a read', () => {
  const database = open();
  expect(() => database.read(() => database.write(() => 1))).toThrow('a write within a read transaction');
});

it('refuses a second writer in words of the home', () => {
  const home = makeFolder();
  const [first, second] = [open(home), open(home)];
  first.write(() => {
    rename(first, '@Shared 2');
    expect(() => second.write(() => rename(second, '@Shared 3'))).toThrow(
      expect.objectContaining({ name: 'HomeError', code: 'locked' }),
    );
  });
  expect(names(second)).toEqual([{ name: '@Shared 2' }, { name: '@Project Hub' }]);
});
