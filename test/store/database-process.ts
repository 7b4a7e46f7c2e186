import { createInterface } from 'node:readline';
import { createUserService } from '../../src/identity/records/users.ts';
import { createDatabase, type Database, openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { createUuidV7 } from '../../src/store/values/uuid.ts';
import { addColour } from './next-migration.ts';

// A process for the tests of this folder: `database-process.ts JOB HOME` prints `ready`, waits for a line, does its
// job and prints the outcome as one line of JSON.

const clock = () => new Date();

const jobs: Readonly<Record<string, (home: string) => unknown>> = {
  create: (home) => use(createDatabase(home, { clock }), ensureOwner),
  migrate: (home) =>
    use(openDatabase(home, { clock, migrations: [...migrations, addColour] }), (database) =>
      database.statement('PRAGMA user_version').get(),
    ),
  open: (home) => use(openDatabase(home, { clock }), () => 'opened'),
  rename: (home) =>
    use(openDatabase(home, { clock }), (database) =>
      database.write(() =>
        database
          .statement("UPDATE catalog_items SET name = '@Shared of a child' WHERE name = '@Shared'")
          .run(),
      ),
    ),
  /** Runs as a user without special rights, even when root runs the tests. */
  'open-as-nobody': (home) => {
    if (process.getuid?.() === 0) {
      process.setgid?.(65534);
      process.setuid?.(65534);
    }
    return use(openDatabase(home, { clock }), () => 'opened');
  },
  /** Leaves the write-ahead log, as a killed process does. */
  'write-and-die': (home) => {
    const database = openDatabase(home, { clock, migrations: [...migrations, addColour] });
    database.write(() => database.statement("UPDATE colours SET name = 'blue'").run());
    process.kill(process.pid, 'SIGKILL');
  },
  /** Holds the write lock until it is killed. */
  lock: (home) => {
    openDatabase(home, { clock }).statement('BEGIN IMMEDIATE').run();
    setInterval(() => undefined, 1000);
    return 'locked';
  },
};

function use<T>(database: Database, work: (database: Database) => T): T {
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function ensureOwner(database: Database): string {
  const users = createUserService({
    database,
    clock,
    newId: createUuidV7(clock),
    onCreated: () => undefined,
  });
  return users.ensureOwner().id;
}

function run(): unknown {
  try {
    return { result: jobs[process.argv[2]!]!(process.argv[3]!) };
  } catch (error) {
    const { name, message, code } = error as Error & { code?: string };
    return { name, message, code };
  }
}

createInterface(process.stdin).once('line', () => {
  process.stdout.write(`${JSON.stringify(run())}\n`);
  process.stdin.destroy();
});
process.stdout.write('ready\n');
