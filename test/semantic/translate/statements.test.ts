import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../../../src/semantic/syntax/semantic-sql-error.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createShop } from '../shop.ts';
import { openShop, type ShopDatabase } from '../shop-database.ts';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/semantic/statements');
const CASES = readdirSync(folder).flatMap((file) => /^(.+)\.txt$/.exec(file)?.[1] ?? []);
const model = createShop({});
const asked = { model, index: createModelIndex(model) };

let parse: ParseStatements;
let shop: ShopDatabase;
beforeAll(async () => {
  parse = await prepareParser();
  shop = await openShop('duckdb');
});
afterAll(() => shop.close());

function answer(text: string): string {
  return answerStatements(asked, parse(text), { strict: false })
    .map(({ sql }) => sql)
    .join(';\n');
}

/** The message for a text, and the marked part of the text. */
function refuse(text: string): readonly [marked: string, message: string] {
  try {
    answer(text);
  } catch (error) {
    if (!(error instanceof SemanticSqlError)) throw error;
    return [text.slice(error.span.start, error.span.end), error.message];
  }
  throw new Error(`it was accepted: ${text}`);
}

describe('stored statements', () => {
  it('exist', () => expect(CASES.length).toBeGreaterThan(15));

  it.each(CASES)('%s', async (name) => {
    const text = readFileSync(path.join(folder, `${name}.txt`), 'utf8');
    const sql = answer(text);
    await expect(`${sql}\n`).toMatchFileSnapshot(path.join(folder, `${name}.duckdb.sql`));
    await shop.run(sql);
  });
});

describe('numbers', () => {
  const rowsOf = async (text: string) => shop.run(answer(text));

  it.each<readonly [string, readonly (readonly unknown[])[]]>([
    [
      'SELECT CAST(status AS varchar(2)), status::varchar(255) AS s FROM orders WHERE id = 1',
      [['pa', 'paid']],
    ],
    ['SELECT revenue FROM orders', [[106]]],
    ['SELECT revenue FROM orders GROUP BY revenue', [[106]]],
    ['SELECT SUM(CAST(revenue AS decimal)), SUM(revenue::float8) / 2 FROM orders', [[106, 53]]],
    [
      'SELECT SUM(revenue * 2), SUM(0.5 * revenue), SUM(revenue / 4), SUM(-revenue) FROM orders',
      [[212, 53, 26.5, -106]],
    ],
    ['SELECT SUM(units / 10.0), SUM(CAST(units AS numeric) / 10 * -2) FROM order_items', [[2.7, -5.4]]],
    ['SELECT SUM(CAST(orders AS float8) * 100), SUM(orders * (1 + 1)) FROM orders', [[600, 12]]],
    [
      'SELECT MAX(largest / 10), MIN(+smallest * 10), AVG(-mean_amount), MEDIAN(median_amount * -1) FROM orders',
      [[4.04, 50, -21.2, -20.2]],
    ],
    [
      'SELECT status, SUM(revenue) AS r, orders FROM orders GROUP BY status, revenue, 3 HAVING SUM(revenue * 10) > 400 ORDER BY SUM(-revenue)',
      [['paid', 70.7, 3]],
    ],
    [
      'SELECT SUM(revenue), MEASURE(orders), COUNT(*), SUM(amount), COUNT(amount) FROM orders',
      [[106, 6, 6, 106, 5]],
    ],
    [
      'SELECT region, SUM(revenue) FROM orders, customers GROUP BY region ORDER BY region',
      [
        ['north', 60.6],
        ['south', 40.4],
        [null, 5],
      ],
    ],
    // A join would count the orders of two items twice.
    [
      'SELECT products.category, SUM(revenue) r, COUNT(orders.*) n FROM orders GROUP BY ALL ORDER BY 1',
      [
        ['food', 40.4, 2],
        ['office', 30.3, 2],
        [null, 45.4, 3],
      ],
    ],
    ["SELECT COUNT(*) FROM orders WHERE products.category = 'office'", [[2]]],
    ["SELECT COUNT(*) FROM orders WHERE status <> 'paid'", [[2]]],
    ["SELECT COUNT(*) FILTER (WHERE status = 'paid'), COUNT(DISTINCT status) FROM orders", [[3, 2]]],
    ["SELECT COUNT(*) FROM customers WHERE name LIKE 'B%'", [[1]]],
    ["SELECT COUNT(*) FROM customers WHERE name LIKE 'b%'", [[0]]],
    ["SELECT COUNT(*) FROM customers WHERE name LIKE UPPER('b') || '%'", [[1]]],
    ["SELECT COUNT(*) FROM customers WHERE name ILIKE 'b%'", [[1]]],
    [
      "SELECT SUM(revenue) / COUNT(*) AS mean FROM orders WHERE status = 'paid' HAVING COUNT(*) > 2",
      [[70.7 / 3]],
    ],
    [
      "SELECT CASE WHEN amount > 20 THEN 'large' ELSE 'small' END AS size, COUNT(*) FROM orders GROUP BY size ORDER BY size",
      [
        ['large', 3],
        ['small', 3],
      ],
    ],
    [
      'SELECT TRUNC(amount), TRUNC(amount - 25.5), TRUNC(EXTRACT(YEAR FROM ordered_on)) FROM orders WHERE id IN (1, 6) ORDER BY 1',
      [
        [10, -15, 2024],
        [null, null, null],
      ],
    ],
    [
      "SELECT COUNT(*) FROM orders WHERE placed_at >= TO_TIMESTAMP('2024-02-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND DATE(placed_at) < TO_DATE('2024-03-15', 'YYYY-MM-DD')",
      [[3]],
    ],
    ['SELECT DISTINCT city FROM stores ORDER BY city DESC', [['Bern'], ['Berlin']]],
    ['SELECT customers.region FROM orders ORDER BY 1', [['north'], ['south'], [null]]],
    [
      'SELECT city, COUNT(*) FROM stores GROUP BY city HAVING COUNT(*) > 1 ORDER BY COUNT(*) LIMIT 1',
      [['Berlin', 2]],
    ],
    ['SELECT MIN(name), MAX(city) FROM stores, customers LIMIT 0', []],
  ])('%s', async (text, expected) => {
    const rows = await rowsOf(text);
    expect(rows.length).toBe(expected.length);
    for (const [at, row] of rows.entries()) {
      for (const [column, value] of row.entries()) {
        const wanted = expected[at]?.[column];
        if (typeof wanted === 'number') expect(value).toBeCloseTo(wanted, 8);
        else expect(value).toBe(wanted);
      }
    }
  });
});

