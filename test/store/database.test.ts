import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database, openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { eventually } from '../support/waiting.ts';
import { addColour } from './next-migration.ts';
import { runChild, runTogether, startChild } from './processes.ts';
import { createTestClock, fingerprint, makeFolder } from './temporary-home.ts';

const child = new URL('./database-process.ts', import.meta.url);
const clock = createTestClock();

/** A home with a closed database of `items` items with about a kilobyte each. */
function makeHome(items = 0): string {
  const home = makeFolder();
  const database = createDatabase(home, { clock });
  database.write(() => {
    const insert = database.statement(
      `INSERT INTO catalog_items VALUES (?, '00000000-0000-7000-8000-000000000001', ?, 'SQL_SCRIPT', ?, 1, NULL, '', '', 0)`,
    );
    for (let index = 0; index < items; index++) insert.run(`id-${index}`, `name ${index}`, 'x'.repeat(1000));
  });
  database.close();
  return home;
}

function open(home: string, options: { busyTimeout?: number } = {}): Database {
  const database = openDatabase(home, { clock, ...options });
  onTestFinished(() => database.close());
  return database;
}

function fileOf(home: string): string {
  return join(home, 'catalog.db');
}

/** Overwrites a part of the file. */
function scribble(home: string, at: number, bytes: string | Buffer): void {
  const file = fileOf(home);
  const content = readFileSync(file);
  Buffer.from(bytes).copy(content, at);
  writeFileSync(file, content);
}

/** The file locks in /proc; empty on systems without it. */
function readLocks(): string {
  return existsSync('/proc/locks') ? readFileSync('/proc/locks', 'utf8') : '';
}

describe('a new home', () => {
  it('has one file that only its owner can read, and no temporary files', () => {
    const home = makeHome();
    expect(readdirSync(home)).toEqual(['catalog.db']);
    expect(statSync(fileOf(home)).mode & 0o777).toBe(0o600);
  });

  it('has only strict tables', () => {
    const tables = open(makeHome())
      .statement("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0 AND type = 'table'")
      .all();
    expect(tables).toEqual([{ name: 'sqlite_schema' }]);
  });

  it('is opened with all safety settings', () => {
    const database = open(makeHome());
    const settings = ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'busy_timeout'];
    const values = settings.map((name) => database.statement<object>(`PRAGMA ${name}`).get());
    expect(values.flatMap((row) => Object.values(row!))).toEqual(['wal', 2, 1, 0, 5000]);
    expect(database.statement('PRAGMA application_id').get()).toEqual({ application_id: 0x5175726e });
  });

  it('prepares each statement once', () => {
    const database = open(makeHome());
    expect(database.statement('SELECT 1')).toBe(database.statement('SELECT 1'));
  });

  it('opens the existing database when it is created again', () => {
    const home = makeHome(3);
    const database = createDatabase(home, { clock });
    onTestFinished(() => database.close());
    expect(database.statement('SELECT count(*) AS n FROM catalog_items').get()).toEqual({ n: 5 });
  });

  it('is created once when four processes create it together', async () => {
    const home = makeFolder();
    const outcomes = (await runTogether(child, ...Array(4).fill(['create', home]))) as { result: string }[];
    const owners = new Set(outcomes.map((outcome) => outcome.result));
    expect([...owners]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(readdirSync(home)).toEqual(['catalog.db']);
  });

  it('needs its folder', () => {
    const create = () => createDatabase(join(makeFolder(), 'nowhere'), { clock });
    expect(create).toThrow(expect.objectContaining({ name: 'HomeError', code: 'missing' }));
  });
});

