import type { ColumnType, ColumnValue, TimeUnit } from '../../../../src/engine/result/columns/column.ts';
import { createNestedText } from '../../../../src/engine/result/columns/nested-text.ts';
import { toBinaryText } from '../../../../src/engine/result/columns/plain-text.ts';

type Present = Exclude<ColumnValue, null>;

/** Creates a printer of values as CSV has them; bytes are printed up to about `longest` of them. */
export function createTextReader(type: ColumnType): (value: Present, longest?: number) => string {
  if (type.kind === 'binary') {
    return (value, longest) => (value instanceof Uint8Array ? toBinaryText(value.subarray(0, longest)) : '');
  }
  return createNestedText(type);
}

const LAST_DAY = 2 ** 31 - 1;
const LAST_INSTANT = 2n ** 63n - 1n;
const DAY_MS = 86_400_000;

/** The ticks of a unit in a millisecond. */
const TICKS: Readonly<Record<TimeUnit, number>> = {
  second: 0.001,
  millisecond: 1,
  microsecond: 1_000,
  nanosecond: 1_000_000,
};

/** Creates a function that converts values to doubles, for charts and histograms (`ResultSource.getNumber`). */
export function createNumberReader(type: ColumnType): (value: Present) => number | null {
  switch (type.kind) {
    case 'integer':
    case 'float':
    case 'double':
      return Number;
    case 'decimal':
      return (value) => Number(value) / 10 ** type.scale;
    case 'date':
      return (value) => (Math.abs(Number(value)) === LAST_DAY ? null : Number(value) * DAY_MS);
    case 'time':
      return (value) => Number(value) / TICKS.microsecond;
    case 'timestamp':
      return (value) =>
        value === LAST_INSTANT || value === -LAST_INSTANT ? null : Number(value) / TICKS[type.unit];
    case 'text':
      return type.label === 'INTEGER' || type.label === 'DECIMAL' ? Number : () => null;
    default:
      return () => null;
  }
}
