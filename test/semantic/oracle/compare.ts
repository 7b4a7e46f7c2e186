import type { ColumnType, ColumnValue } from '../../../src/engine/result/columns/column.ts';
import type { DataType } from '../../../src/semantic/model/model.ts';
import type { Rows } from '../../engine/connection/results.ts';
import type { Aggregate } from './aggregate.ts';
import type { Answer, AnswerRow } from './answer.ts';
import { type Fraction, parseFraction, printDecimal, subtract, toDouble, toFraction } from './fraction.ts';
import { toKey, type Value } from './value.ts';

const TO_MICROSECONDS = { second: 1_000_000n, millisecond: 1000n, microsecond: 1n, nanosecond: 1n } as const;

/** Converts a value of a result to the oracle's form, by its column; a DECIMAL has a scale. */
function readNumber(value: ColumnValue, type: ColumnType): Fraction | number {
  switch (type.kind) {
    case 'integer':
    case 'hugeint':
      return toFraction(value as number | bigint);
    case 'decimal':
      return toFraction(BigInt(value as number | bigint), 10n ** BigInt(type.scale));
    case 'text':
      return parseFraction(value as string);
    case 'float':
    case 'double':
      return value as number;
    default:
      throw new Error(`a number in a column of kind ${type.kind}`);
  }
}

function readDimension(value: ColumnValue, type: ColumnType, dataType: DataType): Value {
  if (value === null) return null;
  const expected = { DATE: 'date', DATETIME: 'timestamp', TEXT: 'text' }[dataType as 'DATE'] ?? null;
  if (expected !== null && type.kind !== expected)
    throw new Error(`a ${dataType} in a column of kind ${type.kind}`);
  if (dataType === 'DATE') return BigInt(value as number);
  if (type.kind === 'timestamp') return (value as bigint) * TO_MICROSECONDS[type.unit];
  if (dataType === 'TEXT') return value as string;
  if (dataType === 'BOOLEAN') return Boolean(value);
  return readNumber(value, type);
}

/** The number of fraction digits in a result number. */
function findScale(value: ColumnValue, type: ColumnType): number {
  if (type.kind === 'decimal') return type.scale;
  return type.kind === 'text' ? (String(value).split('.')[1]?.length ?? 0) : 0;
}

/** Half a unit of the last digit if there are at least four fraction digits; otherwise 1e-12 of the value. */
function isNear(expected: Fraction | number, value: ColumnValue, type: ColumnType): boolean {
  const got = readNumber(value, type);
  const right = typeof expected === 'number' ? expected : toDouble(expected);
  const wrong =
    typeof got === 'object' && typeof expected === 'object'
      ? toDouble(subtract(got, expected))
      : (typeof got === 'number' ? got : toDouble(got)) - right;
  const scale = typeof got === 'object' ? findScale(value, type) : 0;
  const digit = scale >= 4 ? 0.5000001 * 10 ** -scale : 0;
  return Math.abs(wrong) <= Math.max(1e-12 * Math.abs(right), digit, 1e-300);
}

function isRight(expected: Aggregate, value: ColumnValue, type: ColumnType): boolean {
  if (expected.value === null || value === null) return expected.value === value;
  if (!expected.exact) return isNear(expected.value, value, type);
  return toKey(expected.value) === toKey(readNumber(value, type));
}

/** Prints a value for people. */
export function printValue(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'object') return typeof value === 'string' ? JSON.stringify(value) : String(value);
  return 10n ** 6n % value.d === 0n ? printDecimal(value, 6).replace(/\.?0+$/, '') : String(toDouble(value));
}

export const printRow = ({ dims, measures }: AnswerRow) =>
  `(${[...dims, ...measures.map(({ value }) => value)].map(printValue).join(', ')})`;

function printRaw(row: readonly ColumnValue[]): string {
  return `(${row.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(', ')})`;
}

/** The first error in the rows of a query; null without errors. */
export function findDifference(answer: Answer, { columns, rows }: Rows): string | null {
  if (columns.length !== answer.columns.length) return `${columns.length} columns`;
  const due = answer.rows.slice(answer.skip, answer.skip + answer.fetch);
  const waiting = new Map(answer.rows.map((row) => [row.dims.map(toKey).join('\0'), row]));
  const taken: AnswerRow[] = [];
  for (const row of rows) {
    const count = answer.dimensions;
    const dims = row.slice(0, count).map((value, at) => {
      return readDimension(value, columns[at]!.type, answer.columns[at]!.dataType);
    });
    const key = dims.map(toKey).join('\0');
    const expected = waiting.get(key);
    if (expected === undefined) return `unexpected row ${printRaw(row)}`;
    waiting.delete(key);
    taken.push(expected);
    const wrong = expected.measures.findIndex((measure, at) => {
      return !isRight(measure, row[count + at]!, columns[count + at]!.type);
    });
    if (wrong >= 0) {
      const { kind } = columns[count + wrong]!.type;
      return `${printRaw(row)} instead of ${printRow(expected)}: column ${count + wrong} (${kind})`;
    }
  }
  if (rows.length !== due.length)
    return `${rows.length} rows instead of ${due.length}: ${[...waiting.values()].map(printRow).join(' ')} missing`;
  const printOrder = (some: readonly AnswerRow[]) =>
    some.map(({ order }) => order.map(printValue).join(', ')).join('; ');
  const [should, is] = [printOrder(due), printOrder(taken)];
  return should === is ? null : `ordered by ${is} instead of ${should}`;
}
