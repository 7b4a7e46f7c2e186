import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileQuery } from '../../../src/semantic/compile/compile-query.ts';
import type { SemanticError } from '../../../src/semantic/errors.ts';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import { findDay, printDay } from '../../../src/semantic/model/local-time.ts';
import { findRelativeDays } from '../../../src/semantic/query/relative-days.ts';
import { ask, where } from '../ask.ts';
import { createDimension, createEntity, createModel } from '../shop.ts';

/** A Thursday in a leap year. */
const TODAY = findDay('2024-02-29')!;
const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;

const print = (words: string, today = TODAY) => {
  const days = findRelativeDays(words, today);
  return days && `${printDay(days.first)} ${printDay(days.last)}`;
};

describe('words for days', () => {
  it.each([
    ['today', '2024-02-29 2024-02-29'],
    ['  Today ', '2024-02-29 2024-02-29'],
    ['yesterday', '2024-02-28 2024-02-28'],
    ['tomorrow', '2024-03-01 2024-03-01'],
    ['this week', '2024-02-26 2024-03-03'],
    ['LAST  week', '2024-02-19 2024-02-25'],
    ['next week', '2024-03-04 2024-03-10'],
    ['this month', '2024-02-01 2024-02-29'],
    ['last month', '2024-01-01 2024-01-31'],
    ['last 1 month', '2024-01-01 2024-01-31'],
    ['last 3 months', '2023-11-01 2024-01-31'],
    ['next 2 months', '2024-03-01 2024-04-30'],
    ['this quarter', '2024-01-01 2024-03-31'],
    ['last quarter', '2023-10-01 2023-12-31'],
    ['last 4 quarters', '2023-01-01 2023-12-31'],
    ['this year', '2024-01-01 2024-12-31'],
    ['last year', '2023-01-01 2023-12-31'],
    ['last 30 days', '2024-01-30 2024-02-28'],
    ['next 7 days', '2024-03-01 2024-03-07'],
    ['last day', '2024-02-28 2024-02-28'],
    ['week to date', '2024-02-26 2024-02-29'],
    ['month to date', '2024-02-01 2024-02-29'],
    ['quarter to date', '2024-01-01 2024-02-29'],
    ['year to date', '2024-01-01 2024-02-29'],
  ])('are read: %s', (words, due) => {
    expect(print(words)).toBe(due);
  });

  it.each([
    '',
    'now',
    'last',
    'last months',
    'last 0 days',
    'last -1 days',
    'last 1.5 days',
    'this 2 weeks',
    'this weeks',
    'last 30 minutes',
    'last 99999 years',
    'next 8000 years',
    'constructor',
    'toString',
    '2024-02-29',
    'today;',
    "last 3 days'",
  ])('are not read: `%s`', (words) => {
    expect(print(words)).toBeNull();
  });

  it('know Mondays and Sundays', () => {
    expect(print('this week', findDay('2024-02-26')!)).toBe('2024-02-26 2024-03-03');
    expect(print('this week', findDay('2024-03-03')!)).toBe('2024-02-26 2024-03-03');
  });

  it('leave no day between units, at any time', () => {
    const day = fc.integer({
      min: findDay('1900-01-01')! / 86_400_000,
      max: findDay('2100-12-31')! / 86_400_000,
    });
    fc.assert(
      fc.property(day, fc.constantFrom(...UNITS), fc.integer({ min: 1, max: 500 }), (at, unit, count) => {
        const today = at * 86_400_000;
        const [now, last, next] = [`this ${unit}`, `last ${count} ${unit}s`, `next ${count} ${unit}s`].map(
          (words) => findRelativeDays(words, today)!,
        );
        expect(now!.first <= today && today <= now!.last).toBe(true);
        expect(last!.last + 86_400_000).toBe(now!.first);
        expect(now!.last + 86_400_000).toBe(next!.first);
        expect(last!.first).toBeLessThanOrEqual(last!.last);
      }),
    );
  });
});

const things = createEntity({
  name: 'things',
  dimensions: [
    createDimension({ name: 'id', dataType: 'INTEGER' }),
    createDimension({ name: 'text', dataType: 'TEXT' }),
    createDimension({ name: 'day', dataType: 'DATE' }),
    createDimension({ name: 'day_month', dataType: 'DATE', expr: 'day', grain: 'month' }),
    createDimension({ name: 'moment', dataType: 'DATETIME' }),
    createDimension({ name: 'moment_week', dataType: 'DATE', expr: 'moment', grain: 'week' }),
  ],
});

/** The conditions of a query at a point in time. */
function findWhere(
  now: string | undefined,
  field: string,
  type: string,
  values: readonly string[],
  timezone = 'UTC',
) {
  const index = createModelIndex(createModel([things], { platform: 'duckdb', timezone }));
  const query = ask('things.id', '', { filters: [where(`things.${field}`, type, ...values)] });
  const options = { dialect: 'duckdb', strict: false } as const;
  const { sql } = compileQuery(
    index,
    query,
    now === undefined ? options : { ...options, now: new Date(now) },
  );
  return sql.split('WHERE ')[1];
}

