import { compareFractions, type Fraction } from './fraction.ts';

/**
 * A value by its data type: INTEGER, DECIMAL and NUMBER a fraction, FLOAT a number, TEXT a string, DATE days and
 * DATETIME microseconds since 1970-01-01 as bigint, BOOLEAN a boolean.
 */
export type Value = null | boolean | string | number | bigint | Fraction;

/** Columns by name. */
export type Row = Readonly<Record<string, Value>>;

/** A string that is equal for equal values; NULL equals NULL. */
export function toKey(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'object') return `${value.n}/${value.d}`;
  return `${typeof value}:${value}`;
}

/** Compares two values of one type that are not NULL: text by code points, false before true. */
export function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) throw new Error('NULL has no order');
  if (typeof a === 'object') return compareFractions(a, b as Fraction);
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return a < b ? -1 : Number(a > b);
}

const DAY_MS = 86_400_000;

/** Days since 1970-01-01, from a string such as `2024-02-29`. */
export const parseDay = (text: string) => BigInt(Date.parse(`${text}T00:00:00Z`) / DAY_MS);

export const printDay = (day: bigint) => new Date(Number(day) * DAY_MS).toISOString().slice(0, 10);

/** Microseconds since 1970-01-01, from a string such as `2024-02-29T12:30:00.000001`. */
export function parseMoment(text: string): bigint {
  const [day = '', time = ''] = text.split(/[T ]/);
  const [clock = '', rest = ''] = time.split('.');
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  const whole = parseDay(day) * 86_400n + BigInt(hours * 3600 + minutes * 60 + seconds);
  return whole * 1_000_000n + BigInt(rest.padEnd(6, '0'));
}

export function printMoment(moment: bigint): string {
  const rest = moment % 1_000_000n;
  const seconds = new Date(Number(moment / 1000n)).toISOString().slice(0, 19);
  return rest === 0n ? seconds : `${seconds}.${rest.toString().padStart(6, '0')}`;
}

/** The day that contains a DATETIME. */
export const toDay = (moment: bigint) =>
  (moment - (((moment % 86_400_000_000n) + 86_400_000_000n) % 86_400_000_000n)) / 86_400_000_000n;
