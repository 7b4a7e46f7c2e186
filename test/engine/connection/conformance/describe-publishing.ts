import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Connection, PublishedName } from '../../../../src/engine/connection/contract/connection.ts';
import { makeFolder } from '../../../support/quern.ts';
import { never, query, readError } from '../results.ts';
import type { Connect, DriverUnderTest } from './driver-under-test.ts';

const NO_KEYS = { primary: [], unique: [] };

/** The requirements of every driver for publications (docs/reference/publishing-databases.md). */
export function describePublishing({ sql, can, schema }: DriverUnderTest, connect: Connect): void {
  let count = 0;

  /** A session, and the name of an unused target. */
  async function open() {
    const connection = await connect();
    count += 1;
    const target = await connection.publishing.resolve(`${schema}_published`, `target_${count}`, never);
    const name = `${target.schema}.${target.name}`;
    const rows = async (own: Connection = connection) =>
      (await query(own, `SELECT * FROM ${name} ORDER BY 1`)).map((row) => row.map(toPlain));
    const replace = (text: string, keys: { primary?: string[]; unique?: string[] } = {}) =>
      connection.publishing.replaceTable(target, text, { ...NO_KEYS, ...keys }, never);
    return { connection, publishing: connection.publishing, target, name, rows, replace };
  }

  describe('a published table', () => {
    it('is created with its schema, and replaces the old one', async () => {
      const { publishing, target, rows, replace } = await open();
      expect(await publishing.find(target, never)).toBe(null);
      await replace("SELECT 1 AS id, 'a' AS s UNION ALL SELECT 2, 'b' -- two");
      expect(await publishing.find(target, never)).toBe('table');
      expect(await publishing.hasSchema(target, never)).toBe(true);
      expect(await rows()).toEqual([
        [1, 'a'],
        [2, 'b'],
      ]);
      await replace('SELECT 7 AS other');
      expect(await rows()).toEqual([[7]]);
    });

    it('resolves with its number of rows', async () => {
      const { replace } = await open();
      const rows = [
        await replace(sql.rows(12_345)),
        await replace("SELECT 1 AS id, 'a' AS s", can.primaryKeys ? { primary: ['id'] } : {}),
        await replace('SELECT * FROM (SELECT 1 AS id) one WHERE id = 2'),
      ];
      expect(rows).toEqual([12_345, 1, 0]);
    });

    if (can.waits) {
      it('may be the first in its schema in several sessions at once', async () => {
        const sessions = await Promise.all(Array.from({ length: 6 }, () => connect()));
        count += 1;
        const fresh = `${schema}_fresh_${count}`;
        await Promise.all(
          sessions.map(async ({ publishing }, i) => {
            const target = await publishing.resolve(fresh, `target_${i}`, never);
            await publishing.replaceTable(target, 'SELECT 1 AS id', NO_KEYS, never);
          }),
        );
        for (const i of sessions.keys()) {
          const rows = await query(sessions[0]!, `SELECT id FROM ${fresh}.target_${i}`);
          expect(rows.flat().map(Number)).toEqual([1]);
        }
      });
    }

    it('may read itself', async () => {
      const { name, rows, replace } = await open();
      await replace('SELECT 1 AS id');
      await replace(`SELECT id + 1 AS id FROM ${name}`);
      expect(await rows()).toEqual([[2]]);
    });

    it('is unchanged after its query fails, and the error has a position', async () => {
      const { publishing, target, rows, replace } = await open();
      await replace('SELECT 1 AS id');
      const text = 'SELECT 1 AS id,\n nothing FROM (SELECT 1 AS one) AS t';
      const error = await readError(replace(text));
      expect(error).toMatchObject({ code: 'sql', offset: text.indexOf('nothing') });
      expect(error.message).toContain('nothing');
      expect(await rows()).toEqual([[1]]);
      expect(await publishing.find(target, never)).toBe('table');
    });

    it('is unchanged after its keys are violated', async () => {
      const { rows, replace } = await open();
      await replace('SELECT 1 AS id', { primary: ['id'] });
      const twice = 'SELECT 5 AS id UNION ALL SELECT 5';
      expect((await readError(replace(twice, { primary: ['id'] }))).code).toBe('sql');
      expect((await readError(replace(twice, { unique: ['id'] }))).message).toContain('5');
      expect(await rows()).toEqual([[1]]);
    });

    it.runIf(can.primaryKeys)('has its primary key', async () => {
      const { connection, name, replace } = await open();
      await replace('SELECT 1 AS id, 2 AS n', { primary: ['id'] });
      await replace('SELECT 1 AS id, 3 AS n', { primary: ['id'] });
      const error = await readError(connection.run(`INSERT INTO ${name} VALUES (1, 4)`, never));
      expect(error.message).toMatch(/duplicate/i);
    });

    it.runIf(can.atomicReplacement)('is complete for other sessions at any time', async () => {
      const { connection, rows, replace } = await open();
      const reader = await connect();
      await replace(numbers(sql, 1000, 0));
      let isDone = false;
      const seen = new Set<string>();
      const looking = (async () => {
        while (!isDone) {
          const all = await rows(reader);
          seen.add(`${all.length}:${String(all[0]?.[0])}`);
        }
      })();
      for (let turn = 1; turn <= 10; turn += 1) await replace(numbers(sql, 1000 + turn, turn));
      isDone = true;
      await looking;
      const whole = Array.from({ length: 11 }, (_, turn) => `${1000 + turn}:${turn}`);
      expect(whole).toEqual(expect.arrayContaining([...seen]));
      expect(await rows(connection)).toHaveLength(1010);
    });
  });

  describe('a later run', () => {
    it('adds rows and assigns columns by name', async () => {
      const { publishing, target, rows, replace } = await open();
      await replace("SELECT 1 AS id, 'a' AS s");
      await publishing.append(target, "SELECT 'b' AS s, 2 AS id", {}, never);
      expect(await rows()).toEqual([
        [1, 'a'],
        [2, 'b'],
      ]);
    });

    it('leaves the table unchanged when its query fails, and the error has a position', async () => {
      const { publishing, target, rows, replace } = await open();
      await replace('SELECT 1 AS id');
      const text = 'SELECT 2 AS id,\n nothing FROM (SELECT 1 AS one) AS t';
      const error = await readError(publishing.append(target, text, {}, never));
      expect(error).toMatchObject({ code: 'sql', offset: text.indexOf('nothing') });
      expect(await rows()).toEqual([[1]]);
    });

    it('merges by key, and treats NULL as a key', async () => {
      const { publishing, target, rows, replace } = await open();
      const rowsOf = (...texts: string[]) => texts.join(' UNION ALL SELECT ');
      await replace(
        rowsOf("SELECT 1 AS id, 'x' AS part, 10 AS n, 100 AS m", "1, 'y', 20, 200", '2, NULL, 30, 300'),
      );
      const merge = { key: ['id', 'part'], changes: null };
      await publishing.merge(
        target,
        rowsOf("SELECT 11 AS n, 1 AS id, 'x' AS part, 101 AS m", '31, 2, NULL, 301', "41, 3, 'z', 401"),
        merge,
        never,
      );
      expect(await rows()).toHaveLength(4);
      const sorted = (await rows()).sort((a, b) => Number(a[2]) - Number(b[2]));
      expect(sorted).toEqual([
        [1, 'x', 11, 101],
        [1, 'y', 20, 200],
        [2, null, 31, 301],
        [3, 'z', 41, 401],
      ]);
    });

    it('does not change rows whose compared columns are equal', async () => {
      const { publishing, target, rows, replace } = await open();
      await replace('SELECT 1 AS id, 10 AS n, 100 AS m UNION ALL SELECT 2, 20, 200');
      const merge = { key: ['id'], changes: ['n'] };
      await publishing.merge(
        target,
        'SELECT 1 AS id, 10 AS n, 999 AS m UNION ALL SELECT 2, 21, 999',
        merge,
        never,
      );
      expect(await rows()).toEqual([
        [1, 10, 100],
        [2, 21, 999],
      ]);
    });

    it('is refused when two new rows have the same key', async () => {
      const { publishing, target, rows, replace } = await open();
      await replace('SELECT 1 AS id, 10 AS n');
      const merge = { key: ['id'], changes: null };
      const text = 'SELECT 2 AS id, 1 AS n UNION ALL SELECT 2, 2';
      expect((await readError(publishing.merge(target, text, merge, never))).message).toContain('the key 2');
      expect(await rows()).toEqual([[1, 10]]);
    });

    if (can.waits) {
      it('waits for another one with the same target', async () => {
        const { publishing, target, rows, replace } = await open();
        const others = await Promise.all([connect(), connect(), connect()]);
        await replace('SELECT 0 AS id, 0 AS n');
        await Promise.all(
          [publishing, ...others.map((own) => own.publishing)].map((own, i) =>
            own.append(target, `SELECT ${i + 1} AS id, ${i} AS n`, {}, never),
          ),
        );
        expect(await rows()).toHaveLength(5);
      });
    }
  });

  describe('a published view', () => {
    it('is created, replaced by a view with other columns and by a table, and replaces the table', async () => {
      const { publishing, target, rows, replace } = await open();
      await publishing.replaceView(target, 'SELECT 1 AS id, 2 AS n', never);
      expect(await publishing.find(target, never)).toBe('view');
      await publishing.replaceView(target, "SELECT 'x' AS s", never);
      expect(await rows()).toEqual([['x']]);
      await replace('SELECT 3 AS id');
      expect(await publishing.find(target, never)).toBe('table');
      await publishing.replaceView(target, 'SELECT 4 AS id', never);
      expect(await publishing.find(target, never)).toBe('view');
      expect(await rows()).toEqual([[4]]);
    });

    it.runIf(can.lastingViews)('remains when the table that it reads is replaced', async () => {
      const { publishing, target, name, rows, replace } = await open();
      await replace('SELECT 1 AS id, 2 AS n');
      const view: PublishedName = { ...target, name: `${target.name}_view` };
      await publishing.replaceView(view, `SELECT n FROM ${name}`, never);
      await replace('SELECT 1 AS id, 5 AS n');
      expect(await rows()).toHaveLength(1);
      const own = await connect();
      expect((await query(own, `SELECT n FROM ${name}_view`)).flat().map(Number)).toEqual([5]);
    });

    it('is unchanged after its query fails', async () => {
      const { publishing, target, rows } = await open();
      await publishing.replaceView(target, 'SELECT 1 AS id', never);
      const error = await readError(publishing.replaceView(target, 'SELECT nothing FROM nowhere', never));
      expect(error.message).toContain('nowhere');
      expect(await rows()).toEqual([[1]]);
    });
  });

  describe('a published file', () => {
    it('contains the rows of a query', async () => {
      const { publishing } = await open();
      const folder = makeFolder();
      const csv = path.join(folder, 'a.csv');
      const format = { type: 'csv', delimiter: ';', nullValue: '-', quote: '"', header: true } as const;
      const text = "SELECT 1 AS id, 'a;\"b' AS s, CAST(NULL AS CHAR(3)) AS n, '' AS e, 'é' AS u -- a comment";
      await publishing.writeFile(text, csv, { ...format, compression: 'none' }, never);
      expect(readFileSync(csv, 'utf8')).toBe('id;s;n;e;u\n1;"a;""b";-;"";é\n'.replace('"";é', ';é'));
      const parquet = path.join(folder, 'a.parquet');
      await publishing.writeFile('SELECT 1 AS id', parquet, { type: 'parquet', compression: 'zstd' }, never);
      expect(readFileSync(parquet).subarray(0, 4).toString()).toBe('PAR1');
      const broken = path.join(folder, 'b.csv');
      await readError(
        publishing.writeFile(
          'SELECT nothing FROM nowhere',
          broken,
          { ...format, compression: 'none' },
          never,
        ),
      );
      expect(existsSync(broken)).toBe(false);
    });
  });
}

/** `count` rows of one column; the values start at `first`. */
function numbers(sql: DriverUnderTest['sql'], count: number, first: number): string {
  return `SELECT i + ${first} AS i FROM (${sql.rows(count)}) AS t`;
}

function toPlain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
