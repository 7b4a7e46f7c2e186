import { describe, expect, it } from 'vitest';
import { compileResolved } from '../../../src/semantic/compile/compile-query.ts';
import { createGrain } from '../../../src/semantic/expression/create-date.ts';
import {
  createCase,
  createCast,
  createDatePart,
  createLike,
  createNull,
} from '../../../src/semantic/expression/create-expression.ts';
import type { TypedExpression } from '../../../src/semantic/expression/expression.ts';
import { findPortableFunction } from '../../../src/semantic/expression/functions.ts';
import type { DimensionUse } from '../../../src/semantic/model/index/field-use.ts';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Platform } from '../../../src/semantic/model/model.ts';
import { shop } from '../shop.ts';
import { hasPlatform, RUNS, type Simple, shareShop } from '../shop-database.ts';
import { call, createQuery, createResolver, integer, literal, text } from './resolve.ts';

type Rows = TypedExpression<DimensionUse>;

const index = createModelIndex(shop);
const { field, dimension, computed, key } = createResolver(index);

const id = field('orders.id');
const status = field('orders.status');
const day = field('orders.ordered_on');
const moment = field('orders.placed_at');
const amount = field('orders.amount');
const weight = field('orders.weight');
const name = field('customers.name');
const active = field('customers.active');
const number = (value: string) => literal('DECIMAL', value);
const float = (value: string) => literal('FLOAT', value);
const date = (value: string) => literal('DATE', value);

/**
 * For order 1: paid on 2024-01-31 at 23:59:59.5, 10.10, weight 0.5, by the active customer Anna. For order 6 everything is
 * NULL.
 */