describe('statements that a model cannot answer', () => {
  it.each<readonly [text: string, marked: string, message: RegExp]>([
    ['SELECT status FROM order', 'order', /^syntax error at `order`/],
    ['SELECT status FROM ordrs', 'ordrs', /there is no entity `ordrs`: did you mean `orders`\?/],
    ['SELECT status FROM other.orders', 'other.orders', /there is no entity `other.orders`/],
    ['SELECT status FROM "Orders"', '"Orders"', /there is no entity `Orders`/],
    ['SELECT sttus FROM orders', 'sttus', /there is no column `sttus`: did you mean `status`\?/],
    ['SELECT region FROM orders', 'region', /did you mean `customers.region`\?/],
    ['SELECT secret FROM customers', 'secret', /there is no column `secret`/],
    ['SELECT "Status" FROM orders', '"Status"', /there is no column `Status`/],
    [
      'SELECT status FROM orders WHERE status = "sent"',
      '"sent"',
      /put text in single quotes, such as 'sent'/,
    ],
    [
      'SELECT id FROM orders, customers',
      'id',
      /column `id` is ambiguous: write `orders.id` or `customers.id`/,
    ],
    ['SELECT orders.status FROM orders o', 'orders', /entity `orders` has the alias `o` here: use the alias/],
    ['SELECT status FROM orders, orders', 'orders', /is in FROM twice/],
    ['SELECT status FROM orders o, customers O', 'customers', /two parts of FROM are called `o`/],
    [
      'SELECT status FROM orders JOIN customers ON orders.id = customers.id',
      '=',
      /JOIN … ON between entities/,
    ],
    [
      'SELECT status FROM orders LEFT JOIN customers USING (id)',
      'customers',
      /JOIN … USING between entities/,
    ],
    [
      'SELECT "order_items.qty" FROM orders',
      '"order_items.qty"',
      /cannot be reached from `orders` over to-one/,
    ],
    [
      'SELECT status FROM orders WHERE revenue > 1',
      'revenue',
      /measure `revenue` is not allowed in WHERE: .* HAVING/,
    ],
    [
      'SELECT status FROM orders WHERE SUM(amount) > 1',
      'SUM',
      /aggregate SUM is not allowed in WHERE: .* HAVING/,
    ],
    [
      'SELECT status FROM orders GROUP BY status, revenue',
      'revenue',
      /GROUP BY contains a measure that is not selected/,
    ],
    ['SELECT SUM(amount) FROM orders GROUP BY 1', 'SUM', /GROUP BY cannot contain a measure/],
    ['SELECT revenue * 2 AS r FROM orders GROUP BY 1', '*', /GROUP BY cannot contain a measure/],
    ['SELECT status, revenue FROM orders GROUP BY revenue', 'status', /column `status` must be in GROUP BY/],
    ['SELECT status, revenue FROM orders GROUP BY id', 'status', /column `status` must be in GROUP BY/],
    ['SELECT status FROM orders ORDER BY id', 'id', /column `id` must be in GROUP BY/],
    ['SELECT MEASURE(SUM(amount)) FROM orders', 'SUM', /MEASURE takes the name of one measure/],
    ['SELECT MEASURE(status) FROM orders', 'status', /`status` is a dimension/],
    [
      'SELECT AVG(revenue) FROM orders',
      'AVG',
      /AVG of the measure `revenue`, which is SUM: write MEASURE\(revenue\)/,
    ],
    ['SELECT SUM(aov) FROM orders', 'SUM', /SUM of the measure `aov`, which is CUSTOM/],
    ['SELECT COUNT(buyers) FROM orders', 'COUNT', /which is COUNT_DISTINCT/],
    ['SELECT SUM(revenue) FILTER (WHERE id = 1) FROM orders', 'SUM', /SUM with FILTER of the measure/],
    ['SELECT SUM(revenue + 1) FROM orders', 'revenue', /measure `revenue` is already an aggregate/],
    ['SELECT SUM(units / 10) FROM order_items', 'units', /measure `units` is already an aggregate/],
    ['SELECT SUM(units / 10 * 1.5) FROM order_items', 'units', /write `MEASURE\(units\)`/],
    ['SELECT SUM(10 / revenue) FROM orders', 'revenue', /write `MEASURE\(revenue\)`/],
    ['SELECT SUM(revenue * amount) FROM orders', 'revenue', /write `MEASURE\(revenue\)`/],
    ['SELECT SUM(CAST(revenue AS integer)) FROM orders', 'revenue', /write `MEASURE\(revenue\)`/],
    ['SELECT SUM(CAST(revenue AS decimal(9, 1))) FROM orders', 'revenue', /write `MEASURE\(revenue\)`/],
    ['SELECT AVG(revenue * 2) FROM orders', 'revenue', /write `MEASURE\(revenue\)`/],
    ['SELECT MAX(-largest) FROM orders', 'largest', /write `MEASURE\(largest\)`/],
    ['SELECT MAX(largest * -1) FROM orders', 'largest', /write `MEASURE\(largest\)`/],
    ['SELECT COUNT(orders * 2) FROM orders', 'orders', /write `MEASURE\(orders\)`/],
    ['SELECT SUM(revenue * 2) FILTER (WHERE id = 1) FROM orders', 'revenue', /write `MEASURE\(revenue\)`/],
    ['SELECT SUM(DISTINCT revenue) FROM orders', 'SUM', /SUM \(DISTINCT …\) of the measure `revenue`/],
    ['SELECT SUM(SUM(amount)) FROM orders', 'SUM', /an aggregate is not allowed inside another one/],
    ['SELECT SUM(DISTINCT amount) FROM orders', 'SUM', /SUM with DISTINCT is not supported/],
    ['SELECT SUM(status) FROM orders', 'SUM', /SUM takes numbers/],
    [
      'SELECT MIN(active) FROM customers',
      'MIN',
      /MIN takes numbers, TEXT, DATE, TIMESTAMP or DATETIME, not BOOLEAN/,
    ],
    ['SELECT SUM(5) FROM orders', '5', /SUM of a constant/],
    ['SELECT COUNT(*) FROM orders, customers', 'COUNT', /`COUNT\(orders.\*\)` or `COUNT\(customers.\*\)`/],
    ['SELECT SUM(orders.amount * order_items.qty * returns.reason) FROM orders', '*', /takes two numbers/],
    ['SELECT frobnicate(status) FROM orders', 'frobnicate', /there is no portable function `frobnicate`/],
    ['SELECT lowr(status) FROM orders', 'lowr', /did you mean `LOWER`\?/],
    ['SELECT pg_sleep(10) FROM orders', 'pg_sleep', /there is no portable function/],
    ["SELECT read_csv('/etc/passwd') FROM orders", 'read_csv', /there is no portable function/],
    [
      "SELECT TO_CHAR(ordered_on, 'YYYY-J') FROM orders",
      "'YYYY-J'",
      /pattern `J` is not supported: put plain text in double quotes, or write one of YYYY, YY, Q, .*, US, with FM/,
    ],
    ["SELECT TO_CHAR(ordered_on, 'FMMONTH') FROM orders", "'FMMONTH'", /pattern `MONTH` is not supported/],
    ["SELECT TO_CHAR(ordered_on, 'DDTH') FROM orders", "'DDTH'", /pattern `TH` is not supported/],
    ["SELECT TO_CHAR(placed_at, 'SSSS') FROM orders", "'SSSS'", /pattern `SSSS` is not supported/],
    ["SELECT TO_CHAR(placed_at, 'IDDD') FROM orders", "'IDDD'", /pattern `IDDD` is not supported/],
    ["SELECT TO_CHAR(placed_at, 'yyyy') FROM orders", "'yyyy'", /pattern `yyyy` is not supported/],
    ["SELECT TO_CHAR(placed_at, 'DD FM') FROM orders", "'DD FM'", /pattern `FM` is not supported/],
    ["SELECT TO_CHAR(placed_at, 'DD \"th') FROM orders", "'DD \"th'", /a double quote .* is not closed/],
    ["SELECT TO_CHAR(placed_at, '') FROM orders", "''", /the pattern has no part of a date/],
    ['SELECT TO_CHAR(placed_at, \'"YYYY"\') FROM orders', '\'"YYYY"\'', /the pattern has no part of a date/],
    ['SELECT TO_CHAR(placed_at, status) FROM orders', 'status', /TO_CHAR needs a constant pattern/],
    ['SELECT TO_CHAR(placed_at, NULL) FROM orders', 'NULL', /TO_CHAR needs a constant pattern/],
    [
      "SELECT TO_CHAR(amount, '999.99') FROM orders",
      'TO_CHAR',
      /TO_CHAR takes a DATE, TIMESTAMP or DATETIME, not DECIMAL: write CAST\(n AS TEXT\)/,
    ],
    [
      'SELECT TO_CHAR(placed_at) FROM orders',
      'TO_CHAR',
      /TO_CHAR has the form `TO_CHAR\(ordered_at, 'YYYY-MM'\)`/,
    ],
    ["SELECT strftime(placed_at, '%Y') FROM orders", 'strftime', /`strftime`: write TO_CHAR/],
    [
      "SELECT TO_DATE('31.1.2024', 'DD.MM.YYYY') FROM orders",
      'TO_DATE',
      /`to_date`: write a text and the format 'YYYY-MM-DD'/,
    ],
    [
      "SELECT STARTS_WITH(id, '1') FROM orders",
      'STARTS_WITH',
      /STARTS_WITH takes two values of TEXT, not INTEGER, TEXT/,
    ],
    ['SELECT ENDSWITH(status) FROM orders', 'ENDSWITH', /ENDS_WITH takes two values of TEXT, not TEXT/],
    ['SELECT REVERSE(id) FROM orders', 'REVERSE', /REVERSE takes a TEXT, not INTEGER/],
    ['SELECT SUBSTRING(status, 0) FROM orders', 'SUBSTRING', /a literal start position, and optionally/],
    [
      "SELECT SUBSTRING(status FROM '^p') FROM orders",
      'SUBSTRING',
      /SUBSTRING takes a TEXT, a literal start/,
    ],
    ['SELECT TRUNC(amount, 1) FROM orders', 'TRUNC', /`trunc`: TRUNC takes only one number/],
    ['SELECT TRUNC(status) FROM orders', 'TRUNC', /FLOOR takes a number/],
    ['SELECT IFNULL(status, status) FROM orders', 'IFNULL', /`ifnull`: write COALESCE/],
    [
      "SELECT DATE_TRUNC('century', placed_at) FROM orders",
      "'century'",
      /unit `century` is not supported: write one of day, week, month, quarter, year, hour, minute, second/,
    ],
    ['SELECT DATE_TRUNC(status, placed_at) FROM orders', 'status', /the unit must be a literal/],
    ['SELECT status + 1 FROM orders', '+', /takes two numbers, not TEXT, INTEGER/],
    ['SELECT id FROM orders WHERE status', 'status', /WHERE takes a condition, not a TEXT/],
    ["SELECT id FROM orders WHERE ordered_on = 'soon'", '=', /'soon' is not a valid DATE/],
    ['SELECT id FROM orders WHERE status LIKE status', 'status', /a constant pattern/],
    ["SELECT id FROM orders WHERE status LIKE LOWER('É%')", 'LOWER', /a constant pattern/],
    ['SELECT status::json FROM orders', ':', /type `json` is not supported/],
    ['SELECT status FROM orders ORDER BY 2', '2', /ORDER BY has no column with that number/],
    ['SELECT status AS a, id AS A FROM orders', 'id', /alias `a` is given twice/],
    ['SELECT a AS a, status FROM orders GROUP BY status', 'a', /there is no column `a`/],
    ['SELECT revenue AS r, r + 1 FROM orders', 'r', /there is no column `r`/],
  ])('%s', (text, marked, message) => {
    const [place, said] = refuse(text);
    expect(said).toMatch(message);
    expect(place).toBe(marked);
  });
});

it("keeps the caller's text inside literals", () => {
  const sql = answer(`SELECT status AS "a""b; DROP TABLE x" FROM orders WHERE status = 'it''s -- $x'`);
  expect(sql).toContain(`'it''s -- $x'`);
  expect(sql).toContain('"a""b; DROP TABLE x"');
});
