import { beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../../../src/semantic/syntax/semantic-sql-error.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createShop } from '../shop.ts';
import { hasPlatform, RUNS, shareShop } from '../shop-database.ts';

let parse: ParseStatements;
beforeAll(async () => {
  parse = await prepareParser();
});

const createAnswer = (platform: (typeof RUNS)[number][0]) => {
  const model = createShop({ platform });
  const asked = { model, index: createModelIndex(model) };
  return (text: string) => {
    const [answer] = answerStatements(asked, parse(text), { strict: false });
    return answer!;
  };
};

type Rows = readonly (readonly unknown[])[];

const CASES: readonly (readonly [text: string, rows: Rows])[] = [
  [
    'SELECT status, revenue FROM orders GROUP BY ROLLUP(status) ORDER BY GROUPING(status), 1',
    [
      ['open', 35.3],
      ['paid', 70.7],
      [null, null],
      [null, 106],
    ],
  ],
  // A key that is NULL in the data differs from the NULL of a level by GROUPING.
  [
    'SELECT region, COUNT(*) AS n, GROUPING(region) AS g FROM customers GROUP BY region, ROLLUP(region) ORDER BY g, 1',
    [
      ['north', 2, 0],
      ['north', 2, 0],
      ['south', 2, 0],
      ['south', 2, 0],
      [null, 1, 0],
      [null, 1, 0],
    ],
  ],
  [
    "SELECT CASE WHEN GROUPING(region) = 1 THEN 'all' ELSE COALESCE(region, 'none') END AS r, COUNT(*) AS n FROM customers GROUP BY CUBE(region) ORDER BY r",
    [
      ['all', 5],
      ['none', 1],
      ['north', 2],
      ['south', 2],
    ],
  ],
  // The order of two products counts once in the total, in the food and in the office.
  [
    'SELECT category, COUNT(orders.*) AS n, buyers FROM orders, products WHERE category IS NOT NULL GROUP BY GROUPING SETS (category, ()) ORDER BY 1',
    [
      ['food', 2, 2],
      ['office', 2, 1],
      [null, 3, 2],
    ],
  ],
  [
    'SELECT status, region, GROUPING(status, region) AS g, orders FROM orders, customers GROUP BY CUBE(status, region) HAVING orders > 1 ORDER BY g, 1, 2',
    [
      ['paid', 'north', 0, 2],
      ['open', null, 1, 2],
      ['paid', null, 1, 3],
      [null, 'north', 2, 3],
      [null, null, 2, 2],
      [null, null, 3, 6],
    ],
  ],
  [
    'SELECT status, id, orders FROM orders WHERE id < 3 GROUP BY status, GROUPING SETS ((id), (), ()) ORDER BY 2',
    [
      ['paid', 1, 1],
      ['paid', 2, 1],
      ['paid', null, 2],
      ['paid', null, 2],
    ],
  ],
  // A repeated set repeats its rows; the parts of one set can be in parentheses.
  [
    'SELECT status, id, orders FROM orders WHERE id < 3 GROUP BY GROUPING SETS ((status, id), ROLLUP((status, id))) ORDER BY 2',
    [
      ['paid', 1, 1],
      ['paid', 1, 1],
      ['paid', 2, 1],
      ['paid', 2, 1],
      [null, null, 2],
    ],
  ],
  [
    'SELECT MAX(largest) AS l, revenue AS r FROM orders GROUP BY GROUPING SETS ((), ())',
    [
      [40.4, 106],
      [40.4, 106],
    ],
  ],
  ['SELECT status FROM orders GROUP BY CUBE(status) ORDER BY 1 LIMIT 2', [['open'], ['paid']]],
  ['SELECT DISTINCT region FROM customers GROUP BY CUBE(region) ORDER BY 1', [['north'], ['south'], [null]]],
  ['SELECT 1 AS one FROM orders WHERE id > 99 GROUP BY GROUPING SETS (status, ())', [[1]]],
  ['SELECT region FROM customers GROUP BY ROLLUP(region) HAVING COUNT(*) > 4', [[null]]],
  // Window functions see the rows of all levels.
  [
    'SELECT status, orders, SUM(orders) OVER (PARTITION BY GROUPING(status)) AS t FROM orders GROUP BY ROLLUP(status) ORDER BY 2',
    [
      [null, 1, 6],
      ['open', 2, 6],
      ['paid', 3, 6],
      [null, 6, 6],
    ],
  ],
  [
    'SELECT status, orders FROM orders WHERE status IN (SELECT status FROM orders GROUP BY 1 ORDER BY revenue LIMIT 1) GROUP BY ROLLUP(status) ORDER BY 1',
    [
      ['open', 2],
      [null, 2],
    ],
  ],
  [
    "SELECT DATE_TRUNC('quarter', ordered_on) AS q, orders FROM orders WHERE id < 6 GROUP BY ROLLUP(q) ORDER BY GROUPING(q)",
    [
      ['2024-01-01', 5],
      [null, 5],
    ],
  ],
  // Over a result, a level is a group of its rows.
  [
    'SELECT s, SUM(n) AS n, MEDIAN(n) AS m, GROUPING(s) AS g FROM (SELECT status AS s, region, orders AS n FROM orders, customers GROUP BY 1, 2) t GROUP BY ROLLUP(s) ORDER BY g, 1',
    [
      ['open', 2, 1, 0],
      ['paid', 3, 1.5, 0],
      [null, 1, 1, 0],
      [null, 6, 1, 1],
    ],
  ],
  [
    'WITH t AS (SELECT status AS s, id % 2 AS odd, orders AS n FROM orders GROUP BY 1, 2) SELECT s, odd, SUM(n) AS n FROM t GROUP BY CUBE(s, odd) HAVING SUM(n) > 2 ORDER BY 3, 1, 2',
    [
      ['paid', null, 3],
      [null, 0, 3],
      [null, 1, 3],
      [null, null, 6],
    ],
  ],
  [
    'SELECT COUNT(*) AS n, GROUPING(a) AS g FROM (VALUES (1), (2)) v (a) GROUP BY GROUPING SETS ((a), (), ()) ORDER BY 2, 1',
    [
      [1, 0],
      [1, 0],
      [2, 1],
      [2, 1],
    ],
  ],
];

