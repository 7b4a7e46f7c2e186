import { describe, expect, it } from 'vitest';
import { shareServer } from '../../support/server.ts';
import { rowsOf, runSql } from './executing.ts';

const shared = shareServer();

describe('`bind` over HTTP', () => {
  it('has values with all their digits', async () => {
    const body =
      '{"sql": "SELECT $1 AS a, $2 AS b, typeof($3) AS c", "connection": {"name": "duckdb"}, "bind": [12345678901234567890, 1.10, 1e3]}';
    const { text } = await shared.admin.send('POST', '/exec/sql', { body });
    expect(text).toContain('"data":[[12345678901234567890,1.10,"INTEGER"]]');
  });

  it.each<[sql: string, bind: unknown, rows: readonly (readonly unknown[])[]]>([
    ["SELECT 1 AS a WHERE 'x' = $1", ["x' OR '1'='1"], []],
    ['SELECT ? AS a, ? AS b', [true, null], [[true, null]]],
    ['SELECT $name AS a, length($name) AS b', { name: '😀' }, [['😀', 1]]],
    ["SELECT $day > DATE '2026-01-01' AS a", { day: { type: 'date', value: '2026-01-15' } }, [[true]]],
  ])('answers %j with %j', async (sql, bind, rows) => {
    expect(rowsOf(await runSql(shared.admin, sql, { bind }))).toEqual(rows);
    expect(rowsOf(await runSql(shared.admin, sql, { bind }, { headers: { prefer: 'wait=5' } }))).toEqual(
      rows,
    );
  });

  it.each<[name: string, sql: string, more: object, detail: unknown]>([
    ['a number', 'SELECT $1', { bind: 1 }, 'Bind must be an object'],
    ['a text', 'SELECT $1', { bind: 'a' }, 'Bind must be an object'],
    ['a lone surrogate', 'SELECT $1', { bind: ['\ud800'] }, 'Bind must be well-formed Unicode'],
    [
      'many values',
      'SELECT $1',
      { bind: Array.from({ length: 20_000 }, () => 1) },
      expect.stringMatching(/^Bind /),
    ],
    ['too few values', 'SELECT $1', { bind: [] }, expect.stringContaining('`$1` has no value in `bind`.')],
    [
      'a name that is also in `params`',
      'SELECT $a',
      { bind: { a: 1 }, params: { a: 2 } },
      expect.stringContaining('`a` is in `bind` and in `params`'),
    ],
    [
      'an object without a type',
      'SELECT $1',
      { bind: [{ a: { b: 1 } }] },
      expect.stringContaining('must be null, a boolean, a number'),
    ],
    [
      'an array of several types',
      'SELECT $1',
      { bind: [[1, 'a']] },
      expect.stringContaining('several types'),
    ],
    ['a file name', 'SELECT count(*) FROM read_csv($1)', { bind: ['/etc/passwd'] }, expect.anything()],
  ])('refuses %s', async (_, sql, more, detail) => {
    const { status, body } = await runSql(shared.admin, sql, more);
    expect([status, body]).toEqual([
      expect.toSatisfy((code: number) => code === 400 || code === 403 || code === 422),
      expect.objectContaining({ detail }),
    ]);
  });
});
