import { toDecimalText } from '../../../text/decimal.ts';
import type { ColumnType, ColumnValue } from './column.ts';
import { toDateText, toTimestampText, toTimeText } from './date-text.ts';
import { toGeometryText } from './geometry-text.ts';
import { toDoubleText, toFloatText } from './number-text.ts';

export type ToText = (value: Exclude<ColumnValue, null>) => string;

/**
 * Creates a printer of plain text, as SQL databases print values of this type: in CSV, in a table, inside the text of a
 * nested value. Throws for nested types, whose text comes from the engine.
 */
export function createPlainText(type: ColumnType): ToText {
  switch (type.kind) {
    case 'decimal':
      return (value) => toPlainDecimal(value as number | bigint, type.precision, type.scale);
    case 'timestamp':
      return (value) => toTimestampText(value as bigint, type.unit, type.utc);
    case 'list':
    case 'struct':
    case 'map':
    case 'union':
    case 'variant':
      throw new Error(`${type.kind} values have no plain text`);
    default:
      return TEXTS[type.kind];
  }
}

type PlainKind = Exclude<
  ColumnType['kind'],
  'decimal' | 'timestamp' | 'list' | 'struct' | 'map' | 'union' | 'variant'
>;

const TEXTS: Readonly<Record<PlainKind, ToText>> = {
  boolean: String,
  integer: String,
  hugeint: String,
  uhugeint: String,
  float: (value) => toFloatText(value as number),
  double: (value) => toDoubleText(value as number),
  date: (value) => toDateText(value as number),
  time: (value) => toTimeText(value as bigint, 'microsecond'),
  null: () => '',
  text: String,
  json: String,
  binary: (value) => toBinaryText(value as Uint8Array),
  geometry: (value) => toGeometryText(value as Uint8Array),
};

/** Omits the zero before the point if the type has no digits there: `.50` is the text of a DECIMAL(2,2). */
function toPlainDecimal(unscaled: number | bigint, precision: number, scale: number): string {
  const text = toDecimalText(unscaled, scale);
  return precision === scale ? text.replace('0.', '.') : text;
}

/** The text of each byte: printable ASCII unchanged, except quotes and backslash; everything else as `\xAA`. */
const BYTE_TEXTS: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (/[^ -~]|["'\\]/.test(character)) return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return character;
});

/** Bytes as text: printable ASCII unchanged, except quotes and backslash; everything else as `\xAA`. */
export function toBinaryText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += BYTE_TEXTS[byte];
  return text;
}
