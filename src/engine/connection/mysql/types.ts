import { isUtf8 } from 'node:buffer';
import { type ColumnType, isValid } from '../../result/columns/column.ts';
import {
  createTextDecoder,
  createUnreadable,
  nameColumn,
  readFieldText,
  type TextDecoder,
  type TextField,
  UnreadableError,
} from '../text/field.ts';
import { createDecimalDecoder, createIntegerDecoder, doubleDecoder, floatDecoder } from '../text/numbers.ts';
import { createTimestampDecoder, dateDecoder } from '../text/times.ts';
import type { ColumnDefinition } from './messages.ts';

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
/** Bytes of the reference system number before a geometry. */
const SYSTEM = 4;

/** Only NULLs. */
const nullDecoder: TextDecoder = {
  type: { kind: 'null' },
  decode: ({ validity }) => ({ kind: 'fixed', validity, data: new Uint8Array() }),
};

/** Geometries as well-known binary, without the number of their reference system. */
const geometryDecoder: TextDecoder = (() => {
  const whole = createTextDecoder({ kind: 'geometry' });
  return {
    type: whole.type,
    decode: (field) => {
      const { starts, lengths, rows } = field;
      return whole.decode({
        ...field,
        starts: starts.slice(0, rows).map((start) => start + SYSTEM),
        lengths: lengths.slice(0, rows).map((length) => length - SYSTEM),
      });
    },
  };
})();

/** JSON made from bytes, which may be invalid text and then cannot be read. */
const byteJsonDecoder: TextDecoder = (() => {
  const whole = createTextDecoder({ kind: 'json' });
  return {
    type: whole.type,
    decode(field) {
      const { bytes, starts, lengths, rows } = field;
      for (let row = 0; row < rows; row += 1) {
        const start = starts[row]!;
        if (lengths[row]! >= 0 && !isUtf8(bytes.subarray(start, start + lengths[row]!)))
          throw createUnreadable(readFieldText(field, row), 'JSON');
      }
      return whole.decode(field);
    },
  };
})();

/**
 * Bits, printed as `digits` of 0 and 1. A stored column is sent as bytes. MariaDB sends most expressions as a decimal
 * number, and window functions as bytes.
 */
function bitDecoder(digits: number, isComputed: boolean): TextDecoder {
  return {
    type: { kind: 'text', label: 'STRING' },
    decode({ bytes: source, starts: from, lengths: widths, rows, validity }) {
      const bytes = new Uint8Array(rows * digits).fill(ZERO);
      const [starts, lengths] = [new Int32Array(rows), new Int32Array(rows)];
      for (let row = 0; row < rows; row += 1) {
        starts[row] = row * digits;
        if (!isValid(validity, row)) continue;
        lengths[row] = digits;
        const sentBytes = source.subarray(from[row]!, from[row]! + widths[row]!);
        const bits = isComputed ? readComputed(sentBytes, digits) : sentBytes;
        for (let digit = 0; digit < digits; digit += 1) {
          const bit = (bits[bits.length - 1 - (digit >> 3)]! >> (digit & 7)) & 1;
          bytes[starts[row]! + digits - 1 - digit] = ZERO + bit;
        }
      }
      return { kind: 'bytes', validity, bytes, starts, lengths };
    },
  };
}

/** The bytes of a computed BIT. Throws an UnreadableError if it could be sent in both ways, with different values. */
function readComputed(sentBytes: Uint8Array, digits: number): Uint8Array {
  const size = Math.ceil(digits / 8);
  const text = Buffer.from(sentBytes).toString('latin1');
  const number = /^(?:0|[1-9]\d*)$/.test(text) ? BigInt(text) : null;
  if (number === null || number >= 2n ** BigInt(digits)) return sentBytes;
  const bytes = Buffer.from(number.toString(16).padStart(2 * size, '0'), 'hex');
  // The first byte of bits can be incomplete.
  const isAlsoBytes = sentBytes.length === size && sentBytes[0]! >> (digits - 8 * (size - 1)) === 0;
  if (!isAlsoBytes) return bytes;
  throw new UnreadableError(
    `has a computed BIT(${digits}), which MariaDB sends as bytes or as digits: cast it to UNSIGNED`,
  );
}

/** Decimals; an expression may have a different number of digits than the server declares, and then cannot be read. */
function withExactDigits(decoder: TextDecoder, precision: number, scale: number): TextDecoder {
  return {
    type: decoder.type,
    decode(field) {
      const { lengths, rows } = field;
      for (let row = 0; row < rows; row += 1) {
        if (lengths[row]! >= 0 && !isExact(field, row, precision, scale)) {
          throw createUnreadable(
            readFieldText(field, row),
            `a decimal of ${precision} digits, ${scale} of a fraction`,
          );
        }
      }
      return decoder.decode(field);
    },
  };
}

function isExact(
  { bytes, starts, lengths }: TextField,
  row: number,
  precision: number,
  scale: number,
): boolean {
  let at = starts[row]!;
  const end = at + lengths[row]!;
  if (bytes[at] === MINUS) at += 1;
  const point = scale > 0 ? end - scale - 1 : end;
  if (scale > 0 && bytes[point] !== POINT) return false;
  // Leading zeros do not count as digits.
  while (at < point && bytes[at] === ZERO) at += 1;
  return point - at <= precision - scale;
}

