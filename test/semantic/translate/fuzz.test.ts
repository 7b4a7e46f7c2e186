import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SemanticSqlError } from '../../../src/semantic/syntax/semantic-sql-error.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { share } from '../../support/rotation.ts';
import { createShop } from '../shop.ts';

const model = createShop({});
const asked = { model, index: createModelIndex(model) };
let parse: ParseStatements;
beforeAll(async () => {
  parse = await prepareParser();
});

const VALUES = [
  ...[
    'status',
    'revenue',
    'orders.id',
    'amount',
    'ordered_on',
    'placed_at',
    '"customers.region"',
    'tier',
    'qty',
  ],
  ...[
    'aov',
    'units',
    'MEASURE(revenue)',
    'COUNT(*)',
    'COUNT(orders.*)',
    'SUM(amount)',
    'MAX(status)',
    'nothing',
  ],
  ...["'x'", '1', '2.5', 'NULL', 'true', "DATE '2024-01-01'", '*', '1', '2', 'a', 'active', 'customers.name'],
];
const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: fc.constantFrom(...VALUES), weight: 30 },
    fc
      .tuple(
        tie('value'),
        fc.constantFrom('+', '-', '/', '||', '=', '<', 'AND', 'OR', 'LIKE', '^'),
        tie('value'),
      )
      .map((all) => `(${all.join(' ')})`),
    fc
      .tuple(
        fc.constantFrom(
          'LOWER',
          'FLOOR',
          'COALESCE',
          'SUM',
          'AVG',
          'MIN',
          'MEDIAN',
          'COUNT',
          'NULLIF',
          'ROUND',
        ),
        fc.array(tie('value'), { maxLength: 2 }),
      )
      .map(([name, args]) => `${name}(${args.join(', ')})`),
    tie('value').map((own) => `CASE WHEN ${own} IS NOT NULL THEN ${own} END`),
    tie('value').map((own) => `CAST(${own} AS numeric(9, 2))`),
    tie('value').map((own) => `DATE_TRUNC('month', ${own})`),
    tie('value').map((own) => `(${own} + INTERVAL '2 months')`),
    tie('value').map((own) => `COUNT(DISTINCT ${own}) FILTER (WHERE ${own} = ${own})`),
  ),
})).value;
const clause = (word: string) =>
  fc.option(value, { nil: null, freq: 1 }).map((own) => (own === null ? '' : ` ${word} ${own}`));
const select = (sources: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.array(
        fc.tuple(value, fc.constantFrom('', ' AS a', ' b')).map((own) => own.join('')),
        { minLength: 1, maxLength: 3 },
      ),
      sources,
      fc.oneof(
        clause('WHERE'),
        fc.constantFrom('', " WHERE orders.status = 'x'", ' WHERE amount > 1 AND tier IS NULL'),
      ),
      fc.constantFrom('', ' GROUP BY ALL', ' GROUP BY 1', ' GROUP BY a', ' GROUP BY status'),
      clause('HAVING'),
      clause('ORDER BY'),
      fc.constantFrom('', ' LIMIT 0', ' LIMIT 5 OFFSET 1'),
    )
    .map(([items, from, ...clauses]) => `SELECT ${items.join(', ')} FROM ${from}${clauses.join('')}`);
const entities = fc.constantFrom(
  'orders',
  'orders, customers',
  'orders o',
  '"orders.customer" AS c',
  'order_items, orders',
  'stores',
  'returns',
);
const sound = fc.constantFrom(
  'SELECT status, revenue AS a, id FROM orders GROUP BY 1, 3',
  'SELECT * FROM orders',
  "SELECT status, 1 AS a FROM orders WHERE status = 'x'",
  'SELECT customers.region AS status, SUM(amount) AS a, COUNT(*) AS id FROM orders',
  "VALUES (1, 'x'), (2, NULL)",
  'SELECT column_name AS status, ordinal_position AS a FROM information_schema.columns',
);
const statement = fc.letrec<{ statement: string }>((tie) => {
  const inner = fc.oneof({ arbitrary: sound, weight: 4 }, tie('statement'));
  const results = fc.oneof(
    inner.map((own) => `(${own}) t`),
    fc
      .tuple(inner, fc.constantFrom('JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN'), inner)
      .map(([left, word, right]) => `(${left}) orders ${word} (${right}) u USING (status)`),
  );
  return {
    statement: fc.oneof(
      { maxDepth: 2 },
      { arbitrary: select(entities), weight: 4 },
      { arbitrary: select(results), weight: 4 },
      fc
        .tuple(inner, select(fc.constantFrom('w', 'w, w AS x')))
        .map(([table, own]) => `WITH w AS (${table}) ${own}`),
      fc
        .tuple(inner, fc.constantFrom('UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT'), inner)
        .map(([left, word, right]) => `(${left}) ${word} (${right}) ORDER BY 1`),
      fc.tuple(value, inner).map(([own, query]) => `SELECT status FROM orders WHERE ${own} IN (${query})`),
      fc
        .tuple(fc.constantFrom('SUM', 'RANK', 'LAG', 'COUNT', 'NTILE'), value, value, value)
        .map(
          ([call, arg, part, by]) =>
            `SELECT status, ${call}(${arg}) OVER (PARTITION BY ${part} ORDER BY ${by}) FROM orders`,
        ),
    ),
  };
}).statement;

it('answers any statement with SQL or with an error that has a location', () => {
  let answered = 0;
  const check = (text: string) => {
    try {
      expect(answerStatements(asked, parse(text), { strict: false })).toHaveLength(1);
      answered += 1;
    } catch (error) {
      if (!(error instanceof SemanticSqlError)) throw error;
      const { start, end } = error.span;
      expect([text, start >= 0 && start <= end && end <= text.length]).toEqual([text, true]);
    }
  };
  fc.assert(fc.property(statement, check), { numRuns: share(5_000) });
  expect(answered).toBeGreaterThan(50);
});
