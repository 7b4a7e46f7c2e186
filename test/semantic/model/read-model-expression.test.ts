import { describe, expect, it } from 'vitest';
import { duckdbRules, mysqlRules } from '../../../src/engine/text/lexical-rules.ts';
import { printPieces, readModelExpression } from '../../../src/semantic/model/read-model-expression.ts';

const read = (text: string, lexicalRules = duckdbRules) => {
  const { written, qualified, isStrict, isAtomic } = readModelExpression(text, ['orders'], lexicalRules);
  const print = (pieces: typeof written) => printPieces(pieces, ['"o"']);
  return { written: print(written), qualified: qualified && print(qualified), isStrict, isAtomic };
};

describe('an expression of a model', () => {
  it.each([
    ['amount', '"o".amount'],
    ['"Unit Price"', '"o"."Unit Price"'],
    ['orders.amount', '"o".amount'],
    ['ORDERS.amount', '"o".amount'],
    ['"orders"."amount"', '"o"."amount"'],
    ['amount * (1 - discount)', '"o".amount * (1 - "o".discount)'],
    ["coalesce(status, 'it''s orders.x')", `coalesce("o".status, 'it''s orders.x')`],
    [
      'CASE WHEN a > 1 AND b IS NOT NULL THEN c ELSE 0 END',
      'CASE WHEN "o".a > 1 AND "o".b IS NOT NULL THEN "o".c ELSE 0 END',
    ],
    ['SUM(amount) / NULLIF(COUNT(*), 0)', 'SUM("o".amount) / NULLIF(COUNT(*), 0)'],
    ['COUNT(DISTINCT x)', 'COUNT(DISTINCT "o".x)'],
    ['a /* orders.x */ + b -- the end', '"o".a + "o".b'],
  ])('has qualified columns: %s', (text, qualified) => {
    expect(read(text).qualified).toBe(qualified);
  });

  it.each([
    'CAST(a AS INTEGER)',
    'a::int',
    "DATE '2024-01-01'",
    "ts AT TIME ZONE 'UTC'",
    'EXTRACT(year FROM day)',
    'DATEDIFF(day, a, b)',
    'current_date',
    'other.amount',
    'shop.orders.amount',
    'details.size.width',
    '(SELECT MAX(x) FROM t)',
    'EXISTS (SELECT 1)',
    'SUM(a) FILTER (WHERE b)',
    'SUM(a) OVER (ORDER BY b)',
    'a[1]',
    "a -> '$.b' :: text",
    'INTERVAL 1 DAY',
    'COUNT(orders.*)',
    '$1',
    'list_transform(xs, x -> x + 1)',
  ])('is unchanged if its columns are not certain: %s', (text) => {
    expect(read(text).qualified).toBeNull();
  });

  it('has its own name replaced in any case', () => {
    expect(read('CAST(orders.a AS TEXT) || \'orders.b\' || shop.orders.c || "orders".d').written).toBe(
      `CAST("o".a AS TEXT) || 'orders.b' || shop.orders.c || "o".d`,
    );
    expect(read('CONCAT(`orders`.a, "orders.b") # orders.c', mysqlRules).written).toBe(
      'CONCAT("o".a, "orders.b")',
    );
  });

  it.each([
    ['a', true],
    ['a + 1', true],
    ['LOWER(a)', true],
    ['a || b', true],
    ['COALESCE(a, 0)', false],
    ['CASE WHEN a THEN 1 END', false],
    ['a IS NULL', false],
    ['1', false],
    ["'x'", false],
    ['NULL', false],
    ['CONCAT(a, b)', false],
    ['a OR b', false],
    ['a <=> b', false],
    ['my_function(a)', false],
  ])('is known to be NULL without columns, or not: %s', (text, isStrict) => {
    expect(read(text).isStrict).toBe(isStrict);
  });

  it('treats || as OR where the platform does', () => {
    expect(read('a || b', mysqlRules).isStrict).toBe(false);
  });

  it.each([
    ['a', true],
    ['orders.a', true],
    ['1.5', true],
    ['f(a, (b))', true],
    ['(a + b)', true],
    ['a + b', false],
    ['(a) + (b)', false],
    ['f(a) + 1', false],
    ['CASE WHEN a THEN b END', false],
    ['a IS NULL', false],
    ['-1', false],
  ])('needs parentheses or not: %s', (text, isAtomic) => {
    expect(read(text).isAtomic).toBe(isAtomic);
  });
});

describe('a condition of a relationship', () => {
  const find = (text: string) => readModelExpression(text, ['a', 'b'], duckdbRules).equalities;

  it('is recognized if it consists only of equal columns', () => {
    expect(find('a.x = b.y')).toEqual([{ left: 'x', right: 'y' }]);
    expect(find('b."Y" = A.x and /* , */ a.z = b.w')).toEqual([
      { left: 'x', right: '"Y"' },
      { left: 'z', right: 'w' },
    ]);
  });

  it.each([
    'a.x = a.y',
    'a.x = b.y OR a.z = b.w',
    'a.x = b.y AND a.z = 1',
    'a.x = b.y AND',
    'a.x >= b.y',
    'a.x = b.y + 1',
    'x = b.y',
    'LOWER(a.x) = b.y',
    '(a.x = b.y)',
    '',
  ])('is not recognized if it contains more: %s', (text) => {
    expect(find(text)).toBeNull();
  });
});
