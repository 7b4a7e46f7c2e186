import { beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createShop } from '../shop.ts';
import { hasPlatform, shareShop } from '../shop-database.ts';

let parse: ParseStatements;
beforeAll(async () => {
  parse = await prepareParser();
});

const T = 'WITH t AS (SELECT status, revenue FROM orders)';
const G = 'WITH t AS (SELECT status, revenue FROM orders GROUP BY 1)';
const TU = `${T}, u AS (SELECT region, customers FROM customers)`;
const GU = `${G}, u AS (SELECT region, customers FROM customers GROUP BY 1)`;

/** Statements over plain sub-queries, and the same with GROUP BY in the sub-query. */
const PAIRS: readonly (readonly [text: string, grouped: string])[] = [
  [`${TU} SELECT * FROM t, u ORDER BY 1, 3`, `${GU} SELECT * FROM t, u ORDER BY 1, 3`],
  [
    `${TU} SELECT t.status, u.region FROM t CROSS JOIN u WHERE t.revenue > u.customers ORDER BY 1, 2`,
    `${GU} SELECT t.status, u.region FROM t CROSS JOIN u WHERE t.revenue > u.customers ORDER BY 1, 2`,
  ],
  [
    `${TU} SELECT status FROM t JOIN u ON t.status <> u.region ORDER BY 1`,
    `${GU} SELECT status FROM t JOIN u ON t.status <> u.region ORDER BY 1`,
  ],
  [
    `${T} SELECT * FROM t WHERE revenue > 10 ORDER BY 1`,
    `${G} SELECT * FROM t WHERE revenue > 10 ORDER BY 1`,
  ],
  [`${T} SELECT MAX(revenue) AS m FROM t`, `${G} SELECT MAX(revenue) AS m FROM t`],
  [
    `${T} SELECT AVG(t.revenue) AS m, COUNT(*) AS n FROM t`,
    `${G} SELECT AVG(t.revenue) AS m, COUNT(*) AS n FROM t`,
  ],
  [
    `${T} SELECT SUM(revenue) FILTER (WHERE status = 'paid') AS m FROM t`,
    `${G} SELECT SUM(revenue) FILTER (WHERE status = 'paid') AS m FROM t`,
  ],
  [
    `${T} SELECT status FROM t GROUP BY status HAVING MIN(revenue) > 10 ORDER BY MAX(revenue)`,
    `${G} SELECT status FROM t GROUP BY status HAVING MIN(revenue) > 10 ORDER BY MAX(revenue)`,
  ],
  [
    'SELECT COUNT(*) AS n FROM (SELECT * FROM (SELECT status, revenue FROM orders) i WHERE revenue > 10) t',
    'SELECT COUNT(*) AS n FROM (SELECT * FROM (SELECT status, revenue FROM orders GROUP BY 1) i WHERE revenue > 10) t',
  ],
];

/** Statements that look through the sub-query: the measure is computed over the entities. */
const THROUGH: readonly (readonly [text: string, direct: string])[] = [
  [`${T} SELECT SUM(revenue) AS r FROM t`, 'SELECT SUM(revenue) AS r FROM orders'],
  [
    `${T} SELECT SUM(CAST(revenue AS decimal)) AS r, SUM(t.revenue * 2) AS s FROM t`,
    'SELECT MEASURE(revenue) AS r, MEASURE(revenue) * 2 AS s FROM orders',
  ],
  [`${T} SELECT status, revenue FROM t ORDER BY 1`, 'SELECT status, revenue FROM orders ORDER BY 1'],
  [
    `${T} SELECT region, SUM(revenue) AS r FROM t, customers GROUP BY 1 ORDER BY 1`,
    'SELECT region, SUM(revenue) AS r FROM orders, customers GROUP BY 1 ORDER BY 1',
  ],
  [
    `${T} SELECT status, MEASURE(revenue) AS r FROM t WHERE status <> 'paid' GROUP BY 1 HAVING SUM(revenue) > 0 ORDER BY 1`,
    "SELECT status, revenue AS r FROM orders WHERE status <> 'paid' GROUP BY 1 HAVING revenue > 0 ORDER BY 1",
  ],
];

describe.each(['duckdb', 'postgresql'] as const)('sub-queries of plain columns on %s', (platform) => {
  const model = createShop({ platform });
  const asked = { model, index: createModelIndex(model) };
  const shop = shareShop(platform);
  const compile = (text: string) => answerStatements(asked, parse(text), { strict: false })[0]!.sql;

  it.runIf(hasPlatform(platform)).each(PAIRS)('%s', async (text, grouped) => {
    const rows = await shop.run(compile(text));
    expect(rows).toEqual(await shop.run(compile(grouped)));
    expect(rows).not.toEqual([]);
  });

  it.runIf(hasPlatform(platform)).each(THROUGH)('%s', (text, direct) => {
    expect(compile(text)).toBe(compile(direct));
  });
});
