import type { ColumnType, ColumnValue } from '../../../result/columns/column.ts';
import { printBignum, printBits, printInterval, printTimeNs, printTimeTz, printUuid } from './value-texts.ts';

/** A value and what it is. */
export interface Typed {
  readonly type: ColumnType;
  readonly value: ColumnValue;
}

/** Reads the value that begins at `at`. */
export type ReadTyped = (view: DataView, at: number) => Typed;

export const OBJECT = 29;
export const ARRAY = 30;

const TEXT = { kind: 'text', label: 'STRING' } as const;
const TIME = { kind: 'text', label: 'TIME' } as const;
const INTERVAL = { kind: 'text', label: 'INTERVAL' } as const;
const DIGITS = { kind: 'text', label: 'INTEGER' } as const;

function constant(type: ColumnType, value: ColumnValue): ReadTyped {
  return () => ({ type, value });
}

function plain(type: ColumnType, read: (view: DataView, at: number) => ColumnValue): ReadTyped {
  return (view, at) => ({ type, value: read(view, at) });
}

function integer(
  bits: 8 | 16 | 32 | 64,
  signed: boolean,
  read: (view: DataView, at: number) => ColumnValue,
): ReadTyped {
  return plain({ kind: 'integer', bits, signed }, read);
}

function timestamp(unit: 'second' | 'millisecond' | 'microsecond' | 'nanosecond', utc: boolean): ReadTyped {
  return plain({ kind: 'timestamp', unit, utc }, (view, at) => view.getBigInt64(at, true));
}

/** A value with its length before it. */
function sized(type: ColumnType, read: (bytes: Uint8Array) => ColumnValue): ReadTyped {
  return (view, at) => {
    const [length, start] = readVarint(view, at);
    return { type, value: read(new Uint8Array(view.buffer, view.byteOffset + start, length)) };
  };
}

/** The values of a VARIANT that have no parts, by the number of their type. */
export const SIMPLE_VALUES: readonly (ReadTyped | undefined)[] = [
  constant({ kind: 'null' }, null),
  constant({ kind: 'boolean' }, true),
  constant({ kind: 'boolean' }, false),
  integer(8, true, (view, at) => view.getInt8(at)),
  integer(16, true, (view, at) => view.getInt16(at, true)),
  integer(32, true, (view, at) => view.getInt32(at, true)),
  integer(64, true, (view, at) => view.getBigInt64(at, true)),
  plain({ kind: 'hugeint' }, readHugeint),
  integer(8, false, (view, at) => view.getUint8(at)),
  integer(16, false, (view, at) => view.getUint16(at, true)),
  integer(32, false, (view, at) => view.getUint32(at, true)),
  integer(64, false, (view, at) => view.getBigUint64(at, true)),
  plain({ kind: 'uhugeint' }, (view, at) => BigInt.asUintN(128, readHugeint(view, at))),
  plain({ kind: 'float' }, (view, at) => view.getFloat32(at, true)),
  plain({ kind: 'double' }, (view, at) => view.getFloat64(at, true)),
  readDecimal,
  sized(TEXT, (bytes) => Buffer.from(bytes).toString('utf8')),
  sized({ kind: 'binary' }, (bytes) => bytes),
  plain(TEXT, printUuid),
  plain({ kind: 'date' }, (view, at) => view.getInt32(at, true)),
  plain({ kind: 'time' }, (view, at) => view.getBigInt64(at, true)),
  plain(TIME, printTimeNs),
  timestamp('second', false),
  timestamp('millisecond', false),
  timestamp('microsecond', false),
  timestamp('nanosecond', false),
  plain(TIME, printTimeTz),
  timestamp('microsecond', true),
  plain(INTERVAL, printInterval),
  undefined,
  undefined,
  sized(DIGITS, printBignum),
  sized(TEXT, printBits),
  sized({ kind: 'geometry' }, (bytes) => bytes),
];

function readHugeint(view: DataView, at: number): bigint {
  return (view.getBigInt64(at + 8, true) << 64n) | view.getBigUint64(at, true);
}

/** Precision, scale, and the unscaled value in as many bytes as the precision needs. */
function readDecimal(view: DataView, at: number): Typed {
  const [precision, afterPrecision] = readVarint(view, at);
  const [scale, start] = readVarint(view, afterPrecision);
  return { type: { kind: 'decimal', precision, scale }, value: readUnscaled(view, start, precision) };
}

function readUnscaled(view: DataView, at: number, precision: number): ColumnValue {
  if (precision <= 4) return view.getInt16(at, true);
  if (precision <= 9) return view.getInt32(at, true);
  return precision <= 18 ? view.getBigInt64(at, true) : readHugeint(view, at);
}

/** A number of any size, seven bits a byte, low ones first; and where it ends. */
export function readVarint(view: DataView, at: number): [value: number, end: number] {
  let value = 0;
  for (let end = at, factor = 1; ; factor *= 128) {
    const byte = view.getUint8(end);
    end += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return [value, end];
  }
}
