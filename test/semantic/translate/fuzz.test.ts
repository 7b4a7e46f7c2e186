import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { type ParseStatements, prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { SqlRefusal } from '../../../src/semantic/syntax/sql-refusal.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
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
const statement = fc
  .tuple(
    fc.array(
      fc.tuple(value, fc.constantFrom('', ' AS a', ' b')).map((own) => own.join('')),
      { minLength: 1, maxLength: 3 },
    ),
    fc.constantFrom(
      'orders',
      'orders, customers',
      'orders o',
      '"orders.customer" AS c',
      'order_items, orders',
      'stores',
      'returns',
    ),
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

it('answers any statement with SQL or with a refusal that has its place', () => {
  let answered = 0;
  const check = (text: string) => {
    try {
      expect(answerStatements(asked, parse(text), { strict: false })).toHaveLength(1);
      answered += 1;
    } catch (error) {
      if (!(error instanceof SqlRefusal)) throw error;
      const { start, end } = error.span;
      expect([text, start >= 0 && start <= end && end <= text.length]).toEqual([text, true]);
    }
  };
  fc.assert(fc.property(statement, check), { numRuns: 5_000 });
  expect(answered).toBeGreaterThan(50);
});
