import { Dialect, parse, transpile } from '@polyglot-sql/sdk';
import { loadModule, parseSync } from 'libpg-query';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Platform } from '../../src/semantic/model/model.ts';
import { compileQuestion, QUESTIONS, readJson } from './questions.ts';
import { openShop, type ShopDatabase, type Simple } from './shop-database.ts';

type Absent = Exclude<Platform, 'duckdb' | 'postgresql' | 'mysql'>;

/** A platform that does not run here, and how its SQL is translated to DuckDB's SQL. */
interface Case {
  readonly name: Dialect;
  /** Corrections of errors in the translation. */
  readonly words: readonly (readonly [RegExp, string])[];
  /** Semantic queries whose translation is wrong despite the corrections. */
  readonly wrong: readonly string[];
}

const CASES: Readonly<Record<Absent, Case>> = {
  redshift: { name: Dialect.Redshift, words: [], wrong: [] },
  yellowbrick: { name: Dialect.PostgreSQL, words: [], wrong: [] },
  snowflake: { name: Dialect.Snowflake, words: [], wrong: [] },
  bigquery: {
    name: Dialect.BigQuery,
    words: [
      [/\b(?:BIG)?NUMERIC '([^']+)'/g, '$1'],
      // DATE_TRUNC of a DATE would be a TIMESTAMP.
      [/DATE_TRUNC\((CAST\(.+? AS DATE\)), (\w+)(?:\(MONDAY\))?\)/g, 'toStartOf$2($1)'],
    ],
    wrong: [],
  },
  databricks: {
    name: Dialect.Databricks,
    words: [],
    // Wrong in the other direction: a DATETIME in Berlin is printed in UTC.
    wrong: ['days-in-berlin'],
  },
  trino: { name: Dialect.Trino, words: [[/DECIMAL '([^']+)'/g, '$1']], wrong: [] },
  sqlserver: {
    name: Dialect.TSQL,
    words: [
      [/ COLLATE \w+/g, ''],
      [/(?:VARBINARY|NVARCHAR)\(MAX\)/g, 'VARCHAR(40)'],
      // DATEADD of an expression that is not a constant would become an INTERVAL that is invalid SQL.
      [
        /DATEADD\(DAY, -\(DATEDIFF\(DAY, '0001-01-01', (.*?)\) % 7\), CAST\(\1 AS DATE\)\)/g,
        "(CAST($1 AS DATE) - CAST(DATEDIFF(DAY, CAST('0001-01-01' AS DATE), $1) % 7 AS INT))",
      ],
      // A quote in it would not be doubled.
      [/\bN'/g, "'"],
      // Its DISTINCT would be lost.
      [/COUNT_BIG/g, 'COUNT'],
    ],
    wrong: [],
  },
  clickhouse: {
    name: Dialect.ClickHouse,
    words: [
      [/\nSETTINGS .*$/g, ''],
      [/toDecimal(?:128|256)\('([^']+)', \d+\)/g, '$1'],
      [/toMonday/g, 'toStartOfWeek'],
      [/toDateTime64\(('[^']+'), 6, 'UTC'\)/g, 'CAST($1 AS TIMESTAMP)'],
    ],
    wrong: [],
  },
};

/** Functions that the translation does not change, as documented by their platforms. */
const MACROS = [
  'dayofweekiso(x) AS isodow(x)',
  'with_timezone(x, zone) AS timezone(zone, x)',
  "totimezone(x, zone) AS timezone(zone, timezone('UTC', x))",
  'todate32(x) AS CAST(x AS DATE)',
  "tostartofweek(x) AS CAST(date_trunc('week', x) AS DATE)",
  "tostartofmonth(x) AS CAST(date_trunc('month', x) AS DATE)",
  "tostartofquarter(x) AS CAST(date_trunc('quarter', x) AS DATE)",
  "tostartofyear(x) AS CAST(date_trunc('year', x) AS DATE)",
  'lowerutf8(x) AS lower(x)',
  'quantileexactlow(x) AS quantile_disc(x, 0.5)',
  'quantileexacthigh(x) AS quantile_disc(x, 0.500000000000001)',
  'startswith(x, part) AS starts_with(x, part)',
  'positioncaseinsensitiveutf8(x, part) AS strpos(lower(x), lower(part))',
].map((macro) => `CREATE MACRO ${macro}`);

const platforms = Object.keys(CASES) as Absent[];

function compileAll(platform: Platform): readonly (readonly [question: string, sql: string])[] {
  return QUESTIONS.flatMap((name) => {
    const found = compileQuestion(name, platform);
    return 'sql' in found ? [[name, found.sql] as const] : [];
  });
}

const toNear = (row: readonly Simple[]) =>
  row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(11)) : value));

describe('SQL for platforms that do not run here', () => {
  let database: ShopDatabase;
  beforeAll(async () => {
    await loadModule();
    database = await openShop('duckdb', MACROS);
  });
  afterAll(() => database.close());

  it.each(platforms)('is accepted by an independent parser of %s', (platform) => {
    const compiled = compileAll(platform);
    expect(compiled.length).toBeGreaterThan(QUESTIONS.length - 4);
    for (const [question, sql] of compiled) {
      const { success, ast } = parse(sql, CASES[platform].name);
      expect([question, success, (ast as readonly object[]).map((one) => Object.keys(one))]).toEqual([
        question,
        true,
        [['select']],
      ]);
    }
  });

  it.each(['postgresql', 'redshift', 'yellowbrick'] as const)(
    "is accepted by PostgreSQL's parser: %s",
    (platform) => {
      for (const [question, sql] of compileAll(platform)) {
        expect([question, parseSync(sql).stmts?.length]).toEqual([question, 1]);
      }
    },
  );

  it.each(platforms)('returns the expected rows, translated from %s', async (platform) => {
    const { name, words, wrong } = CASES[platform];
    const different: string[] = [];
    for (const [question, sql] of compileAll(platform)) {
      const plain = words.reduce((text, [from, to]) => text.replaceAll(from, to), sql);
      const translated = transpile(plain, name, Dialect.DuckDB).sql?.[0] ?? '';
      const rows = await database.run(translated).catch(() => null);
      const due = readJson<Simple[][]>(question, 'rows.json').map(toNear);
      if (JSON.stringify(rows?.map(toNear)) !== JSON.stringify(due)) different.push(question);
    }
    expect(different).toEqual(wrong);
  });
});
