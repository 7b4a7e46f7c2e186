import type Sqlite from 'better-sqlite3';
import { newer } from '../files/file-errors.ts';
import { type Clock, toTimestamp } from '../values/clock.ts';
import type { SqlValue } from '../values/statements.ts';

/** The environment of a migration, which runs in a transaction with foreign keys on. */
interface MigrationStep {
  /** The time of the migration, in the stored format. */
  readonly now: string;
  /** Whether the database was new before the first migration. */
  readonly isNew: boolean;
  /** Runs any number of statements. SQL may call `fold_case(text)`, as in `Database`. */
  script(sql: string): void;
  /** Runs one statement with values. */
  run(sql: string, ...values: SqlValue[]): void;
}

/** One step of the schema, from `version - 1` to `version`. The first version is 1, without gaps. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  up(step: MigrationStep): void;
}

/** The version that a list of migrations ends with. */
export function latestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/** The schema version of an open database; 0 when it is new. */
export function readSchemaVersion(connection: Sqlite.Database): number {
  return connection.pragma('user_version', { simple: true }) as number;
}

/** Throws HomeError `newer` when a newer version of Quern has migrated the database `file`. */
export function checkSchemaVersion(file: string, version: number, latest: number): void {
  if (version > latest) throw newer(file, version, latest);
}

/** The migrations to run, and their environment. */
export interface Migrating {
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  /** Called once, before the first migration, with the current version and the time. */
  readonly save: (version: number, now: string) => void;
}

/**
 * Brings an open database to the latest version, each migration in a separate transaction. `save` is called while the
 * write lock is held, so that nothing is committed between its copy and the migration. Several processes may do this
 * at once: the others wait, and find nothing to do. Throws the errors of SQLite and the file system; then the failed
 * migration has changed nothing.
 */
export function migrate(connection: Sqlite.Database, { migrations, clock, save }: Migrating): void {
  const isNew = readSchemaVersion(connection) === 0;
  let saved = false;

  const step = connection.transaction(() => {
    const version = readSchemaVersion(connection);
    const next = migrations.find((migration) => migration.version === version + 1);
    if (next === undefined) return;
    const now = toTimestamp(clock());
    if (!saved) save(version, now);
    saved = true;
    apply(connection, next, { now, isNew });
  });

  while (readSchemaVersion(connection) < latestVersion(migrations)) step.immediate();
}

function apply(
  connection: Sqlite.Database,
  migration: Migration,
  home: Pick<MigrationStep, 'now' | 'isNew'>,
): void {
  migration.up({
    ...home,
    script: (sql) => {
      connection.exec(sql);
    },
    run: (sql, ...values) => {
      connection.prepare(sql).run(...values);
    },
  });
  connection.pragma(`user_version = ${migration.version}`);
}
