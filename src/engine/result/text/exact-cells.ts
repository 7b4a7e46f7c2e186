import type { ColumnType } from '../columns/column.ts';
import { isLongDecimal, isLongInteger, isLongIntegerText } from '../columns/number-text.ts';
import { type Cell, createEnclosedCell } from './cell.ts';
import { findWidth, readHugeint } from './number-cells.ts';
import type { TextColumn } from './text-column.ts';

const QUOTE = 0x22;
const INT32 = 2 ** 32;
const INT53 = 2 ** 53;
const FIFTEEN_DIGITS = 1e15;
const SHORT_TEXT = 15;

type IsLong<Data> = (data: Data, row: number) => boolean;

/** A cell for numbers that writes a number as a string if a double cannot represent it exactly. */
export function createExactCell(type: ColumnType, cell: Cell): Cell {
  const isLong = findLong(type);
  if (isLong === null) return cell;
  const { key, maxBytes, write } = createEnclosedCell(cell, QUOTE);
  return {
    ...cell,
    key: `exact-${key}`,
    maxBytes,
    write: (out, at, data, row) =>
      isLong(data as never, row) ? write(out, at, data, row) : cell.write(out, at, data, row),
  };
}

/** The test for long values of a column; null if the type has no long values. */
function findLong(type: ColumnType): IsLong<never> | null {
  switch (type.kind) {
    case 'integer':
      if (type.bits !== 64) return null;
      return type.signed ? isLongPair : isLongUnsignedPair;
    case 'hugeint':
      return (words: Int32Array, row) => isLongInteger(readHugeint(words, row));
    case 'uhugeint':
      return (words: Int32Array, row) => isLongInteger(BigInt.asUintN(128, readHugeint(words, row)));
    case 'decimal':
      return findLongDecimal(type.precision);
    case 'text':
      return type.label === 'INTEGER' ? isLongText : null;
    default:
      return null;
  }
}

function isLongPair(words: Int32Array, row: number): boolean {
  const value = words[2 * row + 1]! * INT32 + (words[2 * row]! >>> 0);
  if (value < INT53 && value > -INT53) return false;
  return isLongInteger((BigInt(words[2 * row + 1]!) << 32n) | BigInt(words[2 * row]! >>> 0));
}

function isLongUnsignedPair(words: Int32Array, row: number): boolean {
  const high = words[2 * row + 1]! >>> 0;
  const value = high * INT32 + (words[2 * row]! >>> 0);
  return value >= INT53 && isLongInteger((BigInt(high) << 32n) | BigInt(words[2 * row]! >>> 0));
}

function findLongDecimal(precision: number): IsLong<Int32Array> | null {
  switch (findWidth(precision)) {
    case 16:
    case 32:
      return null;
    case 64:
      return (words, row) =>
        Math.abs(words[2 * row + 1]! * INT32 + (words[2 * row]! >>> 0)) >= FIFTEEN_DIGITS;
    case 128:
      return (words, row) => isLongDecimal(readHugeint(words, row));
  }
}

function isLongText({ bytes, starts, lengths }: TextColumn, row: number): boolean {
  if (lengths[row]! <= SHORT_TEXT) return false;
  const { buffer, byteOffset } = bytes;
  const text = Buffer.from(buffer, byteOffset + starts[row]!, lengths[row]!).toString('latin1');
  return isLongIntegerText(text);
}
