import { type Expression, evaluate, isTrue } from './expression.ts';
import { add, divide, type Fraction, subtract, toFraction } from './fraction.ts';
import { compareValues, type Row, toKey, type Value } from './value.ts';
import type { Custom, MeasureDef } from './world.ts';

/** The value of an aggregate: `exact` to the last digit, otherwise approximate within its type. */
export interface Aggregate {
  readonly value: Fraction | number | null;
  readonly exact: boolean;
}

const TWO = toFraction(2n);

function sum(values: readonly Value[]): Fraction | number | null {
  if (values.length === 0) return null;
  if (typeof values[0] === 'number') return values.reduce<number>((a, b) => a + (b as number), 0);
  return values.reduce<Fraction>((a, b) => add(a, b as Fraction), toFraction(0n));
}

function quotient(over: Fraction | number | null, under: number): Fraction | number | null {
  if (over === null) return null;
  return typeof over === 'number' ? over / under : divide(over, toFraction(under));
}

function median(values: readonly Value[]): Fraction | number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted(compareValues);
  const low = sorted[Math.floor((sorted.length - 1) / 2)]!;
  const high = sorted[Math.floor(sorted.length / 2)]!;
  if (typeof low === 'number') return (low + (high as number)) / 2;
  return divide(add(low as Fraction, high as Fraction), TWO);
}

function valuesOf(expression: Expression, rows: readonly Row[]): Value[] {
  return rows.map((row) => evaluate(expression, (name) => row[name]!)).filter((value) => value !== null);
}

function runCustom(custom: Custom, rows: readonly Row[]): Fraction | null {
  switch (custom.kind) {
    case 'ratio': {
      const over = sum(valuesOf(custom.over, rows)) as Fraction | null;
      const under =
        custom.under === null
          ? toFraction(rows.length)
          : (sum(valuesOf(custom.under, rows)) as Fraction | null);
      return over === null || under === null || under.n === 0n ? null : divide(over, under);
    }
    case 'span': {
      const values = valuesOf(custom.of, rows).sort(compareValues);
      return values.length === 0 ? null : subtract(values.at(-1) as Fraction, values[0] as Fraction);
    }
    case 'tally':
      return toFraction(rows.length + valuesOf(custom.of, rows).length);
    case 'difference': {
      const left = sum(valuesOf(custom.left, rows)) as Fraction | null;
      const right = sum(valuesOf(custom.right, rows)) as Fraction | null;
      return left === null || right === null ? null : subtract(left, right);
    }
  }
}

/** The aggregate of a measure over rows of its entity (docs/reference/semantic-numbers.md#what-a-measure-counts). */
export function aggregate(measure: MeasureDef, all: readonly Row[]): Aggregate {
  const { filter, custom, argument } = measure;
  const rows = filter === null ? all : all.filter((row) => isTrue(filter, (name) => row[name]!));
  if (custom !== null) return { value: runCustom(custom, rows), exact: custom.kind !== 'ratio' };
  if (argument === null) return { value: toFraction(rows.length), exact: true };
  const values = valuesOf(argument, rows);
  const exact = measure.argumentType !== 'FLOAT';
  switch (measure.aggregation) {
    case 'SUM':
      return { value: sum(values), exact };
    case 'COUNT':
      return { value: toFraction(values.length), exact: true };
    case 'COUNT_DISTINCT':
      return { value: toFraction(new Set(values.map(toKey)).size), exact: true };
    case 'AVG':
      return { value: quotient(sum(values), values.length), exact: false };
    case 'MIN':
      return { value: (values.toSorted(compareValues)[0] ?? null) as Fraction | number | null, exact };
    case 'MAX':
      return { value: (values.toSorted(compareValues).at(-1) ?? null) as Fraction | number | null, exact };
    case 'MEDIAN':
      return { value: median(values), exact };
    case 'CUSTOM':
      throw new Error('a CUSTOM measure without an expression');
  }
}

/** The value of a measure in a group without rows of its entity. */
export function aggregateNothing(measure: MeasureDef): Aggregate {
  if (measure.custom !== null) return { value: runCustom(measure.custom, []), exact: true };
  const counts = measure.aggregation === 'COUNT' || measure.aggregation === 'COUNT_DISTINCT';
  return { value: counts ? toFraction(0n) : null, exact: true };
}
