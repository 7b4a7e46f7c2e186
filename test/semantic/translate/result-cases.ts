const PER_STATUS = '(SELECT status, revenue, orders FROM orders GROUP BY 1)';
const PER_ORDER = '(SELECT status, id, revenue FROM orders GROUP BY 1, 2)';
const TOP_REGION = '(SELECT customers.region FROM orders ORDER BY revenue DESC, 1 LIMIT 1)';

type Case = readonly [text: string, rows: readonly (readonly unknown[])[]];

const WITHOUT_ENTITIES: readonly Case[] = [
  ['SELECT 1', [[1]]],
  ["SELECT 1 AS a, 'x' || 'y' AS b, NULL AS c", [[1, 'xy', null]]],
  [
    "VALUES (1, 'a'), (2, NULL) ORDER BY 1 DESC",
    [
      [2, null],
      [1, 'a'],
    ],
  ],
  ["SELECT t, n + 1 FROM (VALUES (1, 'a'), (2, 'b')) v (n, t) WHERE n > 1", [['b', 3]]],
  [
    "SELECT 1 AS n, NULL AS x UNION ALL SELECT 2.5, 'a' ORDER BY n",
    [
      [1, null],
      [2.5, 'a'],
    ],
  ],
  ['SELECT 1 FROM orders', [[1]]],
  ["SELECT 1 FROM orders WHERE status = 'paid'", [[1]]],
  ["SELECT 1 FROM orders WHERE status = 'nothing'", []],
];

const SUMMED: readonly Case[] = [
  ['SELECT SUM(customers) FROM orders, customers WHERE orders.id < 6', [[3]]],
  [
    'SELECT SUM(customers) FROM (SELECT orders.id, customers FROM orders, customers WHERE orders.id < 6) t',
    [[3]],
  ],
  [
    'SELECT SUM(customers) FROM (SELECT orders.id, customers FROM orders, customers WHERE orders.id < 6 GROUP BY 1) t',
    [[4]],
  ],
];

const LOOKED_THROUGH: readonly Case[] = [
  [
    'SELECT region, SUM(revenue) FROM (SELECT * FROM orders, customers) t GROUP BY 1 ORDER BY 1',
    [
      ['north', 60.6],
      ['south', 40.4],
      [null, 5],
    ],
  ],
  [
    "SELECT status, SUM(revenue) FROM (SELECT * FROM orders WHERE id > 1) t WHERE status <> 'x' GROUP BY 1 ORDER BY 1",
    [
      ['open', 35.3],
      ['paid', 60.6],
    ],
  ],
  ['SELECT COUNT(*), COUNT(t.*) FROM (SELECT region FROM customers) t', [[5, 5]]],
  [
    'SELECT t.s, n FROM (SELECT status AS s, orders AS n FROM orders) t ORDER BY 1',
    [
      ['open', 2],
      ['paid', 3],
      [null, 1],
    ],
  ],
  [
    'SELECT s, n FROM (SELECT s, n FROM (SELECT status AS s, orders AS n FROM orders) t) u WHERE s IS NOT NULL ORDER BY 1',
    [
      ['open', 2],
      ['paid', 3],
    ],
  ],
  [
    'SELECT a, b FROM (SELECT status, revenue FROM orders) t (a, b) WHERE a IS NOT NULL ORDER BY b',
    [
      ['open', 35.3],
      ['paid', 70.7],
    ],
  ],
  [
    'WITH o AS (SELECT id, status, revenue FROM orders WHERE id > 1), p AS (SELECT * FROM o WHERE id < 6) SELECT status, revenue FROM p WHERE status IS NOT NULL ORDER BY 1',
    [
      ['open', 35.3],
      ['paid', 60.6],
    ],
  ],
  [
    'SELECT "source"."customers.region", SUM("source".revenue) FROM (SELECT "customers.region", revenue FROM orders) "source" GROUP BY 1 ORDER BY 1',
    [
      ['north', 60.6],
      ['south', 40.4],
      [null, 5],
    ],
  ],
];