const CASES: readonly (readonly [string, Rows, of1: Simple, of6: Simple])[] = [
  ['1 + 2', call('+', id, integer(2)), 3, 8],
  ['7 / 2 of whole numbers', call('/', call('+', id, integer(6)), integer(2)), 3, 6],
  ['-7 / 2 of whole numbers', call('/', call('-', integer(-8), call('NEGATE', id)), integer(2)), -3, -1],
  ['7 / 2 of decimals', call('/', call('+', id, number('6.0')), integer(4)), 1.75, 3],
  ['-7 % 4', call('%', call('-', integer(-6), id), integer(4)), -3, 0],
  ['10.10 * 3', call('*', amount, integer(3)), 30.3, null],
  ['ABS', call('ABS', call('NEGATE', amount)), 10.1, null],
  ['CEIL', call('CEIL', amount), 11, null],
  ['FLOOR of a negative number', call('FLOOR', call('NEGATE', amount)), -11, null],
  ['FLOOR of a whole number', call('FLOOR', id), 1, 6],
  ['SIGN', call('SIGN', call('NEGATE', amount)), -1, null],
  ['ROUND', call('ROUND', amount, integer(1)), 10.1, null],
  ['ROUND of half a decimal', call('ROUND', call('+', amount, number('0.4'))), 11, null],
  ['ROUND of half a floating number', call('ROUND', weight), 1, null],
  ['ROUND of a negative half', call('ROUND', call('-', call('NEGATE', weight), integer(2))), -3, null],
  ['SQRT', call('SQRT', call('+', id, integer(3))), 2, 3],
  ['POWER', call('POWER', integer(2), call('+', id, integer(2))), 8, 256],
  ['LN and EXP', call('ROUND', call('LN', call('EXP', id)), integer(6)), 1, 6],
  ['||', call('||', status, text('!')), 'paid!', null],
  ['CONCAT', call('CONCAT', status, text('!')), 'paid!', '!'],
  ['LOWER and UPPER', call('LOWER', call('UPPER', status)), 'paid', null],
  ['LENGTH with blanks', call('LENGTH', call('||', status, text('é  '))), 7, null],
  ['TRIM', call('TRIM', call('||', text('  '), call('||', status, text(' ')))), 'paid', null],
  ['LTRIM', call('LTRIM', call('||', text('  '), status)), 'paid', null],
  ['RTRIM', call('RTRIM', call('||', status, text('  '))), 'paid', null],
  ['SUBSTRING', call('SUBSTRING', status, integer(2), integer(2)), 'ai', null],
  ['LEFT', call('LEFT', status, integer(3)), 'pai', null],
  ['RIGHT', call('RIGHT', status, integer(3)), 'aid', null],
  ['RIGHT of a short string', call('RIGHT', status, integer(9)), 'paid', null],
  ['REPLACE', call('REPLACE', status, text('ai'), text('o')), 'pod', null],
  ['STRPOS', call('STRPOS', status, text('i')), 3, null],
  ['STRPOS, which is case-sensitive', call('STRPOS', status, text('I')), 0, null],
  ['YEAR', createDatePart('YEAR', day, 'UTC'), 2024, null],
  ['QUARTER', createDatePart('QUARTER', moment, 'UTC'), 1, null],
  ['MONTH', createDatePart('MONTH', day, 'UTC'), 1, null],
  ['WEEK', createDatePart('WEEK', day, 'UTC'), 5, null],
  ['DAY', createDatePart('DAY', moment, 'UTC'), 31, null],
  ['DOW', createDatePart('DOW', call('ADD_DAYS', day, integer(4)), 'UTC'), 0, null],
  ['ISODOW', createDatePart('ISODOW', call('ADD_DAYS', day, integer(4)), 'UTC'), 7, null],
  ['DOY', createDatePart('DOY', day, 'UTC'), 31, null],
  ['HOUR', createDatePart('HOUR', moment, 'UTC'), 23, null],
  ['MINUTE', createDatePart('MINUTE', moment, 'UTC'), 59, null],
  ['SECOND', createDatePart('SECOND', moment, 'UTC'), 59, null],
  ['a day later', call('ADD_DAYS', day, integer(1)), '2024-02-01', null],
  ['later by the number of days in a field', call('ADD_DAYS', day, id), '2024-02-01', null],
  ['a month later', call('ADD_MONTHS', day, integer(1)), '2024-02-29', null],
  ['a month earlier', call('ADD_MONTHS', day, integer(-1)), '2023-12-31', null],
  ['a second later', createDatePart('DAY', call('ADD_SECONDS', moment, integer(1)), 'UTC'), 1, null],
  ['days between', call('DAYS_BETWEEN', day, date('2024-01-01')), 30, null],
  ['the month of a date', createGrain('month', day, 'UTC'), '2024-01-01', null],
  ['the month of a timestamp', createCast(createGrain('month', moment, 'UTC'), 'DATE'), '2024-01-01', null],
  ['COALESCE', call('COALESCE', status, text('none')), 'paid', 'none'],
  ['NULLIF', call('NULLIF', id, integer(1)), null, 6],
  ['NULLIF of strings, which is case-sensitive', call('NULLIF', status, text('Paid')), 'paid', null],
  ['GREATEST', call('GREATEST', id, integer(3), amount), 10.1, 6],
  ['LEAST of a value and NULL', call('LEAST', weight, integer(3)), 0.5, 3],
  [
    'CASE',
    createCase<DimensionUse>([{ when: call('=', status, text('paid')), value: integer(1) }], integer(0)),
    1,
    0,
  ],
  ['a comparison that may be unknown', createCast(call('<', amount, integer(5)), 'INTEGER'), 0, null],
  ['IS NULL', createCast(call('IS NULL', status), 'INTEGER'), 0, 1],
  ['IS TRUE', createCast(call('IS TRUE', call('=', status, text('open'))), 'INTEGER'), 0, 0],
  ['IS FALSE', createCast(call('IS FALSE', call('=', status, text('open'))), 'INTEGER'), 1, 0],
  ['IS DISTINCT FROM', createCast(call('IS DISTINCT FROM', status, text('paid')), 'INTEGER'), 0, 1],
  ['IN', createCast(call('IN', status, text('open'), text('PAID')), 'INTEGER'), 0, null],
  ['IN with NULL', createCast(call('IN', status, text('open'), createNull('TEXT')), 'INTEGER'), null, null],
  ['BETWEEN', createCast(call('BETWEEN', status, text('open'), text('zzz')), 'INTEGER'), 1, null],
  ['NOT', createCast(call('NOT', call('=', status, text('paid'))), 'INTEGER'), 0, null],
  ['AND', createCast(call('AND', call('=', id, integer(1)), call('IS NULL', status)), 'INTEGER'), 0, 0],
  ['OR', createCast(call('OR', call('=', id, integer(1)), call('=', status, text('x'))), 'INTEGER'), 1, null],
  ['LIKE', createCast(createLike(status, 'p_i%', { caseSensitive: true }), 'INTEGER'), 1, null],
  [
    'LIKE, which is case-sensitive',
    createCast(createLike(status, 'P%', { caseSensitive: true }), 'INTEGER'),
    0,
    null,
  ],
  ['ILIKE', createCast(createLike(status, 'P_ID', { caseSensitive: false }), 'INTEGER'), 1, null],
  [
    'LIKE that escapes',
    createCast(createLike(call('||', status, text('_')), '%d\\_', { caseSensitive: true }), 'INTEGER'),
    1,
    null,
  ],
  ['strings of two fields', createCast(call('<', status, name), 'INTEGER'), 0, null],
  ['a condition as a value', createCast(active, 'TEXT'), 'true', null],
  ['a number as a string', call('||', createCast(id, 'TEXT'), text('.')), '1.', '6.'],
  ['a date as a string', createCast(day, 'TEXT'), '2024-01-31', null],
  ['a decimal as a whole number', createCast(call('-', amount, number('0.6')), 'INTEGER'), 10, null],
  ['a floating-point number as a whole one', createCast(call('+', weight, float('0.9')), 'INTEGER'), 1, null],
  ['a decimal with fewer digits', createCast(amount, 'DECIMAL', { precision: 10, scale: 0 }), 10, null],
  ['a timestamp as a date', createCast(moment, 'DATE'), '2024-01-31', null],
  [
    'a date as a timestamp',
    createCast(call('=', createCast(day, 'DATETIME'), createGrain('day', moment, 'UTC')), 'INTEGER'),
    1,
    null,
  ],
];

