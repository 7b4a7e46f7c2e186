import { beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../../../src/semantic/syntax/semantic-sql-error.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createShop } from '../shop.ts';

const model = createShop({});
const asked = { model, index: createModelIndex(model) };
let parse: ParseStatements;
beforeAll(async () => {
  parse = await prepareParser();
});

const PER_STATUS = '(SELECT status, revenue, orders FROM orders GROUP BY 1)';
const PER_ORDER = '(SELECT status, id, revenue FROM orders GROUP BY 1, 2)';

describe('refused statements over results', () => {
  it.each<readonly [text: string, marked: string, message: RegExp]>([
    [
      'SELECT status FROM orders WHERE EXISTS (SELECT 1 FROM customers c WHERE c.id = orders.id)',
      'orders',
      /belongs to the outer SELECT/,
    ],
    [
      'SELECT o.status FROM orders o WHERE id IN (SELECT id FROM customers WHERE o.status = name)',
      'o',
      /belongs to the outer SELECT/,
    ],
    [
      `SELECT id FROM ${PER_ORDER} t WHERE EXISTS (SELECT 1 FROM ${PER_STATUS} s WHERE t.status = s.status)`,
      't.status',
      /belongs to the outer SELECT/,
    ],
    [
      'SELECT * FROM orders, (SELECT status, revenue FROM orders) x WHERE x.revenue > 1',
      'orders',
      /an entity cannot be joined with a result by a comma/,
    ],
    [
      'SELECT amount FROM (SELECT status, id, revenue FROM orders) t WHERE revenue > 1',
      'amount',
      /there is no column `amount`; the sub-query `t` is a result here, as with GROUP BY `status`, `id`$/,
    ],
    [
      'WITH t AS (SELECT status, revenue FROM orders) SELECT MAX(revenue), SUM(t.weight) FROM t',
      't.weight',
      /there is no column `t.weight`; the sub-query `t` is a result here, as with GROUP BY `status`$/,
    ],
    [
      'SELECT amount FROM (SELECT revenue FROM orders) t WHERE revenue > 1',
      'amount',
      /there is no column `amount`; the sub-query `t` is a result here, of one row$/,
    ],
    [
      'SELECT MEASURE(revenue) FROM (SELECT status, revenue FROM orders) t WHERE revenue > 1',
      'MEASURE',
      /`revenue` is a column of a result: write it without an aggregate; .* as with GROUP BY `status`$/,
    ],
    ['SELECT amount FROM (SELECT status FROM orders GROUP BY 1) t', 'amount', /there is no column `amount`$/],
    ['SELECT * FROM orders, (SELECT 1 AS one) x', '1', /the same row for all rows/],
    ['SELECT o.status FROM orders o JOIN (SELECT 1 AS one) x ON TRUE', '1', /the same row for all rows/],
    ['SELECT ROW_NUMBER() OVER () n FROM orders', 'ROW_NUMBER', /uses no column/],
    [
      'SELECT status, RANK() OVER (ORDER BY 1) FROM orders',
      'RANK',
      /RANK needs ORDER BY with columns in its OVER clause/,
    ],
    ['SELECT status, RANK() OVER () FROM orders', 'RANK', /RANK needs ORDER BY/],
    [
      'SELECT status, LAG(status, id) OVER (ORDER BY status) FROM orders GROUP BY status, id',
      'LAG',
      /LAG takes a value and a literal number of rows/,
    ],
    ['SELECT status, FOO(status) OVER () FROM orders', 'FOO', /there is no portable window function `foo`/],
    [
      'SELECT status, COUNT(DISTINCT status) OVER () FROM orders',
      'COUNT',
      /DISTINCT is not allowed in a window/,
    ],
    ['SELECT status, SUM(revenue) OVER w FROM orders', 'SUM', /there is no window `w`/],
    [
      'SELECT status, SUM(revenue) OVER (ORDER BY status RANGE 1 PRECEDING) FROM orders',
      'SUM',
      /RANGE with a number/,
    ],
    [
      'SELECT status, SUM(revenue) OVER (ORDER BY status GROUPS 1 PRECEDING) FROM orders',
      'SUM',
      /GROUPS frames/,
    ],
    ['SELECT status FROM orders WHERE SUM(revenue) OVER () > 1', 'SUM', /is not allowed in WHERE/],
    ['SELECT status FROM orders HAVING RANK() OVER (ORDER BY revenue) = 1', '=', /is not allowed in HAVING/],
    [`SELECT x.one FROM (SELECT 1 AS one) x WHERE x.two = 1`, 'x.two', /there is no column `x.two`/],
    [`SELECT on FROM (SELECT 1 AS one) x`, 'on', /syntax error/],
    [`SELECT ones FROM (SELECT 1 AS one) x`, 'ones', /did you mean `one`/],
    [
      `SELECT status FROM ${PER_STATUS} a, ${PER_STATUS} b`,
      'status',
      /`status` is ambiguous: write `a.status` or `b.status`/,
    ],
    [`SELECT a.status FROM ${PER_STATUS} a, ${PER_STATUS} A`, 'status', /two parts of FROM are called `a`/],
    [`SELECT status FROM ${PER_STATUS} a GROUP BY revenue`, 'status', /`status` must be in GROUP BY/],
    [`SELECT MEASURE(revenue) FROM ${PER_STATUS} a`, 'MEASURE', /column of a result/],
    [
      `SELECT a.status FROM ${PER_STATUS} a JOIN ${PER_STATUS} b ON a.revenue`,
      'revenue',
      /ON takes a condition, not a DECIMAL/,
    ],
    [
      `SELECT 1 FROM ${PER_STATUS} a, ${PER_STATUS} b RIGHT JOIN ${PER_STATUS} c ON TRUE`,
      'status',
      /RIGHT JOIN after a comma/,
    ],
    ['SELECT status, id FROM orders UNION SELECT city FROM stores', 'status, id', /one has 2, the other 1/],
    [
      'SELECT id FROM orders UNION SELECT city FROM stores',
      'id',
      /`id` is INTEGER on one side and TEXT on the other/,
    ],
    [
      'SELECT status FROM orders UNION SELECT city FROM stores ORDER BY LOWER(status)',
      'LOWER',
      /can be ordered only by their columns/,
    ],
    [
      'SELECT name FROM customers WHERE id IN (SELECT id, name FROM customers)',
      'id',
      /must have one column, not 2/,
    ],
    ['SELECT name FROM customers WHERE id NOT IN (SELECT NULL)', 'NOT', /values of one type/],
    ['SELECT name FROM customers WHERE id IN (SELECT name FROM customers)', 'IN', /values of one type/],
    ['VALUES (1, 2), (3)', '3', /each row of VALUES has 2 values/],
    [`SELECT DISTINCT status FROM ${PER_ORDER} t ORDER BY id`, 'id', /ordered only by selected columns/],
    [
      'SELECT DISTINCT status FROM orders GROUP BY status, id ORDER BY id',
      'id',
      /ordered only by selected columns/,
    ],
    ['SHOW FIELDS FROM "orders.customer"', '"orders.customer"', /takes an entity, not a path/],
    ['SHOW FIELDS FROM ordrs', 'ordrs', /did you mean `orders`/],
    ['EXPLAIN DELETE FROM orders', 'EXPLAIN', /DELETE|EXPLAIN/],
    [
      'WITH a (x, y) AS (SELECT status FROM orders GROUP BY 1) SELECT x FROM a',
      'a',
      /the alias has 2 names for 1 columns/,
    ],
  ])('%s', (text, marked, message) => {
    const refuse = () => {
      try {
        answerStatements(asked, parse(text), { strict: false });
      } catch (error) {
        if (!(error instanceof SemanticSqlError)) throw error;
        return { place: text.slice(error.span.start, error.span.end), message: error.message };
      }
      throw new Error(`it was accepted: ${text}`);
    };
    const said = refuse();
    expect(said.message).toMatch(message);
    expect(said.place).toContain(marked);
  });
});

