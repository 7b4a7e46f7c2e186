import { toDecimalText } from '../../../text/decimal.ts';
import { createCellText } from '../columns/cell-text.ts';
import type { Column, ColumnType, ColumnValue, TimeUnit, Vector } from '../columns/column.ts';
import { isLongDecimal, isLongDecimalText, toJsonDouble, toJsonFloat } from '../columns/number-text.ts';
import { createReader } from '../columns/read-value.ts';
import { DAY, LAST_DAY, MISSING_DAY } from './sheet-format.ts';
import { checkCellText } from './sheet-limits.ts';
import { STYLES } from './styles.ts';
import { toXmlText } from './xml-text.ts';

/** Prints the cell of a row that is not NULL; `at` is its name, such as `B7`. */
export type PrintCell = (row: number, at: string) => string;

/**
 * Creates the printer of the cells of a column. A number of more than 15 digits, and a date that sheets do not have, is
 * a text. Printing throws a SheetLimitError for a text that is too long.
 */
export function createSheetCell({ name, type }: Column, vector: Vector): PrintCell {
  const toText = createCellText(type, vector);
  const printText: PrintCell = (row, at) => printTextCell(toText(row), at, name);
  const toValue = findValue(type);
  if (toValue === null) return printText;
  const read = createReader(type, vector);
  return (row, at) => {
    const value = read(row);
    const content = value === null ? '/>' : toValue(value);
    return content === null ? printText(row, at) : `<c r="${at}"${content}`;
  };
}

/** Prints a cell with a text. Throws a SheetLimitError; `column` is the column of its message. */
export function printTextCell(text: string, at: string, column: string, style = ''): string {
  checkCellText(text, column);
  const space = /^\s|\s$/.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${at}"${style} t="inlineStr"><is><t${space}>${toXmlText(text)}</t></is></c>`;
}

/** The rest of a cell after its name; null for a value that is written as text. */
type ToValue = (value: Exclude<ColumnValue, null>) => string | null;

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;
type ValueKind = Exclude<ColumnType['kind'], TextKind>;
/** Kinds whose values are always texts. */
type TextKind = 'json' | 'binary' | 'geometry' | 'time' | 'list' | 'struct' | 'map' | 'union' | 'variant';

const VALUES: { readonly [K in ValueKind]: (type: KindOf<K>) => ToValue | null } = {
  boolean: () => (value) => ` t="b"><v>${value === true ? 1 : 0}</v></c>`,
  integer: () => toInteger,
  hugeint: () => toInteger,
  uhugeint: () => toInteger,
  decimal:
    ({ scale }) =>
    (value) =>
      toDigits(toDecimalText(value as number | bigint, scale)),
  float: () => (value) => toDouble(value as number, toJsonFloat),
  double: () => (value) => toDouble(value as number, toJsonDouble),
  date: () => (value) => toDate((value as number) * DAY, STYLES.date),
  timestamp:
    ({ unit }) =>
    (value) =>
      toTimestamp(value as bigint, unit),
  text: ({ label }) =>
    label === 'INTEGER' || label === 'DECIMAL' ? (value) => toDigits(value as string) : null,
  null: () => () => '/>',
};

function findValue(type: ColumnType): ToValue | null {
  if (!(type.kind in VALUES)) return null;
  const create = VALUES[type.kind as ValueKind] as (type: ColumnType) => ToValue | null;
  return create(type);
}

function printNumber(digits: string): string {
  return `><v>${digits}</v></c>`;
}

const toInteger: ToValue = (value) =>
  isLongDecimal(value as number | bigint) ? null : printNumber(String(value));

/** A number in digits, without zeros at the end of its fraction. */
function toDigits(text: string): string | null {
  if (!/^-?\d*\.?\d+$/.test(text)) return null;
  const digits = text.includes('.') ? trimZeros(text) : text;
  return isLongDecimalText(digits) ? null : printNumber(digits);
}

function trimZeros(text: string): string {
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  if (text[end - 1] === '.') end -= 1;
  return text.slice(0, end);
}

function toDouble(value: number, toText: (value: number) => string): string | null {
  return Number.isFinite(value) ? printNumber(toText(value)) : null;
}

/** How many of each unit are a millisecond; 0 for seconds. */
const PER_MILLISECOND: Readonly<Record<TimeUnit, bigint>> = {
  second: 0n,
  millisecond: 1n,
  microsecond: 1_000n,
  nanosecond: 1_000_000n,
};

function toTimestamp(value: bigint, unit: TimeUnit): string | null {
  const divisor = PER_MILLISECOND[unit];
  if (divisor === 0n) return toDate(Number(value) * 1000, STYLES.timestamp);
  // Rounds down, so that the last instant of a day stays in it.
  const rest = ((value % divisor) + divisor) % divisor;
  const milliseconds = Number((value - rest) / divisor);
  return toDate(milliseconds, milliseconds % 1000 === 0 ? STYLES.timestamp : STYLES.milliseconds);
}

/** The day of a sheet that is 1970-01-01. */
const UNIX_DAY = 25_569;

/** An instant in milliseconds since 1970-01-01 as days of a sheet; null if its dates do not include it. */
function toDate(milliseconds: number, style: number): string | null {
  const day = Math.floor(milliseconds / DAY);
  const serial = day + UNIX_DAY;
  if (serial <= MISSING_DAY || serial > LAST_DAY) return null;
  return ` s="${style}"><v>${serial + (milliseconds - day * DAY) / DAY}</v></c>`;
}