const compile = (platform: Platform, expression: Rows) =>
  compileResolved(
    index,
    createQuery({
      root: index.entities.get('orders')!,
      keys: [key(dimension('orders.id')), key(computed('value', expression))],
      conditions: [{ kind: 'expression', expression: call('IN', id, integer(1), integer(6)) }],
    }),
    { dialect: platform, strict: false },
  ).sql;

describe.each(RUNS)('a portable function in the SQL of %s', (platform, engine) => {
  const database = shareShop(engine);

  it.skipIf(!hasPlatform(engine)).each(CASES)('%s', async (_, expression, of1, of6) => {
    const sql = compile(platform, expression);
    const rows = (await database.run(sql)).toSorted(([a], [b]) => Number(a) - Number(b));
    expect(rows, sql).toEqual([
      [1, typeof of1 === 'number' ? expect.closeTo(of1, 9) : of1],
      [6, typeof of6 === 'number' ? expect.closeTo(of6, 9) : of6],
    ]);
  });
});

describe('a function', () => {
  it('is found by each of its names', () => {
    expect(findPortableFunction('ceiling')).toEqual({ name: 'CEIL' });
    expect(findPortableFunction('Upper')).toEqual({ name: 'UPPER' });
    expect(findPortableFunction('uper')).toEqual({ suggestion: 'UPPER' });
    expect(findPortableFunction('ADD_DAYS')).toEqual({ suggestion: undefined });
  });

  it('refuses types that it does not accept', () => {
    expect(() => call('+', id, status)).toThrow('+ takes two numbers, not INTEGER, TEXT');
    expect(() => call('LEFT', status, id)).toThrow('LEFT takes a TEXT and a literal count');
    expect(() => call('SUBSTRING', status, integer(0), integer(1))).toThrow('SUBSTRING takes');
    expect(() => call('=', day, text('soon'))).toThrow("Value 'soon' is not a valid DATE");
    expect(() => createCast(status, 'INTEGER')).toThrow('A TEXT cannot be cast to INTEGER');
    expect(() => createLike(status, 'a\\', { caseSensitive: true })).toThrow(
      'ends with its escape character',
    );
  });
});
