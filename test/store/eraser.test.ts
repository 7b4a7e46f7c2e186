import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database } from '../../src/store/database.ts';
import { createTestClock, makeFolder } from './temporary-home.ts';

const clock = createTestClock();
const PAGES = 'word '.repeat(4_000);

interface Notes {
  readonly database: Database;
  readonly run: (sql: string, ...values: string[]) => number;
  /** Whether a file of the database has a word. */
  readonly has: (file: 'catalog.db' | 'catalog.db-wal', word: string) => boolean;
}

/** A home with a table of notes. */
function createNotes(): Notes {
  const home = makeFolder();
  const database = createDatabase(home, { clock });
  onTestFinished(() => database.close());
  const run: Notes['run'] = (sql, ...values) => database.write(() => database.statement(sql).run(...values));
  run('CREATE TABLE notes (text)');
  return { database, run, has: (file, word) => readFileSync(join(home, file)).includes(word) };
}

it('overwrites what is deleted while it erases, and else leaves it in unused pages', () => {
  for (const erases of [false, true]) {
    const { database, run, has } = createNotes();
    run('INSERT INTO notes VALUES (?)', PAGES);
    const remove = () => run('DELETE FROM notes');
    if (erases) database.erase(remove);
    else remove();
    expect(database.emptyLog()).toBe(true);
    expect(has('catalog.db', 'word word')).toBe(!erases);
    run('INSERT INTO notes VALUES (?)', PAGES);
    remove();
    expect(database.emptyLog()).toBe(true);
    expect(has('catalog.db', 'word word')).toBe(true);
  }
});

it('erases no longer once the work has failed', () => {
  const { database, run, has } = createNotes();
  expect(() =>
    database.erase(() => {
      throw new Error('failed');
    }),
  ).toThrow('failed');
  run('INSERT INTO notes VALUES (?)', PAGES);
  run('DELETE FROM notes');
  expect(database.emptyLog()).toBe(true);
  expect(has('catalog.db', 'word word')).toBe(true);
});

it('rewrites a small database without its unused space, but no large one', () => {
  const { database, run, has } = createNotes();
  run('INSERT INTO notes VALUES (?)', PAGES);
  run('DELETE FROM notes');
  expect(database.rewriteIfSmall()).toBe(true);
  expect(database.emptyLog()).toBe(true);
  expect([has('catalog.db', 'word word'), has('catalog.db-wal', 'word word')]).toEqual([false, false]);
  run('INSERT INTO notes VALUES (?)', 'x'.repeat(5 * 1024 ** 2));
  run('INSERT INTO notes VALUES (?)', PAGES);
  run("DELETE FROM notes WHERE text LIKE 'word%'");
  expect(database.rewriteIfSmall()).toBe(true);
  expect(database.emptyLog()).toBe(true);
  expect(has('catalog.db', 'word word')).toBe(true);
});

it('says that another process prevents it, without waiting', () => {
  const { database, run, has } = createNotes();
  run('INSERT INTO notes VALUES (?)', PAGES);
  const other = createDatabase(join(makeFolder()), { clock });
  onTestFinished(() => other.close());
  other
    .statement('ATTACH ? AS other')
    .run(database.statement<{ file: string }>('PRAGMA database_list').get()!.file);
  other.statement('BEGIN').run();
  other.statement('SELECT count(*) FROM other.notes').get();
  expect(database.emptyLog()).toBe(false);
  other.statement('ROLLBACK').run();
  expect([database.emptyLog(), has('catalog.db-wal', 'word')]).toEqual([true, false]);
  other.statement('BEGIN').run();
  other.statement('INSERT INTO other.notes VALUES (1)').run();
  expect(database.rewriteIfSmall()).toBe(false);
  other.statement('ROLLBACK').run();
  expect(database.rewriteIfSmall()).toBe(true);
  run('INSERT INTO notes VALUES (?)', 'done');
});
