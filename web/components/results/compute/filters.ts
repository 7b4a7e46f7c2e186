import type { ColumnType, TimeUnit } from '../../../../src/engine/result/columns/column.ts';
import type { ResultSource } from '../source/result-source.ts';
import { parseDecimal, type ScaledInteger, toScale } from './decimals.ts';
import { parseInterval } from './parse-interval.ts';
import { compareKeys, createKeyReader, MAX_SCALE, type SortKey } from './sort-keys.ts';

/** The comparisons of filters. */
export const OPERATORS = [
  'contains',
  'equals',
  'not equals',
  'less',
  'at most',
  'greater',
  'at least',
  'is NULL',
  'is not NULL',
] as const;

export type FilterOperator = (typeof OPERATORS)[number];

/** A condition on the values of a column. */
export interface ColumnFilter {
  readonly column: number;
  readonly operator: FilterOperator;
  /** The text that a person typed; unused by the comparisons with NULL. */
  readonly operand: string;
}

/** Whether a row meets a condition. */
type RowTest = (row: number) => boolean;

/** Whether a comparison has an operand. */
export function hasOperand(operator: FilterOperator): boolean {
  return operator !== 'is NULL' && operator !== 'is not NULL';
}

type ByOrder = Exclude<FilterOperator, 'contains' | 'is NULL' | 'is not NULL'>;

const HOLDS: Readonly<Record<ByOrder, (order: number) => boolean>> = {
  equals: (order) => order === 0,
  'not equals': (order) => order !== 0,
  less: (order) => order < 0,
  'at most': (order) => order <= 0,
  greater: (order) => order > 0,
  'at least': (order) => order >= 0,
};

/**
 * Creates the test of a filter; null if the operand is not a value of the column's type. `contains` finds texts without
 * regard to case; NULL meets no condition except `is NULL`.
 */
export function createRowTest(
  source: ResultSource,
  { column, operator, operand }: ColumnFilter,
): RowTest | null {
  if (operator === 'is NULL') return (row) => source.getText(row, column, 1) === null;
  if (operator === 'is not NULL') return (row) => source.getText(row, column, 1) !== null;
  if (operator === 'contains') {
    const wanted = operand.toLowerCase();
    return (row) => source.getText(row, column)?.toLowerCase().includes(wanted) === true;
  }
  const compare = createOrder(source, column, operand);
  const holds = HOLDS[operator];
  if (compare === null) return null;
  return (row) => {
    const order = compare(row);
    return order !== null && holds(order);
  };
}

/** Creates a comparison of the values of a column with an operand; NULL is null. */
function createOrder(
  source: ResultSource,
  column: number,
  operand: string,
): ((row: number) => number | null) | null {
  const type = source.columns[column]?.valueType;
  const read = createKeyReader(source, column);
  if (type === undefined) return null;
  const scale = findScale(type);
  if (scale !== null) {
    const decimal = parseDecimal(operand);
    return decimal === null ? null : orderExactly(read, scale, decimal);
  }
  const wanted = parseOperand(type, operand);
  if (wanted === null) return null;
  return (row) => {
    const key = read(row);
    return key === null ? null : compareKeys(key, wanted);
  };
}

/** The scale of the keys of exact numbers; null for other types. */
function findScale(type: ColumnType): number | null {
  if (type.kind === 'integer') return 0;
  if (type.kind === 'decimal') return type.scale;
  return type.kind === 'text' && ['INTEGER', 'DECIMAL'].includes(type.label) ? MAX_SCALE : null;
}

/** Compares exactly, whatever the scales of the column and of the operand are. */
function orderExactly(
  read: (row: number) => SortKey | null,
  scale: number,
  decimal: ScaledInteger,
): (row: number) => number | null {
  const common = Math.max(scale, decimal.scale);
  const [factor, wanted] = [10n ** BigInt(common - scale), toScale(decimal, common)];
  return (row) => {
    const key = read(row);
    if (key === null) return null;
    if (typeof key === 'bigint') return compareKeys(key * factor, wanted);
    // NaN and the infinities have no digits.
    return compareKeys(Number.isInteger(key) ? BigInt(key) * factor : key, wanted);
  };
}

function parseOperand(type: ColumnType, operand: string): SortKey | null {
  const text = operand.trim();
  switch (type.kind) {
    case 'boolean':
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : null;
    case 'float':
    case 'double':
      return parseDouble(text);
    case 'date':
      return parseDay(text);
    case 'time':
      return parseTimeOfDay(text);
    case 'timestamp':
      return parseInstant(text, type.unit);
    case 'text':
      return type.label === 'INTERVAL' ? parseInterval(text) : operand;
    default:
      return operand;
  }
}

function parseDouble(text: string): number | null {
  const special = /^([+-]?)(nan|inf(?:inity)?)$/i.exec(text);
  if (special !== null)
    return special[2]?.toLowerCase() === 'nan' ? Number.NaN : Number(`${special[1]}Infinity`);
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isNaN(value) ? null : value;
}

const DAY_MS = 86_400_000;

/** The ticks of a unit in a second. */
const TICKS: Readonly<Record<TimeUnit, bigint>> = {
  second: 1n,
  millisecond: 1_000n,
  microsecond: 1_000_000n,
  nanosecond: 1_000_000_000n,
};

/** Days since 1970-01-01 of a date such as `2024-01-02`; null if it is not one. */
function parseDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  // A day that a month does not have is another date, or none.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) return null;
  return time / DAY_MS;
}

/** Microseconds since midnight of a time such as `03:04:05.5`; seconds can be left out. */
function parseTimeOfDay(text: string): bigint | null {
  return parseClock(text, 'microsecond');
}

/** Ticks since 1970-01-01 UTC of a timestamp such as `2024-01-02 03:04:05`; the time can be left out. */
function parseInstant(text: string, unit: TimeUnit): bigint | null {
  const [, date = '', time] = /^(\S{10})(?:[ T]([\d:.]+)(?:Z|\+00)?)?$/.exec(text) ?? [];
  const day = parseDay(date);
  const clock = time === undefined ? 0n : parseClock(time, unit);
  if (day === null || clock === null) return null;
  return BigInt(day) * 86_400n * TICKS[unit] + clock;
}

function parseClock(text: string, unit: TimeUnit): bigint | null {
  const match = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?$/.exec(text);
  if (match === null || Number(match[1]) > 24) return null;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  const whole = BigInt(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  return whole * TICKS[unit] + (BigInt(fraction.padEnd(9, '0')) * TICKS[unit]) / TICKS.nanosecond;
}