const RESULTS: readonly Case[] = [
  [
    'WITH g AS (SELECT status, revenue FROM orders GROUP BY 1) SELECT status, revenue * 2 AS d FROM g ORDER BY 1',
    [
      ['open', 70.6],
      ['paid', 141.4],
      [null, null],
    ],
  ],
  [
    'WITH g (a, b) AS (SELECT status, revenue FROM orders GROUP BY 1) SELECT a, b FROM g ORDER BY b DESC',
    [
      ['paid', 70.7],
      ['open', 35.3],
      [null, null],
    ],
  ],
  [
    'WITH a AS (SELECT status, revenue FROM orders GROUP BY 1), b AS (SELECT MAX(revenue) AS m FROM a) SELECT status FROM a, b WHERE revenue = m',
    [['paid']],
  ],
  ['WITH orders AS (SELECT 1 AS id) SELECT id FROM orders', [[1]]],
  [
    `SELECT COUNT(*), SUM(revenue), AVG(orders), MEDIAN(revenue), MIN(status), MAX(status) FROM ${PER_STATUS} t`,
    [[3, 106, 2, 53, 'open', 'paid']],
  ],
  [
    `SELECT UPPER(status) u, COUNT(*), SUM(revenue) FILTER (WHERE revenue > 30) FROM ${PER_ORDER} t GROUP BY UPPER(status) HAVING COUNT(*) > 1 ORDER BY u`,
    [
      ['OPEN', 2, 30.3],
      ['PAID', 3, 40.4],
    ],
  ],
  [`SELECT DISTINCT status FROM ${PER_ORDER} t ORDER BY status DESC`, [['paid'], ['open'], [null]]],
  [
    `SELECT status AS s, COUNT(DISTINCT id) + 1 FROM ${PER_ORDER} t GROUP BY s ORDER BY 2 DESC, s`,
    [
      ['paid', 4],
      ['open', 3],
      [null, 2],
    ],
  ],
  [`SELECT COUNT(*) FROM ${PER_ORDER} t HAVING COUNT(*) > 100`, []],
  [`SELECT 1 FROM ${PER_ORDER} t HAVING TRUE`, [[1]]],
  [
    `SELECT status, id FROM ${PER_ORDER} t ORDER BY id DESC LIMIT 2 OFFSET 1`,
    [
      ['open', 5],
      ['paid', 4],
    ],
  ],
  [`SELECT id FROM ${PER_ORDER} t ORDER BY revenue DESC, id OFFSET 4`, [[5], [6]]],
  [
    `SELECT t.* FROM (SELECT status, orders FROM orders GROUP BY 1) t ORDER BY 1`,
    [
      ['open', 2],
      ['paid', 3],
      [null, 1],
    ],
  ],
];

const DISTINCT: readonly Case[] = [
  ['SELECT DISTINCT status FROM orders GROUP BY status, id ORDER BY 1 DESC', [['paid'], ['open'], [null]]],
  ['SELECT DISTINCT COUNT(*) OVER () FROM orders GROUP BY status', [[3]]],
];

const JOINS: readonly Case[] = [
  [
    `SELECT a.status, a.revenue, b.orders FROM ${PER_STATUS} a JOIN ${PER_STATUS} b ON a.status = b.status ORDER BY 1`,
    [
      ['open', 35.3, 2],
      ['paid', 70.7, 3],
    ],
  ],
  [
    `SELECT status, a.revenue, b.orders FROM ${PER_STATUS} a LEFT JOIN ${PER_STATUS} b USING (status) ORDER BY 1`,
    [
      ['open', 35.3, 2],
      ['paid', 70.7, 3],
      [null, null, null],
    ],
  ],
  [
    `SELECT * FROM (SELECT 'open' AS status, 1 AS x) a RIGHT JOIN (SELECT status, orders FROM orders GROUP BY 1) b USING (status) ORDER BY 1`,
    [
      ['open', 1, 2],
      ['paid', null, 3],
      [null, null, 1],
    ],
  ],
  [
    `SELECT a.status, n FROM ${PER_STATUS} a CROSS JOIN (VALUES (1), (2)) v (n) WHERE a.status = 'open' ORDER BY n`,
    [
      ['open', 1],
      ['open', 2],
    ],
  ],
];