describe('a database error that changes nothing', () => {
  function expectRefusal(home: string, code: string, message: RegExp): void {
    const before = fingerprint(home);
    expect(() => openDatabase(home, { clock })).toThrow(
      expect.objectContaining({ name: 'HomeError', code, message: expect.stringMatching(message) }),
    );
    expect(fingerprint(home)).toEqual(before);
  }

  it('reports a missing file', () => {
    expectRefusal(makeFolder(), 'missing', /catalog\.db does not exist: run `quern init`$/);
  });

  it('reports a folder instead of a file', () => {
    const home = makeFolder();
    mkdirSync(fileOf(home));
    expectRefusal(home, 'corrupt', /catalog\.db is not a file:/);
  });

  it.each([
    ['empty', '', /is empty/],
    ['shorter than a header', 'SQLite format 3\0', /is not a SQLite database/],
    ['a text', 'select 1;\n'.repeat(1000), /is not a SQLite database/],
  ])('reports a file that is %s', (_, content, message) => {
    const home = makeFolder();
    writeFileSync(fileOf(home), content);
    expectRefusal(home, 'corrupt', message);
  });

  it.each([
    ['its magic', 0, 'garbage'],
    ['the page of its schema', 100, Buffer.alloc(2000, 0xff)],
    ['a page in the middle', 40 * 4096, Buffer.alloc(4096, 0xa5)],
    ['pages near the end', 450 * 4096, Buffer.alloc(20 * 4096)],
    ['its schema version', 60, Buffer.alloc(4)],
  ])('reports damage to %s', (_, at, bytes) => {
    const home = makeHome(400);
    scribble(home, at, bytes);
    expectRefusal(
      home,
      'corrupt',
      /catalog\.db is (damaged|not a SQLite database): there is no backup of it/,
    );
  });

  it.each([1, 4096, 100_000])('reports a file that ends %i bytes early', (bytes) => {
    const home = makeHome(400);
    writeFileSync(fileOf(home), readFileSync(fileOf(home)).subarray(0, -bytes));
    expectRefusal(home, 'corrupt', /catalog\.db is damaged/);
  });

  it('reports a large file that ends early', () => {
    const home = makeHome(18_000);
    const content = readFileSync(fileOf(home));
    expect(content.length).toBeGreaterThan(17 * 1024 * 1024);
    writeFileSync(fileOf(home), content.subarray(0, -4096));
    expectRefusal(home, 'corrupt', /catalog\.db is damaged/);
  });

  it('reports damage, and names the newest backup', () => {
    const home = makeHome();
    mkdirSync(join(home, 'backups'));
    for (const [name, day] of [
      ['catalog-v1-b.db', 3],
      ['catalog-v1-a.db', 9],
      ['notes.txt', 20],
    ] as const) {
      copyFileSync(fileOf(home), join(home, 'backups', name));
      utimesSync(join(home, 'backups', name), new Date(2026, 1, day), new Date(2026, 1, day));
    }
    scribble(home, 0, 'garbage');
    expectRefusal(home, 'corrupt', /copy the newest backup in its place: .*\/backups\/catalog-v1-a\.db$/);
  });

  it('reports a database of another program', () => {
    const home = makeFolder();
    const other = new Sqlite(fileOf(home));
    other.exec('CREATE TABLE notes (text)');
    other.close();
    expectRefusal(home, 'foreign', /SQLite database of another program: choose another home$/);
  });

  it('reports a newer schema in the write-ahead log of a killed process', async () => {
    const home = makeHome();
    expect(await runChild(child, 'write-and-die', home)).toBeUndefined();
    expect(statSync(`${fileOf(home)}-wal`).size).toBeGreaterThan(0);
    // The third file is shared memory, which SQLite creates again from the log.
    const { [`${fileOf(home)}-shm`]: _before, ...before } = fingerprint(home);
    expect(() => openDatabase(home, { clock })).toThrow(expect.objectContaining({ code: 'newer' }));
    const { [`${fileOf(home)}-shm`]: _after, ...after } = fingerprint(home);
    expect(after).toEqual(before);
    const newer = openDatabase(home, { clock, migrations: [...migrations, addColour] });
    onTestFinished(() => newer.close());
    expect(newer.statement('SELECT name FROM colours').all()).toEqual([{ name: 'blue' }]);
  });
});

describe('damage that is found later', () => {
  it('is reported as an error of the home', () => {
    const home = makeHome(18_000);
    scribble(home, 2000 * 4096, Buffer.alloc(50 * 4096, 0xa5));
    const database = open(home);
    const read = () => database.read(() => database.statement('SELECT * FROM catalog_items').all());
    expect(read).toThrow(expect.objectContaining({ name: 'HomeError', code: 'corrupt' }));
  });
});

describe('a read-only home', () => {
  async function expectUnwritable(home: string): Promise<void> {
    const before = fingerprint(home);
    expect(await runChild(child, 'open-as-nobody', home)).toEqual({
      name: 'HomeError',
      code: 'unwritable',
      message: expect.stringMatching(/catalog\.db or its folder cannot be written \(.*\): give yourself/),
    });
    expect(fingerprint(home)).toEqual(before);
  }

  it('is reported when its file is read-only', async () => {
    const home = makeHome();
    chmodSync(home, 0o777);
    chmodSync(fileOf(home), 0o444);
    await expectUnwritable(home);
  });

  it('is reported when its folder is read-only', async () => {
    const home = makeHome();
    chmodSync(fileOf(home), 0o666);
    chmodSync(home, 0o555);
    onTestFinished(() => chmodSync(home, 0o755));
    await expectUnwritable(home);
  });
});

