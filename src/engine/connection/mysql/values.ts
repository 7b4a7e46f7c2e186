import { isUtf8 } from 'node:buffer';
import { isValid } from '../../result/columns/column.ts';
import {
  createTextDecoder,
  createUnreadable,
  readText,
  type TextDecoder,
  type TextField,
  UnreadableError,
} from '../text/field.ts';

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
/** Bytes of the reference system number before a geometry. */
const SYSTEM = 4;

/** Only NULLs. */
export const nullDecoder: TextDecoder = {
  type: { kind: 'null' },
  decode: ({ validity }) => ({ kind: 'fixed', validity, data: new Uint8Array() }),
};

/** Geometries as well-known binary, without the number of their reference system. */
export const geometryDecoder: TextDecoder = (() => {
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
export const byteJsonDecoder: TextDecoder = (() => {
  const whole = createTextDecoder({ kind: 'json' });
  return {
    type: whole.type,
    decode(field) {
      const { bytes, starts, lengths, rows } = field;
      for (let row = 0; row < rows; row += 1) {
        const start = starts[row]!;
        if (lengths[row]! >= 0 && !isUtf8(bytes.subarray(start, start + lengths[row]!)))
          throw createUnreadable(readText(field, row), 'JSON');
      }
      return whole.decode(field);
    },
  };
})();

/**
 * Bits, printed as `digits` of 0 and 1. A stored column is sent as bytes. MariaDB sends most expressions as a decimal
 * number, and window functions as bytes.
 */
export function bitDecoder(digits: number, isComputed: boolean): TextDecoder {
  return {
    type: { kind: 'text', label: 'STRING' },
    decode({ bytes: source, starts: from, lengths: widths, rows, validity }) {
      const bytes = new Uint8Array(rows * digits).fill(ZERO);
      const [starts, lengths] = [new Int32Array(rows), new Int32Array(rows)];
      for (let row = 0; row < rows; row += 1) {
        starts[row] = row * digits;
        if (!isValid(validity, row)) continue;
        lengths[row] = digits;
        const sent = source.subarray(from[row]!, from[row]! + widths[row]!);
        const own = isComputed ? readComputed(sent, digits) : sent;
        for (let digit = 0; digit < digits; digit += 1) {
          const bit = (own[own.length - 1 - (digit >> 3)]! >> (digit & 7)) & 1;
          bytes[starts[row]! + digits - 1 - digit] = ZERO + bit;
        }
      }
      return { kind: 'bytes', validity, bytes, starts, lengths };
    },
  };
}

/** The bytes of a computed BIT. Throws an UnreadableError if it could be sent in both ways, with different values. */
function readComputed(sent: Uint8Array, digits: number): Uint8Array {
  const size = Math.ceil(digits / 8);
  const text = Buffer.from(sent).toString('latin1');
  const number = /^(?:0|[1-9]\d*)$/.test(text) ? BigInt(text) : null;
  if (number === null || number >= 2n ** BigInt(digits)) return sent;
  const bytes = Buffer.from(number.toString(16).padStart(2 * size, '0'), 'hex');
  // The first byte of bits can be incomplete.
  const isAlsoBytes = sent.length === size && sent[0]! >> (digits - 8 * (size - 1)) === 0;
  if (!isAlsoBytes) return bytes;
  throw new UnreadableError(
    `has a computed BIT(${digits}), which MariaDB sends as bytes or as digits: cast it to UNSIGNED`,
  );
}

/** Decimals; an expression may have a different number of digits than the server declares, and then cannot be read. */
export function withExactDigits(decoder: TextDecoder, precision: number, scale: number): TextDecoder {
  return {
    type: decoder.type,
    decode(field) {
      const { lengths, rows } = field;
      for (let row = 0; row < rows; row += 1) {
        if (lengths[row]! >= 0 && !isExact(field, row, precision, scale)) {
          throw createUnreadable(
            readText(field, row),
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
export function withoutZeroDates(decoder: TextDecoder): TextDecoder {
  return {
    type: decoder.type,
    decode(field) {
      const { lengths, rows } = field;
      let known: TextField = field;
      for (let row = 0; row < rows; row += 1) {
        if (lengths[row]! < 0 || isDate(field, row)) continue;
        if (known === field) known = copyNulls(field);
        known.lengths[row] = -1;
        known.validity![row >> 3]! &= ~(1 << (row & 7));
      }
      return decoder.decode(known);
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
