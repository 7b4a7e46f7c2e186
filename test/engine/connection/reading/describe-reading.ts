import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Connection,
  type ConnectionSpec,
  DatabaseError,
} from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { createReadingConnection } from '../../../../src/engine/connection/reading/reading-connection.ts';
import { never, query, readError } from '../results.ts';
import { anyAttack, type Grammar, type Guards } from './attacks.ts';

/** How many random statements that write are tried, and how many of them between two looks at the state. */
const ATTACKS = Number(process.env.ATTACKS ?? 200);
const BATCH = 20;

async function readState(connection: Connection, { state }: Grammar): Promise<string> {
  const rows = [];
  for (const sql of state) rows.push(await query(connection, sql));
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** Runs a text as one statement and reads its rows; returns the error, if any. */
async function attempt(connection: Connection, text: string): Promise<DatabaseError | null> {
  try {
    await query(connection, text);
    return null;
  } catch (error) {
    if (error instanceof DatabaseError) return error;
    throw error;
  }
}

/** The tests of READ on a database; `findSpec` is called once the tests run. */
export function describeReading(name: string, findSpec: () => ConnectionSpec, grammar: Grammar): void {
  describe(`READ on ${name}`, () => {
    async function open(change: Guards = {}) {
      const spec = findSpec();
      const driver = await loadDriver(spec.kind);
      const owner = await driver.connect(spec, never);
      for (const sql of grammar.setup) await query(owner, sql);
      const physical = await driver.connect(spec, never);
      const reading = createReadingConnection(
        physical,
        { ...driver.readRules, ...change },
        {
          name: 'shop',
          mayPublish: false,
        },
      );
      return {
        owner,
        reading,
        close: async () => {
          await reading.close();
          await owner.close();
        },
      };
    }

    it('lets through what only reads', async () => {
      const { reading, close } = await open();
      const failures = [];
      for (const sql of grammar.reads) {
        const error = await attempt(reading, sql);
        if (error !== null) failures.push(`${sql}: ${error.message}`);
      }
      await close();
      expect(failures).toEqual([]);
    });

    it('refuses each statement that writes, by the list or by the database', async () => {
      const { owner, reading, close } = await open();
      const before = await readState(owner, grammar);
      const held = [];
      for (const sql of grammar.writes) {
        const error = await attempt(reading, sql);
        const by = error?.code !== 'level' ? 'NOT HELD' : error.cause === undefined ? 'list' : 'database';
        held.push(`${by.padEnd(9)} ${sql}`);
      }
      expect(await readState(owner, grammar)).toBe(before);
      await close();
      await expect(`${held.join('\n')}\n`).toMatchFileSnapshot(
        path.join(import.meta.dirname, `held/${name.toLowerCase()}.txt`),
      );
      expect(held.filter((line) => line.startsWith('NOT HELD'))).toEqual([]);
    });

    it.skipIf(grammar.writingQueries.length === 0)(
      'stores the rows of queries, and nothing else',
      async () => {
        const { owner, reading, close } = await open();
        const before = await readState(owner, grammar);
        const { relations } = reading;
        await relations.createTable('own_rows', 'SELECT a, b FROM t', never);
        expect((await query(reading, 'SELECT a, b FROM own_rows')).map(String)).toEqual(['1,2']);
        for (const [index, sql] of grammar.writingQueries.entries()) {
          const bad = await readError(relations.createTable(`bad_${index}`, sql, never));
          expect([sql, bad.code === 'level' ? 'level' : bad.message]).toEqual([sql, 'level']);
          expect([sql, await readState(owner, grammar)]).toEqual([sql, before]);
        }
        await expect(
          relations.createTable('worse_rows', 'SELECT a FROM t; DELETE FROM t', never),
        ).rejects.toThrow();
        const targets = await relations.listTemporary(never);
        await relations.dropTemporary(targets, never);
        await expect(query(reading, 'SELECT * FROM own_rows')).rejects.toThrow();
        expect(await readState(owner, grammar)).toBe(before);
        await close();
      },
    );

    it('publishes nothing', async () => {
      const { reading, close } = await open();
      const { publishing } = reading;
      expect(publishing.refusal).toMatchObject({ code: 'level' });
      const target = await publishing.resolve(null, 't', never);
      const refused = { code: 'level' };
      const keys = { primary: [], unique: [] };
      await expect(publishing.replaceTable(target, 'SELECT 1 AS a', keys, never)).rejects.toMatchObject(
        refused,
      );
      await expect(publishing.replaceView(target, 'SELECT 1 AS a', never)).rejects.toMatchObject(refused);
      await expect(publishing.append(target, 'SELECT 1 AS a', {}, never)).rejects.toMatchObject(refused);
      const history = { key: ['a'], changes: null, time: '2026-01-01 00:00:00.000000' };
      for (const record of [publishing.startHistory, publishing.continueHistory]) {
        await expect(record(target, 'SELECT 1 AS a', history, never)).rejects.toMatchObject(refused);
      }
      const merged = publishing.merge(target, 'SELECT 1 AS a', history, never);
      await expect(merged).rejects.toMatchObject(refused);
      await expect(publishing.compareColumns(target, 'SELECT 1', {}, never)).rejects.toMatchObject(refused);
      await close();
    });

    it('needs the list, and the transaction where there is one', async () => {
      for (const [guard, change, attack] of grammar.guards) {
        const { owner, reading, close } = await open(change);
        const before = await readState(owner, grammar);
        for (const sql of attack) await attempt(reading, sql);
        await reading.close();
        expect([guard, await readState(owner, grammar)]).not.toEqual([guard, before]);
        await close();
      }
    });

    it('changes nothing, whatever surrounds a statement that writes', async () => {
      const { owner, reading, close } = await open();
      const before = await readState(owner, grammar);
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyAttack(grammar), { minLength: BATCH, maxLength: BATCH }),
          async (texts) => {
            for (const text of texts) await attempt(reading, text);
            expect(await readState(owner, grammar)).toBe(before);
          },
        ),
        { numRuns: ATTACKS / BATCH },
      );
      await close();
    });
  });
}