describe('unsupported features of a platform', () => {
  it.each<readonly [Platform, string, RegExp]>([
    [
      'redshift',
      'SELECT status, SUM(revenue) OVER (ORDER BY status) FROM orders',
      /supports only ROWS window frames: write ROWS/,
    ],
    [
      'clickhouse',
      'SELECT status, NTILE(2) OVER (ORDER BY status) FROM orders',
      /not support the window function NTILE/,
    ],
    ['mysql', `SELECT 1 FROM ${PER_STATUS} a FULL JOIN ${PER_STATUS} b ON TRUE`, /not support FULL JOIN/],
    [
      'bigquery',
      `SELECT status FROM orders EXCEPT ALL SELECT city FROM stores`,
      /not support EXCEPT ALL: remove ALL/,
    ],
  ])('are refused: %s, %s', (platform, text, message) => {
    const own = createShop({ platform });
    const answer = () =>
      answerStatements({ model: own, index: createModelIndex(own) }, parse(text), { strict: false });
    expect(answer).toThrow(message);
  });
});

describe('warnings', () => {
  const warningsOf = (text: string) => answerStatements(asked, parse(text), { strict: false })[0]!.warnings;

  it('report sums of finished groups that cannot be summed', () => {
    const text = (measure: string) =>
      `SELECT SUM(m) FROM (SELECT status, ${measure} AS m FROM orders GROUP BY 1) t`;
    expect(warningsOf(text('buyers'))).toEqual([expect.stringContaining('orders.buyers')]);
    expect(warningsOf(text('revenue'))).toEqual([]);
    expect(
      warningsOf(
        `SELECT SUM(m) FROM (SELECT m FROM (SELECT status, largest AS m FROM orders GROUP BY 1) t LIMIT 9) u`,
      ),
    ).toEqual([expect.stringContaining('orders.largest')]);
  });

  it('report counts of rows that a sub-query has merged', () => {
    const merged = [expect.stringContaining('`t` has one row for each combination of its columns')];
    const counted = (items: string, more = '') =>
      `SELECT COUNT(*) FROM (SELECT ${items} FROM orders${more}) t`;
    expect(warningsOf(counted("UPPER(status) || 'x' AS s"))).toEqual(merged);
    expect(warningsOf('SELECT SUM(x) FROM (SELECT amount * 2 AS x FROM orders) t')).toEqual(merged);
    expect(
      warningsOf(`SELECT COUNT(*) FROM (SELECT s FROM (SELECT LOWER(status) AS s FROM orders) u) t`),
    ).toEqual(merged);
    expect(warningsOf(counted("UPPER(status) AS s, 'x' AS y", ' GROUP BY 1'))).toEqual([]);
    expect(warningsOf(counted('DISTINCT UPPER(status) AS s'))).toEqual([]);
    expect(warningsOf(counted('UPPER(status) AS s, revenue'))).toEqual([]);
    expect(warningsOf('SELECT COUNT(*) FROM (SELECT id, UPPER(name) AS n FROM customers) t')).toEqual([]);
    expect(warningsOf('SELECT MAX(s) FROM (SELECT UPPER(status) AS s FROM orders) t')).toEqual([]);
  });

  it('writes a part once that several parts need', () => {
    const text =
      'SELECT revenue, returns, units FROM orders, returns, order_items WHERE status IN (SELECT status FROM orders ORDER BY revenue DESC LIMIT 1)';
    const { sql } = answerStatements(asked, parse(text), { strict: false })[0]!;
    expect(sql).toMatch(/^WITH "with_query" AS/);
    expect(sql.match(/LIMIT 1/g)).toHaveLength(1);
  });

  it('explains a statement as rows', () => {
    const [explained] = answerStatements(asked, parse('EXPLAIN SELECT status, revenue FROM orders'), {
      strict: false,
    });
    expect(explained!.plans).toHaveLength(1);
    expect(explained!.sql).toContain("'plan'");
    expect(explained!.sql).toContain('SUM(amount)');
  });
});
