import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createGate } from '../../../../../src/engine/connection/duckdb/gate/gate.ts';
import { finish } from '../../../../../src/engine/text/interruptible.ts';
import { quoteText } from '../../../../../src/engine/text/sql-quote.ts';
import { shareDuckDB } from '../../../../support/duckdb.ts';
import { share } from '../../../../support/rotation.ts';

const duckdb = shareDuckDB();

/**
 * The files and functions of a query according to the engine's parser; null for a text that it cannot parse.
 */
async function readByEngine(sql: string): Promise<readonly string[] | null> {
  const rows = await duckdb().runAndReadAll(`SELECT json_serialize_sql(${quoteText(sql)})`);
  const parsed = JSON.parse(String(rows.getRows()[0]![0]));
  return parsed.error === true ? null : [...listNames(parsed)];
}

function* listNames(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const {
    type,
    table_name: table,
    schema_name: schema,
    function_name: called,
  } = node as Record<string, unknown>;
  if (type === 'BASE_TABLE') yield `table ${schema === '' ? table : `${schema}.${table}`}`.toLowerCase();
  if (typeof called === 'string') yield `call ${called.toLowerCase()}`;
  for (const value of Object.values(node)) yield* listNames(value);
}

const gate = createGate('/nowhere', []);

function passes(sql: string): boolean {
  try {
    finish(gate.checkStatement(sql));
    return true;
  } catch {
    return false;
  }
}

const FORBIDDEN = /^(?:table .*\/|table .*duckdb_logs$|call (?:query|write_log|enable_logging|read_text)$)/;
const SEEDS = [
  `SELECT a, 'x' FROM t JOIN u USING (a) WHERE b IN ('p', 'q') GROUP BY a ORDER BY 1 DESC LIMIT 3`,
  `FROM t, (FROM u) AS v SELECT trim(both 'x' FROM a), extract(year FROM b)`,
  `WITH c AS (VALUES (1), (2)) SELECT * FROM c, LATERAL (SELECT c.* FROM d)`,
  `SELECT a IS DISTINCT FROM 'x', [1, 2], {'k': 'v'}, x -> y FROM s.t AS a(b, c)`,
  `(SELECT DISTINCT ON (a) a FROM t) UNION ALL BY NAME (TABLE u)`,
  `SELECT * EXCLUDE (a), COLUMNS('b.*') FROM t POSITIONAL JOIN u JOIN v ON a = CASE WHEN b THEN 'x' END`,
  `PIVOT t ON a IN ('x', 'y') USING sum(b) AS s, max(c) GROUP BY d`,
  `SELECT count(*) FILTER (WHERE a) OVER (PARTITION BY b ORDER BY c DESC) FROM t QUALIFY a > 1`,
  `FROM x: range(3), y: t SELECT x, 'z' UNION FROM u`,
  `SELECT list(a ORDER BY b) FROM t TABLESAMPLE 10% WHERE EXISTS (FROM u)`,
  `SELECT a::UNION(n INTEGER, s VARCHAR), b::STRUCT(f INTEGER) FROM t ASOF JOIN u ON a >= b`,
  `FROM (SUMMARIZE t) JOIN (DESCRIBE u) ON true`,
];
const CLAUSES = [
  ...[
    `'/a.csv'`,
    `"/a"."csv"`,
    `, '/a.csv'`,
    `JOIN '/a.csv' ON true`,
    `, ONLY ('/a.csv')`,
    `, "x": '/a.csv'`,
  ],
  ...[`(FROM '/a.csv')`, `(TABLE '/a.csv')`, `, (SELECT 1 FROM '/a.csv') AS a`, `UNION ALL FROM '/a.csv'`],
  ...[`, trim((SELECT 1 FROM '/a.csv'))`, `CROSS JOIN (t JOIN '/a.csv' USING (a))`, `FROM t AS a, '/a.csv'`],
  ...[`$\u00a0$ ' $\u00a0$ AS b, '`, `/*'*/ GROUP\u00a0BY, '/a.csv' /*'*/`, `E'\\'' ORDER\u2003BY, '/a.csv'`],
  ...[`, query('x')`, `, main."QUERY" (a)`, `write_log('x')`, `, a.write_log()`, `JOIN duckdb_logs ON true`],
];
const PIECES = [
  ...[
    `'/a.csv'`,
    `"/a.csv"`,
    `"/a"."csv"`,
    `'/a.duckdb'`,
    `duckdb_logs`,
    `"DUCKDB_logs"`,
    `E'/a.csv'`,
    `$$/a.csv$$`,
  ],
  ...[`query('SELECT 1')`, `"Query" ('SELECT 1')`, `main.query(a)`, `write_log('x')`, `enable_logging()`],
  ...[
    `read_text('/a.csv')`,
    `a.write_log()`,
    `,`,
    `, '/a.csv'`,
    `FROM '/a.csv'`,
    `JOIN '/a.csv' ON true`,
    `(`,
    `)`,
  ],
  ...`FROM TABLE SELECT ONLY LATERAL USING AS SET WITH ORDER GROUP BY DISTINCT IS NOT trim( substring( extract( overlay(
    DESC SHOW DESCRIBE SUMMARIZE PIVOT VALUES . : :: [ ] { } -> /**/ --\n /* */ ' " $$ 1 .5 1. 0x1F a. "b" 's' t where
    \u00a0 $\u00a0$ E'\\'' /*'*/ $\u00e9$ GROUP\u2003BY RETURNING INTO order group by from select table using only lateral`.split(
    / +|\n +/,
  ),
];

it('finds every file and function that the engine finds', { timeout: 300_000 }, async () => {
  const edit = fc.record({
    at: fc.nat(60),
    remove: fc.constantFrom(0, 0, 1, 2),
    pieces: fc.oneof(
      fc.constantFrom(...CLAUSES).map((clause) => [clause]),
      fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 }),
    ),
  });
  const texts = fc
    .record({ seed: fc.constantFrom(...SEEDS), edits: fc.array(edit, { minLength: 1, maxLength: 2 }) })
    .map(({ seed, edits }) => {
      const words = seed.match(/'[^']*'|->|::|>=|\w+|[^\s\w]/g) ?? [];
      for (const { at, remove, pieces } of edits) words.splice(at % (words.length + 1), remove, ...pieces);
      return words.join(' ');
    });
  expect(SEEDS.filter((seed) => !passes(seed))).toEqual([]);
  let [parsed, dangerous] = [0, 0];
  await fc.assert(
    fc.asyncProperty(texts, async (sql) => {
      const names = await readByEngine(sql);
      if (names === null) return;
      parsed += 1;
      if (!names.some((name) => FORBIDDEN.test(name))) return;
      dangerous += 1;
      expect(passes(sql)).toBe(false);
    }),
    { numRuns: share(12_000) },
  );
  expect(parsed).toBeGreaterThan(share(200));
  expect(dangerous).toBeGreaterThan(share(100));
});