const SETS: readonly Case[] = [
  [
    'SELECT status FROM orders UNION SELECT city FROM stores ORDER BY 1',
    [['Berlin'], ['Bern'], ['open'], ['paid'], [null]],
  ],
  [
    'SELECT status FROM orders UNION ALL SELECT status FROM orders ORDER BY 1',
    [['open'], ['open'], ['paid'], ['paid'], [null], [null]],
  ],
  ["SELECT status FROM orders INTERSECT SELECT 'paid'", [['paid']]],
  ["SELECT status FROM orders EXCEPT SELECT 'paid' ORDER BY status", [['open'], [null]]],
  // Two keys stay two groups, even if the other side has the type FLOAT, which has one value for both.
  [
    'SELECT 9007199254740992 + id % 2 AS big, COUNT(*) AS n FROM orders WHERE id < 4 GROUP BY 1 UNION ALL SELECT CAST(1 AS FLOAT), 0 ORDER BY 2',
    [
      [1, 0],
      [9007199254740992, 1],
      [9007199254740992, 2],
    ],
  ],
  [
    "(SELECT status FROM orders UNION ALL SELECT 'paid') EXCEPT ALL SELECT 'paid' ORDER BY 1",
    [['open'], ['paid'], [null]],
  ],
  ["SELECT 'a' UNION SELECT 'A' UNION SELECT 'a ' UNION SELECT 'a' ORDER BY 1", [['A'], ['a'], ['a ']]],
  [
    '(SELECT status, revenue FROM orders ORDER BY revenue DESC LIMIT 1) UNION ALL SELECT NULL, 5 ORDER BY 2',
    [
      [null, 5],
      ['paid', 70.7],
    ],
  ],
];

const SUB_QUERIES: readonly Case[] = [
  [
    `SELECT status, revenue FROM orders WHERE customers.region IN ${TOP_REGION} ORDER BY 1`,
    [
      ['open', 30.3],
      ['paid', 30.3],
    ],
  ],
  [
    `SELECT status, revenue FROM orders WHERE id IN (SELECT id FROM orders ORDER BY id LIMIT 2) ORDER BY 1`,
    [['paid', 30.3]],
  ],
  [
    "SELECT CASE WHEN status IN (SELECT status FROM orders ORDER BY revenue DESC LIMIT 1) THEN status ELSE 'Other' END AS s, revenue FROM orders GROUP BY 1 ORDER BY 1",
    [
      ['Other', 35.3],
      ['paid', 70.7],
    ],
  ],
  [`SELECT revenue, returns FROM orders, returns WHERE customers.region IN ${TOP_REGION}`, [[60.6, 3]]],
  ['SELECT (SELECT revenue FROM orders) AS r, name FROM customers WHERE id = 1', [[106, 'Anna']]],
  [
    'SELECT status, revenue / (SELECT revenue FROM orders) > 0.5 AS most FROM orders WHERE status IS NOT NULL ORDER BY 1',
    [
      ['open', false],
      ['paid', true],
    ],
  ],
  [
    "SELECT status FROM orders WHERE EXISTS (SELECT 1 FROM customers WHERE region = 'north') ORDER BY 1",
    [['open'], ['paid'], [null]],
  ],
  ["SELECT status FROM orders WHERE EXISTS (SELECT 1 FROM customers WHERE region = 'nowhere')", []],
  [
    "SELECT name FROM customers WHERE region NOT IN (SELECT region FROM customers WHERE region = 'north') ORDER BY 1",
    [['100%_!'], ['Çelik']],
  ],
  [
    'SELECT status, revenue FROM orders HAVING revenue > (SELECT AVG(revenue) * 2 FROM (SELECT id, revenue FROM orders GROUP BY 1) t) ORDER BY 1',
    [['paid', 70.7]],
  ],
];

