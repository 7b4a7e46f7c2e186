import type { ColumnType } from '../columns/column.ts';
import { createJsonText, type JsonNumbers } from '../columns/json-text.ts';
import {
  isLongDecimal,
  isLongInteger,
  isLongIntegerText,
  toJsonDouble,
  toJsonFloat,
} from '../columns/number-text.ts';
import { createReader } from '../columns/read-value.ts';
import { isMarked, markEqual } from './bytes.ts';
import {
  booleanCell,
  type Cell,
  createCell,
  createEnclosedCell,
  createRawCell,
  nullCell,
  renderTexts,
  type TextColumn,
  toTextColumn,
} from './cell.ts';
import {
  createDecimalCell,
  createDoubleCell,
  createFloatCell,
  createIntegerCell,
  findWidth,
  hugeintCell,
  readHugeint,
  uhugeintCell,
} from './number-cells.ts';
import { createIsoCell, dateCell, timeCell } from './time-cells.ts';

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const BLANKS = 0x20202020;

/** The escape sequence of each byte; empty if it needs no escape. */
const ESCAPES: readonly Uint8Array[] = Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === BACKSLASH
    ? Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1))
    : new Uint8Array(0),
);
const ESCAPE_LENGTHS = Uint8Array.from(ESCAPES, ({ length }) => length);

/** The maximum encoded bytes of one byte of text. */
const MAX_ESCAPED = 6;

/** The style of JSON: `numbers` as in the encoder's options; `oneLine` writes no line ends. */
export interface JsonStyle {
  readonly numbers: JsonNumbers;
  readonly oneLine: boolean;
}

/** Creates the cell for a column of this type in JSON (docs/reference/results.md#types); NULL is written elsewhere. */
export function createJsonCell(type: ColumnType, style: JsonStyle): Cell {
  const create = FACTORIES[type.kind] as ((type: ColumnType) => Cell) | null;
  const isNumber = type.kind === 'text' && type.label === 'DECIMAL';
  if (create === null || isNumber) return createRenderedCell(type, style);
  const cell = create(type);
  return style.numbers === 'string' ? createExactCell(type, cell) : cell;
}

/** Null: written value by value, as inside nested values. */
const FACTORIES: { readonly [K in ColumnType['kind']]: ((type: KindOf<K>) => Cell) | null } = {
  boolean: () => booleanCell,
  integer: createIntegerCell,
  hugeint: () => hugeintCell,
  uhugeint: () => uhugeintCell,
  decimal: (type) => createDecimalCell(type, true),
  float: () => createFloatCell('json-float', orNull(toJsonFloat), true),
  double: () => createDoubleCell('json-double', orNull(toJsonDouble), true),
  date: () => createEnclosedCell(dateCell, QUOTE),
  time: () => createEnclosedCell(timeCell, QUOTE),
  timestamp: ({ unit, utc }) => createEnclosedCell(createIsoCell(unit, utc), QUOTE),
  null: () => nullCell,
  text: ({ label }) => (label === 'INTEGER' ? createRawCell(toTextColumn) : stringCell),
  json: null,
  binary: null,
  geometry: null,
  list: null,
  struct: null,
  map: null,
  union: null,
  variant: null,
};

const stringCell = createCell<TextColumn>({
  key: 'string',
  maxBytes: 2,
  load: toTextColumn,
  write: writeJsonString,
  size: { factor: MAX_ESCAPED, measure: measureJsonString },
});

function orNull(toText: (value: number) => string): (value: number) => string {
  return (value) => (Number.isFinite(value) ? toText(value) : 'null');
}

function createRenderedCell(type: ColumnType, { numbers, oneLine }: JsonStyle): Cell {
  const toText = createJsonText(type, numbers);
  return createRawCell((vector, rows) => {
    const read = createReader(type, vector);
    return renderTexts(rows, vector.validity, (row) => {
      const text = toText(read(row));
      // Line ends between the tokens of embedded JSON; inside strings they are escaped.
      return oneLine ? text.replace(/[\r\n]/g, ' ') : text;
    });
  });
}

const INT32 = 2 ** 32;
const INT53 = 2 ** 53;
const FIFTEEN_DIGITS = 1e15;
const SHORT_TEXT = 15;

type IsLong<Data> = (data: Data, row: number) => boolean;

/** A cell for numbers that writes a number as a string if a double cannot represent it exactly. */
function createExactCell(type: ColumnType, cell: Cell): Cell {
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

/** Writes a text as a JSON string. */
function writeJsonString(out: DataView, at: number, column: TextColumn, row: number): number {
  const length = column.lengths[row]!;
  const start = column.starts[row]!;
  out.setUint8(at, QUOTE);
  const end =
    length < 4
      ? escapeBytes(out, at + 1, column.bytes, start, start + length)
      : escapeWords(out, at + 1, column.bytes, start, start + length);
  out.setUint8(end, QUOTE);
  return end + 1;
}

/** Copies four bytes at a time up to the first that must be escaped. */
function escapeWords(out: DataView, at: number, source: DataView, start: number, end: number): number {
  const shift = at - start;
  const last = end - 4;
  for (let from = start; from < last; from += 4) {
    const word = source.getInt32(from, true);
    out.setInt32(from + shift, word, true);
    if (mustEscape(word)) return escapeBytes(out, from + shift, source, from, end);
  }
  // The last word can overlap the one before.
  const word = source.getInt32(last, true);
  out.setInt32(last + shift, word, true);
  return mustEscape(word) ? escapeBytes(out, last + shift, source, last, end) : end + shift;
}

/** Whether one of four bytes is a quote, a backslash or a control character. */
function mustEscape(word: number): boolean {
  return isMarked(markEqual(word, QUOTES) | markEqual(word, BACKSLASHES) | ((word - BLANKS) & ~word));
}

function escapeBytes(out: DataView, at: number, source: DataView, start: number, end: number): number {
  let to = at;
  for (let from = start; from < end; from += 1) {
    const byte = source.getUint8(from);
    if (ESCAPE_LENGTHS[byte] === 0) {
      out.setUint8(to, byte);
      to += 1;
    } else {
      to = writeEscape(out, to, byte);
    }
  }
  return to;
}

function writeEscape(out: DataView, at: number, byte: number): number {
  const escaped = ESCAPES[byte]!;
  for (let i = 0; i < escaped.length; i += 1) out.setUint8(at + i, escaped[i]!);
  return at + escaped.length;
}

/** The bytes of a text as a JSON string. */
function measureJsonString({ bytes, starts, lengths }: TextColumn, row: number): number {
  const start = starts[row]!;
  let size = lengths[row]! + 2;
  for (let at = start; at < start + lengths[row]!; at += 1) {
    size += Math.max(ESCAPE_LENGTHS[bytes.getUint8(at)]! - 1, 0);
  }
  return size;
}
