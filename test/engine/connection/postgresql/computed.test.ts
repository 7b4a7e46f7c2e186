import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { never, printResult, query } from '../results.ts';
import { postgresqlTypes } from './types.ts';

/** Values that no table can store. */
const TRANSIENT = ["ROW(1, 'a')", 'pg_sleep(0)'];
/** The server has no maximum of these types; the one of a regclass is a number. */
const UNORDERED = /^(?:bool|bytea|json|uuid|bit|varbit|xml|tsvector|int4range|point|regclass)/;

/** Expressions with the value of the column `x` of type `type`. */
const EXPRESSIONS = [
  'SELECT coalesce(x, x) AS x FROM one',
  'SELECT CASE WHEN n > 0 THEN x END AS x FROM one',
  'SELECT x FROM one UNION ALL SELECT x FROM one WHERE n < 0',
  'SELECT (SELECT x FROM one) AS x',
  'WITH own AS MATERIALIZED (SELECT x FROM one) SELECT x FROM own',
  'SELECT first_value(x) OVER () AS x FROM one',
  'SELECT CAST(x AS type) AS x FROM one',
];
const OF_ORDERED = 'SELECT max(x) AS x FROM one';
/** An array of arrays has more dimensions. */
const OF_ELEMENTS = [
  'SELECT (array_agg(x))[1] AS x FROM one',
  'SELECT x FROM unnest(ARRAY(SELECT x FROM one)) x',
];

const server = inject('postgresql');

describe.skipIf(server === null)('a computed value of PostgreSQL', () => {
  let connection: Connection;
  beforeAll(async () => {
    const driver = await loadDriver('postgresql');
    const spec = { name: 'test', kind: 'postgresql', options: { ...server! }, overrides: {} } as const;
    connection = await driver.connect(spec, never);
  });
  afterAll(() => connection?.close());

  it.each(postgresqlTypes.filter(({ sql }) => !TRANSIENT.includes(sql)))(
    'has the text of the stored column: $sql',
    async ({ sql, type: { kind } }) => {
      await query(connection, 'DROP TABLE IF EXISTS one');
      await query(connection, `CREATE TEMPORARY TABLE one AS SELECT 1 AS n, ${sql} AS x`);
      const [[type] = []] = await query(
        connection,
        "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'one'::regclass AND attnum = 2",
      );
      const isOrdered = !UNORDERED.test(String(type).replaceAll('"', ''));
      const expressions = [
        ...EXPRESSIONS,
        ...(isOrdered ? [OF_ORDERED] : []),
        ...(kind === 'list' ? [] : OF_ELEMENTS),
      ].map((own) => own.replace('type', String(type)));
      const stored = await printResult(connection, 'SELECT x FROM one');
      for (const own of expressions) expect(await printResult(connection, own), own).toEqual(stored);
      if (kind === 'list') return;
      const list = await printResult(connection, 'SELECT array_agg(x) AS x FROM one');
      expect(list.ndjson).toBe(stored.ndjson.replace(/^\{"x":(.*)\}\n$/s, '{"x":[$1]}\n'));
    },
  );
});
