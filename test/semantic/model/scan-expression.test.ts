import { describe, expect, it } from 'vitest';
import type { Platform } from '../../../src/semantic/model/model.ts';
import {
  findCalls,
  findQualifiedColumns,
  findTextComparison,
  findWindowFunction,
  isCommaList,
  scanExpression,
} from '../../../src/semantic/model/scan-expression.ts';
import { DIALECTS } from '../../../src/semantic/sql/dialects.ts';

const scan = (text: string, platform: Platform = 'duckdb') =>
  scanExpression(text, DIALECTS[platform].lexicalRules);
const findAggregates = (text: string) =>
  findCalls(scan(text)).flatMap(({ kind, name }) => (kind === 'aggregate' ? [name] : []));

describe('aggregates of an expression', () => {
  it.each([
    ['amount', []],
    ['SUM(amount)', ['SUM']],
    ['sum (amount) / COUNT(*)', ['sum', 'COUNT']],
    ['"sum"(amount)', ['"sum"']],
    ['COALESCE(MAX(a), 0)', ['MAX']],
    ["'SUM(a)' || b", []],
    ['a /* SUM(a) */ + 1', []],
    ['"SUM"', []],
    ['sum', []],
    ['s.sum(a)', []],
    ['SUM(a) OVER (PARTITION BY b)', []],
    ['SUM(SUM(a)) OVER ()', ['SUM']],
    ['SUM(a) FILTER (WHERE b) OVER w', []],
    ['SUM(a) FILTER (WHERE MAX(b) > 1)', ['SUM', 'MAX']],
    ['LAST(a) IGNORE NULLS OVER (ORDER BY b)', []],
    ['PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a)', ['PERCENTILE_CONT']],
    ['PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a) OVER ()', []],
    ['(SELECT MAX(a) FROM t)', []],
    ['a IN (SELECT SUM(b) FROM t) AND MIN(c) > 1', ['MIN']],
    ['approx_count_distinct(a)', ['approx_count_distinct']],
    ['countIf(a > 1)', ['countIf']],
    ['list_sum(a)', []],
    ['x IN (1, 2) AND (y)', []],
  ])('%s: %j', (text, names) => {
    expect(findAggregates(text)).toEqual(names);
  });

  it('distinguishes functions that only a database knows from scalar functions', () => {
    const kinds = findCalls(scan('my_own(ROUND(a), s.count(b), CAST(c AS DECIMAL(9, 2)))'));
    expect(kinds).toEqual([
      { kind: 'unknown', name: 'my_own' },
      { kind: 'scalar', name: 'ROUND' },
      { kind: 'unknown', name: 'count' },
      { kind: 'scalar', name: 'CAST' },
    ]);
  });
});

describe('window functions of an expression', () => {
  it.each([
    ['SUM(a) OVER (PARTITION BY b)', 'SUM'],
    ['1 - rank() over (order by b)', 'rank'],
    ['SUM(SUM(a)) OVER ()', 'SUM'],
    ['SUM(a) / SUM(SUM(a)) OVER ()', 'SUM'],
    ['SUM(a) FILTER (WHERE b) OVER w', 'SUM'],
    ['LAST(a) IGNORE NULLS OVER (ORDER BY b)', 'LAST'],
    ['"my own"(a) OVER ()', '"my own"'],
    ['SUM(a)', null],
    ['SUM("over")', null],
    ['SUM(over)', null],
    ["SUM(a) || ') OVER ('", null],
    ['SUM(a) + (SELECT MAX(n) FROM (SELECT ROW_NUMBER() OVER () AS n FROM t))', null],
  ])('%s: %s', (text, name) => {
    expect(findWindowFunction(scan(text))).toBe(name);
  });
});