/** Dates, with or without a time; invalid ones become NULL. */
function withoutZeroDates(decoder: TextDecoder): TextDecoder {
  return {
    type: decoder.type,
    decode(field) {
      const { lengths, rows } = field;
      let validField: TextField = field;
      for (let row = 0; row < rows; row += 1) {
        if (lengths[row]! < 0 || isDate(field, row)) continue;
        if (validField === field) validField = copyNulls(field);
        validField.lengths[row] = -1;
        validField.validity![row >> 3]! &= ~(1 << (row & 7));
      }
      return decoder.decode(validField);
    },
  };
}

function copyNulls(field: TextField): TextField {
  const { lengths, validity, rows } = field;
  return {
    ...field,
    lengths: lengths.slice(0, rows),
    validity: validity?.slice() ?? new Uint8Array((rows + 7) >> 3).fill(0xff),
  };
}

/** Whether the month and day of `YYYY-MM-DD…` exist. */
function isDate({ bytes, starts }: TextField, row: number): boolean {
  const at = starts[row]!;
  const two = (i: number) => (bytes[at + i]! - ZERO) * 10 + bytes[at + i + 1]! - ZERO;
  const month = two(5);
  const day = two(8);
  if (month === 0 || day === 0) return false;
  return day <= 28 || day <= countDays(two(0) * 100 + two(2), month);
}

function countDays(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}

const MAX_DIGITS = 38;
/** The character set number of bytes. */
const BINARY = 63;
const UNSIGNED = 0x20;
/** A flag of all numbers but stored BIT columns. */
const COMPUTED = 0x80;
/** Names of the time zone UTC. */
const UTC = /^(?:\+00:00|-00:00|UTC|Etc\/UTC|GMT)$/i;

type Factory = (field: ColumnDefinition, timeZone: string) => TextDecoder;

function text(label: Extract<ColumnType, { readonly kind: 'text' }>['label']): TextDecoder {
  return createTextDecoder({ kind: 'text', label });
}

const string = text('STRING');
/** A column that cannot hold any text: one of empty strings, or of bare NULLs. */
const empty = text('STRING');
const time = text('TIME');
const number = text('DECIMAL');
const json = createTextDecoder({ kind: 'json' });
const binary = createTextDecoder({ kind: 'binary' });
const date = withoutZeroDates(dateDecoder);
const dateTime = withoutZeroDates(createTimestampDecoder(false));
const instant = withoutZeroDates(createTimestampDecoder(true));

const integer =
  (bits: 8 | 16 | 32 | 64): Factory =>
  ({ flags }) =>
    createIntegerDecoder(bits, (flags & UNSIGNED) === 0);

/** A decimal; its length includes a point and a sign. */
const decimal: Factory = ({ length, decimals, flags }) => {
  const digits = length - (decimals > 0 ? 1 : 0) - ((flags & UNSIGNED) === 0 ? 1 : 0);
  const precision = Math.max(digits, decimals, 1);
  if (precision > MAX_DIGITS) return number;
  return withExactDigits(createDecimalDecoder(precision, decimals), precision, decimals);
};

/** Text in a character set, or bytes. */
const characters: Factory = ({ charset, length, extension }) => {
  if (extension.format === 'json') return charset === BINARY ? byteJsonDecoder : json;
  if (length === 0) return empty;
  return charset === BINARY ? binary : string;
};

/**
 * MySQL types by number (docs/reference/databases.md#types). A BOOLEAN is a TINYINT(1) and therefore an integer; bits
 * are text of their digits; times may be negative or longer than a day and are therefore text. Invalid dates such as
 * 0000-00-00 are NULL. A TIMESTAMP is an instant if the session's time zone is UTC, otherwise the local time of that
 * zone. A server prints a FLOAT with 6 digits.
 */
const FACTORIES: ReadonlyMap<number, Factory> = new Map<number, Factory>([
  [0, decimal],
  [1, integer(8)],
  [2, integer(16)],
  [3, integer(32)],
  [4, () => floatDecoder],
  [5, () => doubleDecoder],
  [6, () => nullDecoder],
  [7, (_, timeZone) => (UTC.test(timeZone) ? instant : dateTime)],
  [8, integer(64)],
  [9, integer(32)],
  [10, () => date],
  [11, () => time],
  [12, () => dateTime],
  [13, integer(16)],
  [16, ({ length, flags }) => bitDecoder(length, (flags & COMPUTED) !== 0)],
  [245, () => json],
  [246, decimal],
  [255, () => geometryDecoder],
]);

/** The decoder of a column, for the time zone of the session. */
export function createDecoder(field: ColumnDefinition, timeZone: string): TextDecoder {
  return nameColumn(field.name, (FACTORIES.get(field.type) ?? characters)(field, timeZone));
}

/** Whether a table made from a column could only hold NULLs and empty strings in it. */
export function isUntyped(type: ColumnType): boolean {
  return type.kind === 'null' || type === empty.type;
}
