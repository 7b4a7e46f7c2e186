import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanSql } from '../../src/engine/text/sql-scanner.ts';
import { compileQuery } from '../../src/semantic/compile/compile-query.ts';
import { SemanticError } from '../../src/semantic/errors.ts';
import { createModelIndex } from '../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../src/semantic/model/model.ts';
import type { Operator, SemanticQuery } from '../../src/semantic/query/query.ts';
import { DIALECTS } from '../../src/semantic/sql/dialects.ts';
import { share } from '../support/rotation.ts';
import { ask, toRef } from './ask.ts';
import { HOSTILE_PARTS } from './hostile-parts.ts';
import { shop } from './shop.ts';

const index = createModelIndex(shop);
const platforms = Object.keys(DIALECTS) as Platform[];

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...HOSTILE_PARTS), { maxLength: 12 }).map((parts) => parts.join('')),
);

/** A query with hostile text in every place that accepts text; the marks show the caller's text. */
function poison(text: string, operator: Operator['type'], field: string): SemanticQuery {
  const marked = `zqz${text}zqz`;
  const values = /RANGE/.test(operator) ? [marked, marked] : [marked];
  const isSingle = /THAN|_DATE$/.test(operator);
  const operand = (isSingle ? { type: operator, value: marked } : { type: operator, values }) as Operator;
  return ask('customers.region', 'orders.revenue', {
    dimensions: [{ ...toRef('customers.region'), alias: marked }, toRef('products.category')],
    measures: [{ ...toRef('orders.revenue'), alias: `m${marked}` }, toRef('returns.refunds')],
    filters: [{ type: 'CONDITION', field: toRef(field), operator: operand }],
    orderBy: [{ field: toRef('customers.region'), desc: true }],
  });
}

const STRINGS = ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_STARTS_WITH', 'ENDS_WITH', 'GREATER_THAN'] as const;

const OVERLAPS = ['orders', 'returns'].map(
  (entity) => `-- Groups of products.category overlap: a row of ${entity} may be in several.`,
);

describe('text from a caller', () => {
  it.each(platforms)('never leaves its literal or its quoted alias on %s', (dialect) => {
    let compiled = 0;
    fc.assert(
      fc.property(hostile, fc.constantFrom(...STRINGS), (text, operator) => {
        let sql: string;
        try {
          ({ sql } = compileQuery(index, poison(text, operator, 'customers.name'), {
            dialect,
            strict: false,
          }));
        } catch (error) {
          expect(error).toBeInstanceOf(SemanticError);
          return;
        }
        compiled += 1;
        const tokens = [...scanSql(sql, DIALECTS[dialect].lexicalRules)];
        expect(tokens.every(({ terminated }) => terminated)).toBe(true);
        const free = tokens.filter(
          ({ kind }) => kind !== 'string' && kind !== 'quoted-name' && kind !== 'comment',
        );
        const texts = free.map(({ start, end }) => sql.slice(start, end));
        expect(texts.join('')).not.toContain('zqz');
        expect(texts).not.toContain(';');
        const comments = tokens
          .filter(({ kind }) => kind === 'comment')
          .map(({ start, end }) => sql.slice(start, end));
        expect(new Set(comments)).toEqual(new Set(OVERLAPS));
      }),
      { numRuns: share(2000) },
    );
    expect(compiled).toBeGreaterThan(share(200));
  });

  it.each(platforms)('is always surrounded by the same tokens on %s', (dialect) => {
    const shape = (text: string) => {
      const { sql } = compileQuery(
        index,
        ask('customers.region', 'orders.revenue', {
          filters: [
            {
              type: 'CONDITION',
              field: toRef('customers.name'),
              operator: { type: 'CONTAINS', values: [text, text] },
            },
          ],
        }),
        { dialect, strict: false },
      );
      return (
        [...scanSql(sql, DIALECTS[dialect].lexicalRules)]
          .map(({ kind, start, end }) => (kind === 'string' ? kind : sql.slice(start, end)))
          .join('')
          // Text split into several literals.
          .replaceAll(/\(Nstring(?: \+ Nstring)+\)/g, 'Nstring')
      );
    };
    const plain = shape('x');
    fc.assert(
      fc.property(
        hostile.filter((text) => text.isWellFormed() && !text.includes('\0')),
        (text) => {
          expect(shape(text)).toBe(plain);
        },
      ),
      { numRuns: share(1000) },
    );
  });

  it.each(['orders.id', 'orders.weight', 'orders.ordered_on', 'orders.placed_at', 'customers.active'])(
    'is refused if it is not a value of %s',
    (field) => {
      fc.assert(
        fc.property(hostile, (text) => {
          expect(() =>
            compileQuery(index, poison(text, 'EQUALS', field), { dialect: 'duckdb', strict: false }),
          ).toThrow(SemanticError);
        }),
        { numRuns: share(300) },
      );
    },
  );

  it('is not found if it names an entity or a field', () => {
    fc.assert(
      fc.property(hostile, hostile, (entity, field) => {
        const query = ask('', '', {
          dimensions: [{ entity, field }],
          orderBy: [{ field: { entity, field }, desc: false }],
        });
        expect(() => compileQuery(index, query, { dialect: 'duckdb', strict: false })).toThrow(
          /^Entity not found: /,
        );
      }),
    );
  });
});
