import { Dialect, parse } from '@polyglot-sql/sdk';
import { loadModule, parseSync } from 'libpg-query';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { DIALECTS } from '../../../src/semantic/sql/dialects.ts';
import { prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { translateStatement } from '../../../src/semantic/translate/translate-statement.ts';
import { createShop } from '../shop.ts';
import { openShop, type Simple } from '../shop-database.ts';
import { type ShopRunner, startShopRunners } from '../shop-runners.ts';
import { createCompiler, findGolden, readStatement, STATEMENTS } from '../statements.ts';

const platforms = Object.keys(DIALECTS) as Platform[];

/** DuckDB's own parser reads its SQL below, and PostgreSQL's parser that of PostgreSQL. */
const PARSERS: Readonly<Record<Exclude<Platform, 'duckdb' | 'postgresql'>, Dialect>> = {
  redshift: Dialect.Redshift,
  yellowbrick: Dialect.PostgreSQL,
  snowflake: Dialect.Snowflake,
  bigquery: Dialect.BigQuery,
  databricks: Dialect.Databricks,
  trino: Dialect.Trino,
  mysql: Dialect.MySQL,
  sqlserver: Dialect.TSQL,
  clickhouse: Dialect.ClickHouse,
};

type Rows = readonly (readonly Simple[])[];

/**
 * Converts rows to the form that all platforms share: conditions can be numbers, and floating-point numbers differ in
 * their last digits.
 */
function toComparable(rows: Rows): readonly string[] {
  const simplify = (value: Simple) => {
    if (typeof value === 'boolean') return Number(value);
    return typeof value === 'number' ? Number(value.toPrecision(11)) : value;
  };
  return rows.map((row) => JSON.stringify(row.map(simplify))).sort();
}

const parseText = await prepareParser();
const compile = createCompiler(parseText);
await loadModule();
const { runners, close } = await startShopRunners();

describe.each(platforms)('the SQL of statements for %s', (platform) => {
  it.each(STATEMENTS)('is unchanged, and accepted by independent parsers: %s', async (name) => {
    const sql = compile(readStatement(name), platform);
    await expect(`${sql}\n`).toMatchFileSnapshot(findGolden(name, platform));
    if (platform !== 'duckdb' && platform !== 'postgresql') {
      const { success, ast } = parse(sql, PARSERS[platform]);
      const kinds = (ast as readonly object[]).map((one) => Object.keys(one));
      expect([success, kinds]).toEqual([true, [['select']]]);
    }
    if (['postgresql', 'redshift', 'yellowbrick'].includes(platform)) {
      expect(parseSync(sql).stmts?.length).toBe(1);
    }
  });
});

/** Lists the functions and operators in a value that contains expressions. */
function listCalls(part: unknown, seen = new Set<unknown>()): readonly string[] {
  if (part === null || typeof part !== 'object' || seen.has(part)) return [];
  seen.add(part);
  const own = 'kind' in part && part.kind === 'call' && 'name' in part ? [String(part.name)] : [];
  return [...own, ...Object.values(part).flatMap((inner) => listCalls(inner, seen))];
}

it('cover every portable function and operator', () => {
  const model = createShop({});
  const asked = { model, index: createModelIndex(model) };
  const found = STATEMENTS.flatMap((name) =>
    parseText(readStatement(name)).flatMap((statement) =>
      statement.kind === 'query'
        ? listCalls(translateStatement(asked, statement.query, DIALECTS.duckdb))
        : [],
    ),
  );
  const conditions = [
    ...['=', '<>', '<', '<=', '>', '>=', 'IS DISTINCT FROM', 'IN', 'BETWEEN', 'IS NULL', 'IS TRUE'],
    ...['IS FALSE', 'AND', 'OR', 'NOT', 'LIKE', 'ILIKE', 'COALESCE', 'GREATEST', 'LEAST', 'CONCAT'],
  ];
  expect([...new Set(found)].sort()).toEqual([...Object.keys(DIALECTS.duckdb.calls), ...conditions].sort());
});

afterAll(close);

const RUNNERS = runners.filter(([platform]) => platform !== 'duckdb');

describe.each(RUNNERS)('statements on %s', (platform, isThere, open) => {
  let [own, duckdb]: ShopRunner[] = [];
  beforeAll(async () => {
    if (isThere) [own, duckdb] = await Promise.all([open(), openShop('duckdb')]);
  });
  afterAll(() => Promise.all([own?.close(), duckdb?.close()]));

  it.skipIf(!isThere).each(STATEMENTS)('return the rows of DuckDB: %s', async (name) => {
    const text = readStatement(name);
    const sql = compile(text, platform);
    const due = await duckdb!.run(compile(text, 'duckdb'));
    expect(toComparable(await own!.run(sql)), sql).toEqual(toComparable(due));
  });
});
