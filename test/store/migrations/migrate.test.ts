import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database, openDatabase } from '../../../src/store/database.ts';
import { latestVersion, type Migration } from '../../../src/store/migrations/migrate.ts';
import { migrations } from '../../../src/store/migrations/migrations.ts';
import { addColour } from '../next-migration.ts';
import { runTogether } from '../processes.ts';
import { createTestClock, fingerprint, makeFolder } from '../temporary-home.ts';

const child = new URL('../database-process.ts', import.meta.url);
const clock = createTestClock();
const latest = latestVersion(migrations);
const both = [...migrations, addColour];

function makeHome(...more: Migration[]): string {
  const home = makeFolder();
  createDatabase(home, { clock, migrations: [...migrations, ...more] }).close();
  return home;
}

function open(home: string, list: readonly Migration[]): Database {
  const database = openDatabase(home, { clock, migrations: list });
  onTestFinished(() => database.close());
  return database;
}

function backups(home: string): string[] {
  const folder = join(home, 'backups');
  return existsSync(folder) ? readdirSync(folder) : [];
}

function versionOf(database: Database): unknown {
  return database.statement<{ user_version: number }>('PRAGMA user_version').get()?.user_version;
}

it('numbers the migrations from 1 without gaps', () => {
  expect(migrations.map((migration) => migration.version)).toEqual(migrations.map((_, index) => index + 1));
});

describe('a new database', () => {
  it('runs every migration and creates no backup', () => {
    const home = makeHome(addColour);
    expect(versionOf(open(home, both))).toBe(latest + 1);
    expect(backups(home)).toEqual([]);
  });
});

describe('an older database', () => {
  it('is migrated after a backup that only its owner can read', () => {
    const home = makeHome();
    const database = open(home, both);
    expect(versionOf(database)).toBe(latest + 1);
    expect(database.statement('SELECT name FROM colours').all()).toEqual([{ name: 'red' }]);
    const name = new RegExp(`^catalog-v${latest}-2026-03-01T00-00-00-\\d{3}Z\\.db$`);
    expect(backups(home)).toEqual([expect.stringMatching(name)]);
    expect(statSync(join(home, 'backups', backups(home)[0]!)).mode & 0o777).toBe(0o600);
  });

  it('has a backup of its old version, which can replace it', () => {
    const home = makeHome();
    open(home, both);
    const restored = makeFolder();
    const [file] = backups(home);
    copyFileSync(join(home, 'backups', file!), join(restored, 'catalog.db'));
    const database = open(restored, migrations);
    expect(versionOf(database)).toBe(latest);
    expect(database.statement('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(database.statement('SELECT name FROM catalog_items ORDER BY name').all()).toEqual([
      { name: '@Project Hub' },
      { name: '@Shared' },
    ]);
  });

  it('keeps the completed migrations when a later one fails', () => {
    const broken: Migration = {
      version: latest + 2,
      name: 'broken',
      up: ({ script }) => script('CREATE TABLE half (a TEXT) STRICT; SELECT nonsense;'),
    };
    const home = makeHome();
    expect(() => open(home, [...both, broken])).toThrow('nonsense');
    const database = open(home, both);
    expect(versionOf(database)).toBe(latest + 1);
    expect(database.statement("SELECT * FROM sqlite_schema WHERE name = 'half'").all()).toEqual([]);
  });

  it('is migrated once when four processes open it together', async () => {
    const home = makeHome();
    const outcomes = await runTogether(child, ...Array(4).fill(['migrate', home]));
    expect(outcomes).toEqual(Array(4).fill({ result: { user_version: latest + 1 } }));
    expect(open(home, both).statement('SELECT name FROM colours').all()).toEqual([{ name: 'red' }]);
    expect(backups(home)).toHaveLength(1);
  });
});

describe('a home of schema version 1', () => {
  it('keeps its data, and gets the default connection', () => {
    const home = makeFolder();
    const old = createDatabase(home, { clock, migrations: migrations.slice(0, 1) });
    old.write(() =>
      old
        .statement(
          `INSERT INTO catalog_items
           SELECT 'item', id, 'kept', 'SQL_SCRIPT', '', 7, NULL, '', '' FROM catalog_items WHERE name = '@Shared'`,
        )
        .run(),
    );
    old.close();
    const database = open(home, migrations);
    expect(versionOf(database)).toBe(latest);
    expect(database.statement("SELECT name, revision FROM catalog_items WHERE id = 'item'").get()).toEqual({
      name: 'kept',
      revision: 7,
    });
    expect(database.statement('SELECT name, kind, options, revision FROM connections').all()).toEqual([
      { name: 'duckdb', kind: 'duckdb', options: '{}', revision: 1 },
    ]);
    expect(backups(home)).toEqual([expect.stringMatching(/^catalog-v1-/)]);
  });
});

describe('a newer database', () => {
  it('is refused without changes, and the error names both versions', () => {
    const home = makeHome(addColour);
    const before = fingerprint(home);
    expect(() => open(home, migrations)).toThrow(
      expect.objectContaining({
        code: 'newer',
        message: expect.stringMatching(
          new RegExp(`catalog\\.db has schema version ${latest + 1}, .* versions up to ${latest}:`),
        ),
      }),
    );
    expect(fingerprint(home)).toEqual(before);
  });

  it('is refused by a process that opened it before', () => {
    const home = makeHome();
    const older = open(home, migrations);
    open(home, both);
    expect(() => older.read(() => versionOf(older))).toThrow(expect.objectContaining({ code: 'newer' }));
    expect(() => older.write(() => versionOf(older))).toThrow(expect.objectContaining({ code: 'newer' }));
  });
});