describe('conditions with words for days', () => {
  const noon = '2024-02-29T12:00:00Z';

  it.each<readonly [field: string, type: string, values: readonly string[], due: string]>([
    ['day', 'EQUALS', ['today'], "day = DATE '2024-02-29'"],
    ['day', 'EQUALS', ['2024-01-01', 'yesterday'], "day IN (DATE '2024-01-01', DATE '2024-02-28')"],
    ['day', 'EQUALS', ['last month'], "day >= DATE '2024-01-01' AND day < DATE '2024-02-01'"],
    [
      'day',
      'NOT_EQUALS',
      ['last month'],
      "day < DATE '2024-01-01' OR day >= DATE '2024-02-01' OR day IS NULL",
    ],
    ['day', 'IN_DATE_RANGE', ['last 30 days'], "day >= DATE '2024-01-30' AND day < DATE '2024-02-29'"],
    ['day', 'IN_DATE_RANGE', ['last month', 'today'], "day >= DATE '2024-01-01' AND day < DATE '2024-03-01'"],
    ['day', 'AFTER_DATE', ['last month'], "day >= DATE '2024-02-01'"],
    ['day', 'BEFORE_DATE', ['last month'], "day < DATE '2024-01-01'"],
    ['day', 'AFTER_OR_ON_DATE', ['last month'], "day >= DATE '2024-01-01'"],
    ['day', 'BEFORE_OR_ON_DATE', ['last month'], "day < DATE '2024-02-01'"],
    ['day', 'GREATER_THAN', ['yesterday'], "day >= DATE '2024-02-29'"],
    [
      'moment',
      'EQUALS',
      ['today'],
      "moment >= TIMESTAMP '2024-02-29 00:00:00' AND moment < TIMESTAMP '2024-03-01 00:00:00'",
    ],
    ['day_month', 'EQUALS', ['last quarter'], "day >= DATE '2023-10-01' AND day < DATE '2024-01-01'"],
    ['day_month', 'AFTER_OR_ON_DATE', ['2024-01-15'], "day >= DATE '2024-02-01'"],
    ['day_month', 'BEFORE_OR_ON_DATE', ['2024-01-31'], "day < DATE '2024-02-01'"],
    ['day_month', 'BEFORE_DATE', ['2024-01-31'], "day < DATE '2024-02-01'"],
    [
      'moment_week',
      'IN_DATE_RANGE',
      ['2024-02-01', '2024-02-29'],
      "moment >= TIMESTAMP '2024-02-05 00:00:00' AND moment < TIMESTAMP '2024-03-04 00:00:00'",
    ],
    ['text', 'EQUALS', ['today'], "text = 'today'"],
  ])('compile %s %s %j', (field, type, values, due) => {
    expect(findWhere(noon, field, type, values)).toBe(due);
  });

  it('use the current day in the time zone of the layer', () => {
    const late = '2024-02-29T23:30:00Z';
    expect(findWhere(late, 'day', 'EQUALS', ['today'], 'Asia/Tokyo')).toBe("day = DATE '2024-03-01'");
    expect(findWhere(late, 'day', 'EQUALS', ['today'], 'America/New_York')).toBe("day = DATE '2024-02-29'");
    expect(findWhere('2024-02-29T02:00:00Z', 'moment', 'EQUALS', ['today'], 'America/New_York')).toBe(
      "moment >= TIMESTAMP '2024-02-28 05:00:00' AND moment < TIMESTAMP '2024-02-29 05:00:00'",
    );
    expect(findWhere(late, 'moment_week', 'EQUALS', ['this week'], 'America/New_York')).toBe(
      "moment >= TIMESTAMP '2024-02-26 05:00:00' AND moment < TIMESTAMP '2024-03-04 05:00:00'",
    );
  });

  it.each<readonly [now: string | undefined, type: string, values: readonly string[], message: string]>([
    [undefined, 'EQUALS', ['today'], "Value 'today' of things.day is not a valid DATE"],
    [undefined, 'IN_DATE_RANGE', ['last month'], 'Operator IN_DATE_RANGE takes 2 values'],
    [noon, 'IN_DATE_RANGE', ['2024-01-01'], 'Operator IN_DATE_RANGE takes 2 values'],
    [
      noon,
      'IN_DATE_RANGE',
      ['today', 'yesterday'],
      "Dates of things.day are out of order: 'today' is after 'yesterday'",
    ],
    [noon, 'EQUALS', ['last moth'], "Value 'last moth' of things.day is not a valid DATE"],
  ])('at %s are refused: %s %j', (now, type, values, message) => {
    expect(() => findWhere(now, 'day', type, values)).toThrow(message);
  });

  it('get hints only where such words are allowed', () => {
    const read = (now: string | undefined, value: string) => {
      try {
        findWhere(now, 'day', 'EQUALS', [value]);
      } catch (error) {
        return (error as SemanticError).hint;
      }
      return 'taken';
    };
    expect(read(noon, 'last moth')).toBe('did you mean `last month`?');
    expect(read(noon, 'last 5 moths')).toBe('did you mean `last 5 months`?');
    expect(read(noon, 'lst 12 weeks')).toBe('did you mean `last 12 weeks`?');
    expect(read(noon, 'last 0 months')).toBe('did you mean `last month`?');
    expect(read(noon, 'last 100000 days')).toMatch(/^write a date as /);
    expect(read(noon, 'whenever')).toMatch(/^write a date as 2026-01-31, or as today, /);
    expect(read(undefined, 'last moth')).toBeUndefined();
    expect(read(noon, 'today')).toBe('taken');
  });
});