describe('several processes', () => {
  it('open the same home at once', async () => {
    const home = makeHome(400);
    const outcomes = await runTogether(child, ...Array(4).fill(['open', home]));
    expect(outcomes).toEqual(Array(4).fill({ result: 'opened' }));
    expect(open(home).statement('SELECT count(*) AS n FROM catalog_items').get()).toEqual({ n: 402 });
  });

  it('keep the lock of a process that has opened the file twice', ({ skip }) => {
    const home = makeHome();
    const lock = new RegExp(` ${process.pid} \\w+:\\w+:${statSync(fileOf(home)).ino} `);
    open(home);
    skip(!lock.test(readLocks()), 'this system does not show its locks');
    open(home);
    expect(readLocks()).toMatch(lock);
  });

  it('take turns, and the error of a process that waits too long names the process with the lock', async () => {
    const home = makeHome();
    const holder = await startChild(child, 'lock', home);
    expect(await holder.go()).toEqual({ result: 'locked' });
    const database = open(home, { busyTimeout: 50 });
    const who = readLocks().includes(` ${holder.process.pid} `)
      ? `process ${holder.process.pid}`
      : 'another process';
    expect(() => database.write(() => 'never')).toThrow(
      expect.objectContaining({
        code: 'locked',
        message: `${fileOf(home)} is locked by ${who}: wait until it has finished`,
      }),
    );
    expect(database.read(() => database.statement('SELECT 1 AS one').get())).toEqual({ one: 1 });
  });
});

describe('a full disk', () => {
  it('loses no data, and works again when there is space', () => {
    const database = open(makeHome());
    const insert = (id: string, size: number) =>
      database.write(() => {
        database.statement("UPDATE catalog_items SET description = 'half'").run();
        database
          .statement(`INSERT INTO catalog_items VALUES (?, NULL, ?, 'SQL_SCRIPT', ?, 1, NULL, '', '', 0)`)
          .run(id, id, 'x'.repeat(size));
      });
    const rows = () =>
      database.statement('SELECT id, length(description) AS size FROM catalog_items ORDER BY id').all();
    insert('kept', 10);
    const before = rows();
    database.statement('PRAGMA max_page_count = 50').get();
    expect(() => insert('lost', 1_000_000)).toThrow(
      expect.objectContaining({
        name: 'HomeError',
        code: 'full',
        message: expect.stringMatching(
          /^The disk that holds .* is full\. Nothing was changed; free some space/,
        ),
      }),
    );
    expect(rows()).toEqual(before);
    database.statement('PRAGMA max_page_count = 100000').get();
    insert('more', 1_000_000);
    expect(rows()).toHaveLength(4);
  });
});

describe('a linked home', () => {
  it('keeps its write-ahead log next to the target of the link', () => {
    const home = makeHome();
    const linked = makeFolder();
    symlinkSync(fileOf(home), fileOf(linked));
    const database = open(linked);
    database.write(() => database.statement("UPDATE catalog_items SET description = 'x'").run());
    expect(readdirSync(linked)).toEqual(['catalog.db']);
    expect(readdirSync(home)).toContain('catalog.db-wal');
  });
});

describe('a checkpoint of the write-ahead log that was delayed', () => {
  const SIZE = 15_000_000;
  const write = (database: Database) =>
    database.write(() => {
      database.checkpointLater();
      database
        .statement(
          `INSERT INTO catalog_items VALUES ('id', '00000000-0000-7000-8000-000000000001', 'long', 'SQL_SCRIPT', ?, 1, NULL, '', '', 0)`,
        )
        .run('x'.repeat(SIZE));
    });

  it('runs in a later turn, and not before', async () => {
    const home = makeHome();
    const database = open(home);
    write(database);
    expect(statSync(fileOf(home)).size).toBeLessThan(SIZE);
    await eventually(() => expect(statSync(fileOf(home)).size).toBeGreaterThan(SIZE));
  });

  it('runs when the database is closed earlier', async () => {
    const home = makeHome();
    const database = openDatabase(home, { clock });
    write(database);
    database.close();
    expect(statSync(fileOf(home)).size).toBeGreaterThan(SIZE);
    await new Promise(setImmediate);
  });
});