describe('text comparisons', () => {
  it.each([
    ["status = 'paid'", "'paid'", 'status'],
    ["o.status <> 'paid'", "'paid'", 'o.status'],
    ["status != 'paid'", "'paid'", 'status'],
    ["a > 1 AND status NOT IN ('1', 'paid')", "'paid'", 'status'],
    ["status LIKE 'pa%'", "'pa%'", 'status'],
    ["UPPER(status) = 'PAID'", "'PAID'", '…'],
    ["SUM(CASE WHEN status = 'paid' THEN 'x' END)", "'paid'", 'status'],
  ])('%s', (text, literal, operand) => {
    expect(findTextComparison(scan(text, 'mysql'))).toEqual({ literal, operand });
  });

  it.each([
    "CAST(status AS BINARY) = 'paid'",
    "status COLLATE utf8mb4_bin = 'paid'",
    "status = _binary'paid'",
    "ordered_on >= '2024-01-01'",
    "code IN ('1', '2')",
    "COALESCE(status, 'none')",
    "CONCAT('a', 'b')",
    'a = 1',
  ])('are absent, or exact: %s', (text) => {
    expect(findTextComparison(scan(text, 'mysql'))).toBeNull();
  });
});

describe('SQL that cannot be part of a statement', () => {
  it.each<[string, Platform, string | null]>([
    ['a', 'duckdb', null],
    ['(a', 'duckdb', '('],
    ['a)', 'duckdb', ')'],
    ['(a]', 'duckdb', ']'],
    ["')'", 'duckdb', null],
    ['a; b', 'duckdb', ';'],
    ["a || ';'", 'duckdb', null],
    ["'it''s'", 'duckdb', null],
    ["'it's'", 'duckdb', 'string'],
    ['"a', 'duckdb', 'quoted name'],
    ['a /* b', 'duckdb', 'comment'],
    ['a -- b', 'duckdb', 'comment'],
    ['a -- b\n', 'duckdb', null],
    ['a -- b\n + c', 'duckdb', null],
    ['a # b', 'duckdb', null],
    ['a # b', 'mysql', 'comment'],
    ["'a\\'", 'duckdb', null],
    ["'a\\'", 'mysql', 'string'],
    ["'a\\'", 'bigquery', 'string'],
    ["'a\\'", 'snowflake', 'string'],
    ["'a\\'", 'clickhouse', 'string'],
    ["'a\\'", 'trino', null],
    ['$$a$$', 'postgresql', null],
    ['[a)]', 'sqlserver', null],
    ['`a)`', 'mysql', null],
    ['`a)`', 'databricks', null],
    ['?', 'duckdb', '?'],
    ['a ? b', 'postgresql', null],
    ['$1', 'duckdb', '$1'],
  ])('%s on %s: %s', (text, platform, error) => {
    const found = scan(text, platform).error;
    if (error === null) expect(found).toBeNull();
    else expect(found).toContain(error);
  });
});

describe('a list of expressions', () => {
  it.each([
    ['a, b', true],
    ['f(a, b), c', true],
    ['f(a, b)', false],
    ["',' || [a, b][1]", false],
    ['a /* , */', false],
    ['STRUCT<a INT64, b STRING>(1, c).b', false],
    ['a < b, c', true],
  ])('%s: %s', (text, several) => {
    expect(isCommaList(scan(text))).toBe(several);
  });
});

describe('column qualifiers', () => {
  it.each([
    ['orders.id = customers.id', ['orders', 'customers']],
    ['"two words".id = c . id', ['two words', 'c']],
    ['shop.orders.id = a.b', ['a']],
    ['f.lower(a.b) = c', ['a']],
    ["'a.b' = 1.5", []],
    ['a.b + (SELECT MAX(c.d) FROM c) + e.f', ['a', 'e']],
  ])('%s: %j', (text, names) => {
    expect(findQualifiedColumns(scan(text)).map(({ qualifier }) => qualifier)).toEqual(names);
  });

  it('are returned as written, and without quotes', () => {
    expect(findQualifiedColumns(scan('1 + "A ""b""" . "c"'))).toEqual([
      { qualifier: 'A "b"', column: 'c', written: '"A ""b""" . "c"' },
    ]);
  });
});
