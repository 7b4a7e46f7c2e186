import { describe, expect, it } from 'vitest';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import type { TypeCase } from '../conformance/driver-under-test.ts';
import { printResult, query } from '../results.ts';
import { openTrino } from './sessions.ts';
import { trinoTypes } from './types.ts';

/** The types of bare NULLs cannot be stored. */
const CASES = trinoTypes.filter(({ sql }) => sql !== 'NULL' && sql !== 'MAP()');
/** Kinds of types that the server may not order. */
const UNORDERED = ['json', 'list', 'map', 'struct'];
const TABLE = 'memory.default.stored_values';
/** Each expression for all columns at once, because a statement takes time to start. */
const EXPRESSIONS: readonly (readonly [name: string, expression: string, from: string])[] = [
  ['coalesce', 'coalesce(COLUMN, COLUMN)', TABLE],
  ['CASE', 'CASE WHEN n > 0 THEN COLUMN END', TABLE],
  ['UNION ALL', 'COLUMN', `(TABLE ${TABLE} UNION ALL SELECT * FROM ${TABLE} WHERE n < 0)`],
  ['a sub-query', 'COLUMN', `(SELECT * FROM ${TABLE} ORDER BY n LIMIT 1)`],
  ['a CTE', 'COLUMN', `(WITH own AS (TABLE ${TABLE}) TABLE own)`],
  ['an aggregate', 'any_value(COLUMN)', TABLE],
  ['a window function', 'first_value(COLUMN) OVER ()', TABLE],
  ['an element', 'array_agg(COLUMN)[1]', TABLE],
  ['a value of a map', 'MAP(ARRAY[n], ARRAY[COLUMN])[1]', TABLE],
  ['a field', 'ROW(COLUMN)[1]', TABLE],
];

describe.skipIf(!hasCluster)('a computed value of Trino', () => {
  const cluster = useCluster();

  it('has the text of the stored column, for each type', async () => {
    const { host, httpPort } = cluster();
    const connection = await openTrino({ host, port: String(httpPort), user: 'test' });
    const print = (sql: string) => printResult(connection, sql);
    const values = CASES.map(({ sql }, i) => `${sql} AS c${i}`);
    await query(connection, `DROP TABLE IF EXISTS ${TABLE}`);
    await query(connection, `CREATE TABLE ${TABLE} AS SELECT 1 AS n, ${values.join(', ')}`);
    const list = (expression: string, cases: readonly TypeCase[] = CASES) =>
      cases
        .map((own) => {
          const column = `c${CASES.indexOf(own)}`;
          return `${expression.replaceAll('COLUMN', column)} AS ${column}`;
        })
        .join(', ');
    const stored = await print(`SELECT ${list('COLUMN')} FROM ${TABLE}`);
    for (const [name, expression, from] of EXPRESSIONS) {
      expect(await print(`SELECT ${list(expression)} FROM ${from}`), name).toEqual(stored);
    }
    const ordered = CASES.filter(({ sql, type }) => !UNORDERED.includes(type.kind) && !sql.startsWith('ST_'));
    expect(await print(`SELECT ${list('max(COLUMN)', ordered)} FROM ${TABLE}`)).toEqual(
      await print(`SELECT ${list('COLUMN', ordered)} FROM ${TABLE}`),
    );
    const lists = await print(`SELECT ${list('array_agg(COLUMN)')} FROM ${TABLE}`);
    const unwrapped = lists.ndjson.replace(/"(c\d+)":\[(.*?)\](?=,"c\d+":|\}\n$)/g, '"$1":$2');
    expect(unwrapped).toBe(stored.ndjson);
  });
});