describe.each(RUNS.slice(0, 3))('levels on %s', (platform, engine) => {
  const answer = createAnswer(platform);
  const shop = shareShop(engine);

  it.runIf(hasPlatform(engine)).each(CASES)('%s', async (text, rows) => {
    expect(await shop.run(answer(text).sql)).toEqual(rows);
  });

  it.runIf(hasPlatform(engine))('unite more levels than some platforms unite in one SELECT', async () => {
    const keys = Array.from({ length: 7 }, (_, at) => `id + ${at}`).join(', ');
    const { sql } = answer(`SELECT COUNT(*) AS n FROM (SELECT orders FROM orders GROUP BY CUBE(${keys})) t`);
    expect(await shop.run(sql)).toEqual([[127 * 6 + 1]]);
  });
});

describe('levels', () => {
  const answer = createAnswer('duckdb');

  /** The message for a text, and the marked part of the text. */
  const refuse = (text: string): readonly [marked: string, message: string] => {
    try {
      answer(text);
    } catch (error) {
      if (!(error instanceof SemanticSqlError)) throw error;
      return [text.slice(error.span.start, error.span.end), error.message];
    }
    throw new Error(`it was accepted: ${text}`);
  };

  const TWELVE = Array.from({ length: 12 }, (_, at) => `id + ${at}`).join(', ');

  it.each<readonly [text: string, marked: string, message: RegExp]>([
    ['SELECT GROUPING(id) FROM orders GROUP BY ROLLUP(status)', 'id', /GROUPING takes a key of GROUP BY/],
    ['SELECT GROUPING(revenue) FROM orders GROUP BY ROLLUP(status)', 'revenue', /GROUPING takes a key/],
    ['SELECT GROUPING(1) FROM orders GROUP BY ROLLUP(status)', '1', /GROUPING takes a key/],
    ['SELECT GROUPING(status) FROM orders', 'status', /GROUPING takes a key/],
    [
      'SELECT GROUPING(n) FROM (SELECT orders AS n FROM orders GROUP BY ()) t GROUP BY ()',
      'n',
      /GROUPING takes a key/,
    ],
    ['SELECT id FROM orders WHERE GROUPING(id) = 1', 'GROUPING', /GROUPING is not allowed in WHERE/],
    ['SELECT SUM(GROUPING(id)) FROM orders GROUP BY CUBE(id)', 'GROUPING', /not allowed inside another one/],
    ['SELECT id FROM orders GROUP BY ROLLUP(status)', 'id', /column `id` must be in GROUP BY/],
    ['SELECT status, revenue FROM orders GROUP BY GROUPING SETS (())', 'status', /must be in GROUP BY/],
    ['SELECT status FROM orders GROUP BY CUBE(status, revenue)', 'revenue', /a measure that is not selected/],
    ['SELECT SUM(amount) FROM orders GROUP BY ROLLUP(1)', 'SUM', /GROUP BY cannot contain a measure/],
    [`SELECT orders FROM orders GROUP BY CUBE(${TWELVE})`, 'CUBE', /more than 1,000 levels/],
    [
      `SELECT orders FROM orders GROUP BY CUBE(id, status, amount, weight, ordered_on, id + 1), CUBE(id, id + 2, id + 3, id + 4)`,
      'CUBE',
      /more than 1,000 levels/,
    ],
    [
      `SELECT orders FROM orders GROUP BY GROUPING SETS (${Array(1001).fill('()').join(', ')})`,
      'GROUPING',
      /more than 1,000 levels/,
    ],
  ])('are refused: %.90s', (text, marked, message) => {
    const [place, said] = refuse(text);
    expect(said).toMatch(message);
    expect(place).toBe(marked);
  });

  it('warn about sums over the rows of several levels', () => {
    const { warnings } = answer(
      'SELECT SUM(r) FROM (SELECT status, revenue AS r FROM orders GROUP BY ROLLUP(status)) t',
    );
    expect(warnings).toEqual([
      'SUM of `orders.revenue` adds finished groups: rows that are in several groups count several times.',
    ]);
  });
});
