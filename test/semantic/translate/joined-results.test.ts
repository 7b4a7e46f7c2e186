import { beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../../../src/semantic/syntax/semantic-sql-error.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { rotateTo } from '../../support/rotation.ts';
import { createRandom } from '../oracle/random.ts';
import { createShop } from '../shop.ts';
import { hasPlatform, RUNS, type Simple, shareShop } from '../shop-database.ts';
import { createJoinCase } from './random-joins.ts';

const STATEMENTS = Number(process.env.QUERN_JOINS ?? 120);

let parse: ParseStatements;
beforeAll(async () => {
  parse = await prepareParser();
});

const PER_STATUS = '(SELECT status AS k, revenue AS r, orders AS n FROM orders GROUP BY 1) t';
const PER_STATUS_NATIVE =
  '(SELECT status AS k, SUM(amount) AS r, COUNT(*) AS n FROM shop.orders GROUP BY status) t';
const ORDERS = 'shop.orders o LEFT JOIN shop.customers c ON o.customer_id = c.id';
const SAME = '(o.status = t.k OR (o.status IS NULL AND t.k IS NULL))';

/** Statements, and SQL over the tables that gives the same rows. */
const CASES: readonly (readonly [title: string, text: string, native: string])[] = [
  [
    'columns of the result as keys, in aggregates, HAVING and ORDER BY',
    `SELECT o.status, t.r, SUM(t.r) AS s, COUNT(*) AS n, MAX(t.n + o.amount) AS m
      FROM orders o JOIN ${PER_STATUS} ON o.status = t.k GROUP BY 1, 2 HAVING SUM(t.r) > 40 ORDER BY t.r`,
    `SELECT o.status, t.r, SUM(t.r), COUNT(*), MAX(t.n + o.amount)
      FROM shop.orders o JOIN ${PER_STATUS_NATIVE} ON o.status = t.k GROUP BY o.status, t.r HAVING SUM(t.r) > 40`,
  ],
  [
    'NULL keys, which = never joins',
    `SELECT o.id, t.n FROM orders o JOIN ${PER_STATUS} ON o.status = t.k`,
    `SELECT o.id, t.n FROM shop.orders o JOIN ${PER_STATUS_NATIVE} ON o.status = t.k`,
  ],
  [
    'NULL keys, which IS NOT DISTINCT FROM joins',
    `SELECT o.id, t.n, t.k FROM orders o JOIN ${PER_STATUS} ON o.status IS NOT DISTINCT FROM t.k`,
    `SELECT o.id, t.n, t.k FROM shop.orders o JOIN ${PER_STATUS_NATIVE} ON ${SAME}`,
  ],
  [
    'the sides of a join in the other order',
    `SELECT COUNT(*) AS n FROM ${PER_STATUS} JOIN orders ON t.k = status`,
    `SELECT COUNT(*) FROM shop.orders o JOIN ${PER_STATUS_NATIVE} ON o.status = t.k`,
  ],
  [
    'a result of WITH that is limited',
    `WITH top AS (SELECT status, SUM(revenue) AS r FROM orders GROUP BY 1 ORDER BY r DESC LIMIT 1)
      SELECT ordered_on_month AS m, orders.status, revenue FROM orders JOIN top ON orders.status = top.status`,
    `SELECT DATE '2024-01-01', 'paid', 10.10 UNION ALL SELECT DATE '2024-02-01', 'paid', 20.20
      UNION ALL SELECT DATE '2024-03-01', 'paid', 40.40`,
  ],
  [
    'several keys of different entities, one of them computed',
    `SELECT o.id, t.n FROM orders o
      JOIN (SELECT EXTRACT(YEAR FROM ordered_on) AS y, region, orders AS n FROM orders, customers GROUP BY 1, 2) t
      ON EXTRACT(YEAR FROM o.ordered_on) = t.y AND "customers.region" = t.region`,
    `SELECT o.id, t.n FROM ${ORDERS} JOIN (SELECT EXTRACT(YEAR FROM o.ordered_on) AS y, c.region, COUNT(*) AS n
      FROM ${ORDERS} GROUP BY EXTRACT(YEAR FROM o.ordered_on), c.region) t
      ON EXTRACT(YEAR FROM o.ordered_on) = t.y AND c.region = t.region`,
  ],
  [
    'other conditions in ON, which filter rows',
    `SELECT o.id FROM orders o JOIN ${PER_STATUS} ON o.status = t.k AND t.r > 40 AND o.amount > 15`,
    `SELECT o.id FROM shop.orders o JOIN ${PER_STATUS_NATIVE} ON o.status = t.k AND t.r > 40 AND o.amount > 15`,
  ],
  [
    'two results',
    `SELECT o.id, t.r, u.c FROM orders o JOIN ${PER_STATUS} ON o.status = t.k
      JOIN (SELECT id, COUNT(*) AS c FROM customers GROUP BY 1) u ON o.id = u.id`,
    `SELECT o.id, t.r, u.c FROM shop.orders o JOIN ${PER_STATUS_NATIVE} ON o.status = t.k
      JOIN (SELECT id, COUNT(*) AS c FROM shop.customers GROUP BY id) u ON o.id = u.id`,
  ],
  [
    'a result that is joined with another one',
    `SELECT o.id, u.x FROM orders o JOIN ${PER_STATUS} ON o.status = t.k
      JOIN (SELECT orders AS x, status AS s FROM orders GROUP BY status) u ON t.k = u.s`,
    `SELECT o.id, u.x FROM shop.orders o JOIN ${PER_STATUS_NATIVE} ON o.status = t.k
      JOIN (SELECT COUNT(*) AS x, status AS s FROM shop.orders GROUP BY status) u ON t.k = u.s`,
  ],
  [
    'a measure of an entity behind many rows',
    `SELECT customers FROM customers, orders o JOIN ${PER_STATUS} ON o.status = t.k WHERE t.r > 40`,
    `SELECT COUNT(*) FROM shop.customers c WHERE EXISTS (SELECT 1 FROM shop.orders o
      JOIN ${PER_STATUS_NATIVE} ON o.status = t.k WHERE o.customer_id = c.id AND t.r > 40)`,
  ],
  [
    'measures of two entities by a column of the result',
    `SELECT t.r, customers, revenue, units FROM customers, order_items, orders o
      JOIN ${PER_STATUS} ON o.status IS NOT DISTINCT FROM t.k GROUP BY 1`,
    `SELECT t.r, (SELECT COUNT(DISTINCT c.id) FROM shop.customers c JOIN shop.orders o ON o.customer_id = c.id WHERE ${SAME}),
      (SELECT SUM(o.amount) FROM shop.orders o WHERE ${SAME}),
      (SELECT SUM(i.qty) FROM shop.order_items i JOIN shop.orders o ON i.order_id = o.id WHERE ${SAME})
      FROM ${PER_STATUS_NATIVE}`,
  ],
  [
    'an absent entity, whose NULL matches no key that is NULL',
    `SELECT units FROM order_items, orders o JOIN ${PER_STATUS} ON o.status IS NOT DISTINCT FROM t.k`,
    `SELECT SUM(i.qty) FROM shop.order_items i JOIN shop.orders o ON i.order_id = o.id`,
  ],
  [
    'rows of the entity without a row of the compared entity',
    `SELECT o.id, t.n FROM orders o JOIN (SELECT region, orders AS n FROM orders, customers GROUP BY 1) t
      ON "customers.region" IS NOT DISTINCT FROM t.region WHERE "customers.region" = 'north' OR t.n > 1`,
    `SELECT o.id, 3 FROM ${ORDERS} WHERE c.region = 'north' UNION ALL SELECT o.id, 2 FROM ${ORDERS} WHERE c.region IS NULL`,
  ],
  [
    'median and custom measures',
    `SELECT t.n, median_amount, paid_aov FROM orders o JOIN ${PER_STATUS} ON o.status = t.k GROUP BY 1`,
    'SELECT 2, 17.65, NULL UNION ALL SELECT 3, 20.20, (10.10 + 20.20 + 40.40) / 3',
  ],
  [
    'levels',
    `SELECT o.status, t.n, COUNT(*) AS c FROM orders o JOIN ${PER_STATUS} ON o.status = t.k
      GROUP BY ROLLUP (o.status, t.n)`,
    `SELECT o.status, t.n, COUNT(*) FROM shop.orders o JOIN ${PER_STATUS_NATIVE} ON o.status = t.k GROUP BY o.status, t.n
      UNION ALL SELECT status, NULL, COUNT(*) FROM shop.orders WHERE status IS NOT NULL GROUP BY status
      UNION ALL SELECT NULL, NULL, COUNT(*) FROM shop.orders WHERE status IS NOT NULL`,
  ],
  [
    'distinct combinations without a measure',
    `SELECT DISTINCT t.n FROM orders o JOIN ${PER_STATUS} ON o.status = t.k`,
    `SELECT DISTINCT t.n FROM shop.orders o JOIN ${PER_STATUS_NATIVE} ON o.status = t.k`,
  ],
  [
    'a row test',
    `SELECT 1 AS one FROM orders o JOIN ${PER_STATUS} ON o.status = t.k AND t.r > 1000`,
    'SELECT 1 FROM shop.orders o WHERE 1 = 0',
  ],
  [
    'a sub-query that is inlined',
    `SELECT k, SUM(revenue) AS s FROM (SELECT t.k, o.revenue FROM orders o JOIN ${PER_STATUS} ON o.status = t.k) x
      GROUP BY 1`,
    'SELECT status, SUM(amount) FROM shop.orders WHERE status IS NOT NULL GROUP BY status',
  ],
  [
    'a plain sub-query, which is grouped',
    `SELECT o.id, t.revenue FROM orders o JOIN (SELECT status, revenue FROM orders) t ON o.status = t.status`,
    `SELECT o.id, t.r FROM shop.orders o JOIN ${PER_STATUS_NATIVE} ON o.status = t.k`,
  ],
  [
    'keys of a DISTINCT, of a UNION and of a result over a result',
    `SELECT o.id, u.n FROM orders o JOIN (SELECT DISTINCT status AS k FROM ${PER_STATUS.replace(') t', ') z').replace('AS k', 'AS status')}) t
      ON o.status = t.k JOIN (SELECT k, n FROM ${PER_STATUS} WHERE n > 2) u ON u.k = o.status
      JOIN (SELECT id AS i FROM orders UNION SELECT id FROM customers) v ON v.i = o.id`,
    "SELECT id, 3 FROM shop.orders WHERE status = 'paid'",
  ],
  [
    'a date beside a grain',
    `SELECT o.id, t.n FROM orders o JOIN (SELECT DATE_TRUNC('month', ordered_on) AS m, COUNT(*) AS n FROM orders GROUP BY 1) t
      ON o.ordered_on_month = t.m`,
    `SELECT o.id, t.n FROM shop.orders o JOIN (SELECT EXTRACT(MONTH FROM ordered_on) AS m, COUNT(*) AS n
      FROM shop.orders GROUP BY EXTRACT(MONTH FROM ordered_on)) t ON EXTRACT(MONTH FROM o.ordered_on) = t.m`,
  ],
];

const sort = (rows: readonly (readonly Simple[])[]) =>
  rows
    .map((row) =>
      JSON.stringify(row.map((value) => (typeof value === 'number' ? Number(value.toFixed(6)) : value))),
    )
    .sort();

describe.each(RUNS.slice(0, 3))('an entity joined with a result on %s', (platform, engine) => {
  const model = createShop({ platform });
  const asked = { model, index: createModelIndex(model) };
  const shop = shareShop(engine);

  it.runIf(hasPlatform(engine)).each(CASES)(
    'has the rows of the database for %s',
    async (_, text, native) => {
      const [answer] = answerStatements(asked, parse(text), { strict: false });
      const found = await shop.run(answer!.sql);
      expect(sort(found)).toEqual(sort(await shop.run(native)));
    },
  );

  it.runIf(hasPlatform(engine))(
    'has the rows of the database for random results, keys and measures',
    async () => {
      for (const number of rotateTo(STATEMENTS)) {
        const { semantic, native } = createJoinCase(createRandom(number));
        const [answer] = answerStatements(asked, parse(semantic), { strict: false });
        expect(sort(await shop.run(answer!.sql)), semantic).toEqual(sort(await shop.run(native)));
      }
    },
  );
});

describe('refused joins of an entity with a result', () => {
  const asked = { model: createShop({}), index: createModelIndex(createShop({})) };

  it.each<readonly [text: string, marked: string, message: RegExp]>([
    [
      'SELECT revenue FROM orders o JOIN (SELECT status AS s, id AS i FROM orders GROUP BY 1, 2) t ON o.status = t.s',
      'status AS s',
      /ON must compare each key of the result `t` with a column of an entity, .*: `i` is missing/,
    ],
    [
      `SELECT COUNT(t.*) FROM orders o JOIN ${PER_STATUS} ON o.status = t.k`,
      't',
      /rows of a result that is joined with an entity cannot be counted: write `COUNT\(o\.\*\)`/,
    ],
    [
      `SELECT revenue FROM orders o LEFT JOIN ${PER_STATUS} ON o.status = t.k`,
      '=',
      /LEFT JOIN of an entity with a result is not supported/,
    ],
  ])('%s', (text, marked, message) => {
    const error = refuse(text);
    expect(error.message).toMatch(message);
    expect(text.slice(error.span.start, error.span.end)).toContain(marked);
  });

  it.each([
    [`FROM orders o RIGHT JOIN ${PER_STATUS} ON o.status = t.k`, /RIGHT JOIN/],
    [`FROM orders o FULL JOIN ${PER_STATUS} ON o.status = t.k`, /FULL JOIN/],
    ['FROM orders o JOIN (SELECT status, revenue AS r FROM orders GROUP BY 1) t USING (status)', /USING/],
    [
      'FROM orders o JOIN (SELECT status, id, revenue FROM orders) t ON o.status = t.status',
      /`id` is missing; the sub-query `t` is a result here, as with GROUP BY `status`, `id`$/,
    ],
    [`FROM orders o, ${PER_STATUS}`, /`k` is missing/],
    [`FROM orders o JOIN ${PER_STATUS} ON o.status < t.k`, /`k` is missing/],
    [`FROM orders o JOIN ${PER_STATUS} ON o.status || 'x' = t.k || 'x'`, /`k` is missing/],
    [`FROM orders o JOIN ${PER_STATUS} ON o.status = t.k OR o.id = 1`, /`k` is missing/],
    [`FROM orders o JOIN ${PER_STATUS} ON t.k = 'paid'`, /the same row for all rows/],
    ['FROM orders o CROSS JOIN (SELECT SUM(revenue) AS total FROM orders) t', /the same row for all rows/],
    [
      'FROM orders o JOIN (SELECT revenue AS r FROM orders GROUP BY status) t ON o.amount = t.r',
      /all its keys in SELECT/,
    ],
    [
      'FROM orders o JOIN (SELECT status AS k, COUNT(*) AS n FROM orders GROUP BY ROLLUP (1)) t ON o.status = t.k',
      /can have several rows/,
    ],
    [
      'FROM orders o JOIN (SELECT status AS k FROM orders GROUP BY 1 UNION ALL SELECT region FROM customers) t ON o.status = t.k',
      /can have several rows/,
    ],
    ["FROM orders o JOIN (VALUES ('paid'), ('open')) t (k) ON o.status = t.k", /can have several rows/],
    [
      `FROM orders o JOIN (SELECT a.k FROM ${PER_STATUS.replace(') t', ') a')}, (SELECT id FROM orders) b) t ON o.status = t.k`,
      /can have several rows/,
    ],
    ['FROM orders o JOIN customers c ON o.id = c.id', /between entities is not supported/],
    [`FROM orders o JOIN ${PER_STATUS} ON o.status = t.k AND o.amount`, /ON takes a condition/],
    [
      'FROM orders o JOIN (SELECT weight AS k FROM orders GROUP BY 1) t ON o.weight = t.k AND t.nothing = 1',
      /no column `nothing`/,
    ],
    ['FROM orders o JOIN (SELECT id AS k FROM orders GROUP BY 1) t ON o.weight = t.k', /`k` is missing/],
  ])('%s', (from, message) => {
    expect(refuse(`SELECT COUNT(*) AS n ${from}`).message).toMatch(message);
  });

  function refuse(text: string): SemanticSqlError {
    try {
      answerStatements(asked, parse(text), { strict: false });
    } catch (error) {
      if (error instanceof SemanticSqlError) return error;
      throw error;
    }
    throw new Error('not refused');
  }
});
