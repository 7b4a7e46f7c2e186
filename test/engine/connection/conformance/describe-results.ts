import { describe, expect, it } from 'vitest';
import { SQL_DIALECT } from '../../../../src/engine/text/sql-dialect.ts';
import { never, query, readRows } from '../results.ts';
import type { Connect, DriverUnderTest } from './driver-under-test.ts';

/** Names and texts that a driver must neither change nor read as SQL; MariaDB has no names beyond 16 bits. */
const NAMES = [
  'Mixed Case',
  'select',
  'we"ird',
  "it's",
  'a`b',
  'a.b',
  'x; y -- z',
  '/* c */',
  'back\\slash',
  'ä漢',
  '?',
  '$1',
];

export function describeResults({ sql, spec, done, rows, types }: DriverUnderTest, connect: Connect): void {
  describe('results', () => {
    it('streams rows in order, in chunks of at least one row', async () => {
      const connection = await connect();
      const result = await connection.run(sql.rows(100_000), never);
      expect(result.kind).toBe('rows');
      const { rows: all } = await readRows(result);
      expect(all.length).toBe(100_000);
      expect(all.every(([value], i) => Number(value) === i)).toBe(true);
    });

    it('keeps the columns of an empty result', async () => {
      const connection = await connect();
      const result = await readRows(await connection.run(sql.rows(0), never));
      expect(result.columns.length).toBe(1);
      expect(result.rows).toEqual([]);
    });

    it('distinguishes statements with and without a result set', async () => {
      const connection = await connect();
      for (const [statement, rowsChanged] of done) {
        expect([statement, await connection.run(statement, never)]).toMatchObject([
          statement,
          { kind: 'done', rowsChanged },
        ]);
      }
      for (const [statement, count] of rows) {
        expect([statement, (await readRows(await connection.run(statement, never))).rows.length]).toEqual([
          statement,
          count,
        ]);
      }
    });

    it('runs nothing for a text without a statement', async () => {
      const connection = await connect();
      for (const text of ['', '  \n', '-- nothing', '/* nothing */']) {
        expect(await connection.run(text, never)).toEqual({ kind: 'done', rowsChanged: 0 });
      }
    });

    it('keep names of columns with any characters', async () => {
      const connection = await connect();
      const { quoteName } = SQL_DIALECT[spec().kind];
      const columns = NAMES.map((name, i) => `${i} AS ${quoteName(name)}`);
      const result = await readRows(await connection.run(`SELECT ${columns.join(', ')}`, never));
      expect(result.columns.map(({ name }) => name)).toEqual(NAMES);
    });

    it('keep texts with any characters', async () => {
      const connection = await connect();
      const { quoteText } = SQL_DIALECT[spec().kind];
      const texts = [...NAMES, '💛', ''];
      const rows = await query(connection, `SELECT ${texts.map(quoteText).join(', ')}`);
      expect(rows).toEqual([texts]);
    });

    it.each(types)('reads $sql', async ({ sql: expression, type, value }) => {
      const connection = await connect();
      const result = await readRows(await connection.run(`SELECT ${expression} AS x`, never));
      expect(result.columns).toEqual([{ name: 'x', type }]);
      expect(result.rows).toEqual([[value]]);
    });
  });
}