const WINDOWS: readonly Case[] = [
  [
    'SELECT status, revenue, SUM(revenue) OVER () AS total FROM orders ORDER BY 1',
    [
      ['open', 35.3, 106],
      ['paid', 70.7, 106],
      [null, null, 106],
    ],
  ],
  [
    'SELECT status, RANK() OVER (ORDER BY revenue DESC) AS r FROM orders ORDER BY r',
    [
      ['paid', 1],
      ['open', 2],
      [null, 3],
    ],
  ],
  [
    'SELECT status, SUM(SUM(revenue)) OVER (ORDER BY status) AS running FROM orders GROUP BY status ORDER BY 1',
    [
      ['open', 35.3],
      ['paid', 106],
      [null, 106],
    ],
  ],
  [
    'SELECT id, AVG(orders) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) m, SUM(orders) OVER (ORDER BY id ROWS 2 PRECEDING) s FROM orders WHERE id < 4 ORDER BY id',
    [
      [1, 1, 1],
      [2, 1, 2],
      [3, 1, 3],
    ],
  ],
  [
    'SELECT id, LAG(id) OVER (ORDER BY id) p, LEAD(id, 2) OVER (ORDER BY id) n FROM orders WHERE id < 4 ORDER BY id',
    [
      [1, null, 3],
      [2, 1, null],
      [3, 2, null],
    ],
  ],
  [
    'SELECT region, status FROM (SELECT customers.region, status, ROW_NUMBER() OVER (PARTITION BY customers.region ORDER BY revenue DESC, status) AS n FROM orders) t WHERE n = 1 ORDER BY region',
    [
      ['north', 'open'],
      ['south', 'paid'],
      [null, 'open'],
    ],
  ],
  [
    'SELECT status, NTILE(2) OVER w AS half, FIRST_VALUE(status) OVER w AS f, LAST_VALUE(status) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) l FROM orders WINDOW w AS (ORDER BY status) ORDER BY 1',
    [
      ['open', 1, 'open', null],
      ['paid', 1, 'open', null],
      [null, 2, 'open', null],
    ],
  ],
  [
    `SELECT id, COUNT(*) FILTER (WHERE revenue > 10) OVER () n, COUNT(*) OVER (PARTITION BY status) c, DENSE_RANK() OVER (ORDER BY status) d FROM ${PER_ORDER} t ORDER BY id LIMIT 2`,
    [
      [1, 4, 3, 2],
      [2, 4, 3, 2],
    ],
  ],
  [`SELECT id FROM ${PER_ORDER} t ORDER BY ROW_NUMBER() OVER (ORDER BY id DESC) LIMIT 2`, [[6], [5]]],
];

const CONSTANTS_IN_WINDOWS: readonly Case[] = [
  [
    "SELECT status, LAG('x') OVER (PARTITION BY 1 ORDER BY status) FROM orders ORDER BY 1",
    [
      ['open', null],
      ['paid', 'x'],
      [null, 'x'],
    ],
  ],
];

const DESCRIPTIONS: readonly Case[] = [
  [
    "SELECT table_name, kind FROM information_schema.tables WHERE table_name LIKE 'o%' ORDER BY 1",
    [
      ['order_items', 'entity'],
      ['orders', 'entity'],
    ],
  ],
  [
    "SELECT column_name, data_type, kind, path FROM information_schema.columns WHERE table_name = 'returns' ORDER BY ordinal_position LIMIT 4",
    [
      ['reason', 'text', 'dimension', null],
      ['returns', 'bigint', 'measure', null],
      ['refunds', 'numeric', 'measure', null],
      ['customers.id', 'bigint', 'dimension', 'customers'],
    ],
  ],
  [
    'SHOW FIELDS FROM stores',
    [
      ['stores', 'city', 'dimension', 'TEXT', null, null],
      ['stores', 'store', 'dimension', 'TEXT', null, null],
      ['stores', 'stores', 'measure', 'INTEGER', null, null],
    ],
  ],
  ['SELECT COUNT(*) FROM information_schema.columns', [[94]]],
];

/** Statements over results, and their rows on every engine. */
export const RESULT_CASES: readonly (readonly [string, readonly Case[]])[] = [
  ['statements without entities', WITHOUT_ENTITIES],
  ['sub-queries that are looked through', LOOKED_THROUGH],
  ['measures that are summed, and groups', SUMMED],
  ['results', RESULTS],
  ['rows that are distinct', DISTINCT],
  ['joins of results', JOINS],
  ['set operations', SETS],
  ['sub-queries in expressions', SUB_QUERIES],
  ['window functions', [...WINDOWS, ...CONSTANTS_IN_WINDOWS]],
  ['descriptions of the model', DESCRIPTIONS],
];
