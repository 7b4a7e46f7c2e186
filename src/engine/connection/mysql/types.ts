import type { ColumnType } from '../../result/columns/column.ts';
import { createTextDecoder, nameColumn, type TextDecoder } from '../text/field.ts';
import { createDecimalDecoder, createIntegerDecoder, doubleDecoder, floatDecoder } from '../text/numbers.ts';
import { createTimestampDecoder, dateDecoder } from '../text/times.ts';
import type { FieldDescription } from './messages.ts';
import {
  bitDecoder,
  byteJsonDecoder,
  geometryDecoder,
  nullDecoder,
  withExactDigits,
  withoutZeroDates,
} from './values.ts';

const MAX_DIGITS = 38;
/** The character set number of bytes. */
const BINARY = 63;
const UNSIGNED = 0x20;
/** A flag of all numbers but stored BIT columns. */
const COMPUTED = 0x80;
/** Names of the time zone UTC. */
const UTC = /^(?:\+00:00|-00:00|UTC|Etc\/UTC|GMT)$/i;

type Factory = (field: FieldDescription, timeZone: string) => TextDecoder;

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
export function createDecoder(field: FieldDescription, timeZone: string): TextDecoder {
  return nameColumn(field.name, (FACTORIES.get(field.type) ?? characters)(field, timeZone));
}

/** Whether a table made from a column could only hold NULLs and empty strings in it. */
export function isUntyped(type: ColumnType): boolean {
  return type.kind === 'null' || type === empty.type;
}
