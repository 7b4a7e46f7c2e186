import { Dialect, transpile } from '@polyglot-sql/sdk';
import { describe, expect, it } from 'vitest';
import { compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../src/semantic/model/model.ts';
import type { SemanticQuery } from '../../src/semantic/query/query.ts';
import { KEY_CASES, keyModel } from './key-cases.ts';
import { hasPlatform, RUNS, type Simple, shareShop } from './shop-database.ts';

const index = createModelIndex(keyModel);
const compile = (query: SemanticQuery, dialect: Platform) =>
  compileQuery(index, query, { dialect, strict: false }).sql;
const round = (value: Simple) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value);

/** MariaDB returns booleans as numbers. */
const toPlain = (rows: readonly (readonly Simple[])[]) =>
  rows.map((row) => row.map((value) => (typeof value === 'boolean' ? Number(value) : round(value))));

describe.each(RUNS)('fields of %s without columns', (platform, engine) => {
  const database = shareShop(engine);

  it.skipIf(!hasPlatform(engine)).each(KEY_CASES)('$name', async ({ query, rows }) => {
    expect(toPlain(await database.run(compile(query, platform)))).toEqual(toPlain(rows));
  });
});

describe("SQL Server's GROUP BY", () => {
  const compiled = KEY_CASES.map(({ name, query }) => [name, compile(query, 'sqlserver')] as const);

  it.each(compiled)('contains only columns: %s', (_, sql) => {
    const keys = [...sql.matchAll(/GROUP BY (.+)/g)].flatMap(([, list = '']) => list.split(', '));
    const column =
      /^(?:CAST\((?:\[\w+\]\.)?[[\]\w#. ]+ AS NVARCHAR\(MAX\)\) COLLATE \w+|(?:\[\w+\]\.)?[[\]\w#. ]+)$/;
    expect(keys.filter((key) => !column.test(key))).toEqual([]);
    expect(keys.filter((key) => !/[a-z]/.test(key))).toEqual([]);
  });

  it.each(compiled)('has no sub-query inside an aggregate: %s', (_, sql) => {
    expect(sql).not.toMatch(/\b(?:SUM|AVG|MIN|MAX|COUNT_BIG)\((?:[^()]|\([^()]*\))*\(SELECT/);
  });

  describe('SQL translated for DuckDB', () => {
    const database = shareShop('duckdb');

    it.each(KEY_CASES)('$name', async ({ query, rows }) => {
      const plain = compile(query, 'sqlserver')
        .replaceAll(/ COLLATE \w+/g, '')
        .replaceAll(/(?:VARBINARY|NVARCHAR)\(MAX\)/g, 'VARCHAR(40)')
        .replaceAll(/\bN'/g, "'")
        .replaceAll('COUNT_BIG', 'COUNT');
      const translated = transpile(plain, Dialect.TSQL, Dialect.DuckDB).sql![0]!;
      expect(toPlain(await database.run(translated))).toEqual(toPlain(rows));
    });
  });
});
