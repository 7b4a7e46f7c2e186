import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { addColour } from './next-migration.ts';
import { runChild } from './processes.ts';
import { createTestClock, makeFolder } from './temporary-home.ts';

const SHARED = `WHERE name LIKE '@Shared%'`;

/** The name of a namespace, read through a cache that counts its reads. */
interface Asked {
  readonly home: string;
  readonly database: Database;
  ask(): string;
  countReads(): number;
}

function open(home = makeFolder()): Asked {
  const database = createDatabase(home, { clock: createTestClock(), busyTimeout: 50 });
  onTestFinished(() => database.close());
  const cache = database.createCache<string>();
  let reads = 0;
  return {
    home,
    database,
    ask: () =>
      cache.get('shared', () => {
        reads += 1;
        return database.statement<{ name: string }>(`SELECT name FROM catalog_items ${SHARED}`).get()!.name;
      }),
    countReads: () => reads,
  };
}

function rename({ database }: Asked, name: string): void {
  database.statement(`UPDATE catalog_items SET name = ? ${SHARED}`).run(name);
}

describe('a cached value', () => {
  it('is read once while nothing is committed, inside and outside of transactions', () => {
    const asked = open();
    expect([asked.ask(), asked.ask(), asked.database.read(asked.ask)]).toEqual(Array(3).fill('@Shared'));
    expect(asked.database.read(() => asked.database.read(asked.ask))).toBe('@Shared');
    expect(asked.countReads()).toBe(1);
  });

  it.each<[string, (asked: Asked, name: string) => void]>([
    ['a write in the same connection', (asked, name) => asked.database.write(() => rename(asked, name))],
    ['a statement in the same connection', rename],
    ['a write in another connection', ({ home }, name) => write(open(home), name)],
    ['a statement in another connection', ({ home }, name) => rename(open(home), name)],
    [
      'two connections in turn',
      (asked, name) => {
        write(open(asked.home), '@Shared between');
        write(asked, name);
      },
    ],
  ])('is read again after %s', (_who, change) => {
    const asked = open();
    expect(asked.ask()).toBe('@Shared');
    for (const name of ['@Shared 2', '@Shared 3']) {
      change(asked, name);
      expect([asked.ask(), asked.database.read(asked.ask)]).toEqual([name, name]);
    }
    expect(asked.countReads()).toBe(3);
  });

  it('is read again after a write in another process', async () => {
    const asked = open();
    expect(asked.ask()).toBe('@Shared');
    const script = new URL('database-process.ts', import.meta.url);
    await expect(runChild(script, 'rename', asked.home)).resolves.toEqual({ result: 1 });
    expect(asked.ask()).toBe('@Shared of a child');
  });

  it('includes the changes of the current write, and is read again after a rollback', () => {
    const asked = open();
    asked.ask();
    const failing = () =>
      asked.database.write(() => {
        const seen = [asked.ask()];
        for (const name of ['@Shared 2', '@Shared 3']) {
          rename(asked, name);
          seen.push(asked.database.read(asked.ask));
        }
        throw new Error(seen.join());
      });
    expect(failing).toThrow('@Shared,@Shared 2,@Shared 3');
    expect([asked.ask(), asked.database.read(asked.ask)]).toEqual(['@Shared', '@Shared']);
  });

  it('belongs to the snapshot of a read while other connections commit, and is read again afterwards', () => {
    const asked = open();
    const other = open(asked.home);
    const seen = asked.database.read(() => {
      const names = () =>
        asked.database.statement<{ name: string }>(`SELECT name FROM catalog_items ${SHARED}`);
      const before = names().get()!.name;
      write(other, '@Shared 2');
      return [before, asked.ask(), asked.ask()];
    });
    expect(seen).toEqual(['@Shared', '@Shared', '@Shared']);
    expect(asked.ask()).toBe('@Shared 2');
  });

  it('is read again when another connection committed during the read', () => {
    const asked = open();
    const other = open(asked.home);
    const cache = asked.database.createCache<string>();
    let reads = 0;
    const ask = () =>
      cache.get('late', () => {
        reads += 1;
        if (reads === 1) write(other, '@Shared 2');
        const { name } = asked.database
          .statement<{ name: string }>(`SELECT name FROM catalog_items ${SHARED}`)
          .get()!;
        if (reads === 1) write(other, '@Shared 3');
        return name;
      });
    expect([ask(), ask(), ask()]).toEqual(['@Shared 2', '@Shared 3', '@Shared 3']);
    expect(reads).toBe(2);
  });

  it('is current for the listeners of a commit', () => {
    const asked = open();
    asked.ask();
    const told: string[] = [];
    asked.database.write(() => {
      rename(asked, '@Shared 2');
      asked.database.afterCommit(() => told.push(asked.ask()));
    });
    expect(told).toEqual(['@Shared 2']);
  });

  it('is not returned after a newer version has migrated the file', () => {
    const asked = open();
    asked.ask();
    const newer = createDatabase(asked.home, {
      clock: createTestClock(),
      migrations: [...migrations, addColour],
    });
    onTestFinished(() => newer.close());
    for (const ask of [asked.ask, asked.ask, () => asked.database.read(asked.ask)]) {
      expect(ask).toThrow(expect.objectContaining({ name: 'HomeError', code: 'newer' }));
    }
    expect(asked.countReads()).toBe(1);
  });
});

describe('a cache', () => {
  it('stores no errors, no undefined values, and no values with very long keys', () => {
    const { database } = open();
    const cache = database.createCache<string | undefined>();
    let reads = 0;
    const ask = (key: string, answer: string | undefined) =>
      cache.get(key, () => {
        reads += 1;
        if (answer === 'fail') throw new Error('no');
        return answer;
      });
    expect(() => ask('a', 'fail')).toThrow('no');
    expect([ask('a', undefined), ask('a', 'x'), ask('a', 'y')]).toEqual([undefined, 'x', 'x']);
    expect(reads).toBe(3);
    const long = 'k'.repeat(257);
    expect([ask(long, 'x'), ask(long, 'y'), ask(long.slice(1), 'x'), ask(long.slice(1), 'y')]).toEqual([
      'x',
      'y',
      'x',
      'x',
    ]);
  });

  it('removes the oldest of more than 5,000 values', () => {
    const { database } = open();
    const cache = database.createCache<number>();
    for (let key = 0; key <= 5_000; key++) cache.get(String(key), () => key);
    expect([cache.get('5000', () => -1), cache.get('1', () => -1), cache.get('0', () => -1)]).toEqual([
      5000, 1, -1,
    ]);
  });

  it('does not share values with other caches', () => {
    const { database } = open();
    const [one, other] = [database.createCache<string>(), database.createCache<string>()];
    expect([one.get('k', () => 'one'), other.get('k', () => 'other')]).toEqual(['one', 'other']);
  });
});

function write(asked: Asked, name: string): void {
  asked.database.write(() => rename(asked, name));
}
