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

it('rolls back a write whose work throws, and can write again after it', () => {
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

it('joins a write inside a write: all or nothing', () => {
  const database = open();
  const failing = () =>
    database.write(() => {
      database.write(() => rename(database, '@Shared 2'));
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(names(database)).toEqual([{ name: '@Shared' }, { name: '@Project Hub' }]);
});

it('reads one snapshot while other connections commit', () => {
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

it('refuses a write inside a read', () => {
  const database = open();
  expect(() => database.read(() => database.write(() => 1))).toThrow('a write within a read transaction');
});

it('reports a second writer as an error of the home', () => {
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

it('calls the listeners of a commit when other connections can see it, and never after a rollback', () => {
  const home = makeFolder();
  const [database, other] = [open(home), open(home)];
  const told: unknown[] = [];
  const tell = (word: string) => () => told.push([word, names(other)[0]]);
  database.write(() => {
    database.write(() => database.afterCommit(tell('inner')));
    rename(database, '@Shared 2');
    database.afterCommit(tell('outer'));
    expect(told).toEqual([]);
  });
  expect(told).toEqual([
    ['inner', { name: '@Shared 2' }],
    ['outer', { name: '@Shared 2' }],
  ]);
  const failing = () =>
    database.write(() => {
      database.afterCommit(tell('undone'));
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  database.write(() => rename(database, '@Shared 3'));
  expect(told).toHaveLength(2);
});

it('lets a listener of a commit write again, and calls the listeners of that commit, too', () => {
  const database = open();
  const told: string[] = [];
  database.write(() => {
    database.afterCommit(() => database.write(() => database.afterCommit(() => told.push('second'))));
    database.afterCommit(() => told.push('first'));
  });
  expect(told).toEqual(['second', 'first']);
});

it('refuses a listener outside of a write', () => {
  const database = open();
  expect(() => database.afterCommit(() => undefined)).toThrow('nothing is being written');
  expect(() => database.read(() => database.afterCommit(() => undefined))).toThrow(
    'nothing is being written',
  );
});

it('has a change mark that only commits of other connections change', () => {
  const home = makeFolder();
  const [database, other] = [open(home), open(home)];
  const mark = database.readChangeMark();
  database.write(() => rename(database, '@Shared 2'));
  other.read(() => names(other));
  expect(database.readChangeMark()).toBe(mark);
  other.write(() => rename(other, '@Shared 3'));
  expect(database.readChangeMark()).not.toBe(mark);
});
