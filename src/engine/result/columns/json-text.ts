import { toDecimalText } from '../../../text/decimal.ts';
import type { ColumnType, ColumnValue, NamedType } from './column.ts';
import { toDateText, toIsoTimestamp, toTimeText } from './date-text.ts';
import { toGeometryText } from './geometry-text.ts';
import {
  isLongDecimal,
  isLongDecimalText,
  isLongInteger,
  isLongIntegerText,
  toJsonDouble,
  toJsonFloat,
} from './number-text.ts';

export type ToJson = (value: ColumnValue) => string;

/** `string`: integers beyond 2^53 and decimals of more than 15 digits, which a double cannot keep, become strings. */
export type JsonNumbers = 'number' | 'string';

type Present = Exclude<ColumnValue, null>;
type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;
type ToText = (value: Present) => string;
type Factories = { readonly [K in ColumnType['kind']]: (type: KindOf<K>, numbers: JsonNumbers) => ToText };

/** Creates a JSON printer for values of this type (docs/reference/results.md#types); null is `null`. */
export function createJsonText(type: ColumnType, numbers: JsonNumbers = 'number'): ToJson {
  const factory = FACTORIES[type.kind] as (type: ColumnType, numbers: JsonNumbers) => ToText;
  const write = factory(type, numbers);
  return (value) => (value === null ? 'null' : write(value));
}

const FACTORIES: Factories = {
  boolean: () => String,
  integer: (_, numbers) => createIntegerText(numbers),
  hugeint: (_, numbers) => createIntegerText(numbers),
  uhugeint: (_, numbers) => createIntegerText(numbers),
  decimal: ({ scale }, numbers) => createDecimalText(scale, numbers),
  float: () => (value) => (Number.isFinite(value) ? toJsonFloat(value as number) : 'null'),
  double: () => (value) => (Number.isFinite(value) ? toJsonDouble(value as number) : 'null'),
  date: () => (value) => `"${toDateText(value as number)}"`,
  time: () => (value) => `"${toTimeText(value as bigint, 'microsecond')}"`,
  timestamp:
    ({ unit, utc }) =>
    (value) =>
      `"${toIsoTimestamp(value as bigint, unit, utc)}"`,
  null: () => () => 'null',
  text: ({ label }, numbers) => {
    if (label === 'INTEGER') return createIntegerText(numbers);
    return label === 'DECIMAL' ? createNumberText(numbers) : (value) => JSON.stringify(value);
  },
  json: () => (value) => toEmbeddedJson(value as string),
  binary: () => (value) => toBase64(value as Uint8Array),
  geometry: () => (value) => JSON.stringify(toGeometryText(value as Uint8Array)),
  list: ({ element }, numbers) => {
    const write = createJsonText(element, numbers);
    return (value) => `[${(value as readonly ColumnValue[]).map(write).join(',')}]`;
  },
  struct: ({ fields }, numbers) => createStructText(fields, numbers),
  map: createMapText,
  union: ({ members }, numbers) => {
    const writers = members.map(({ type }) => createJsonText(type, numbers));
    return (value) => {
      const { member, value: inner } = value as { member: number; value: ColumnValue };
      return writers[member]!(inner);
    };
  },
  variant: (_, numbers) => (value) => {
    const { type, value: inner } = value as { type: ColumnType; value: ColumnValue };
    return createJsonText(type, numbers)(inner);
  },
};

function createIntegerText(numbers: JsonNumbers): ToText {
  if (numbers === 'number') return String;
  // A BIGNUM is text.
  const isLong = (value: bigint | number | string) =>
    typeof value === 'string' ? isLongIntegerText(value) : isLongInteger(BigInt(value));
  return (value) => (isLong(value as bigint | number | string) ? `"${value}"` : String(value));
}

function createDecimalText(scale: number, numbers: JsonNumbers): ToText {
  const toText = (value: Present) => toDecimalText(value as bigint | number, scale);
  if (numbers === 'number') return toText;
  return (value) => (isLongDecimal(value as bigint | number) ? `"${toText(value)}"` : toText(value));
}

/** A number of any length, as text; null for values that are not JSON numbers. */
function createNumberText(numbers: JsonNumbers): ToText {
  return (value) => {
    const text = value as string;
    if (!/\d/.test(text)) return 'null';
    return numbers === 'string' && isLongDecimalText(text) ? `"${text}"` : text;
  };
}

/** An object, or an array if the names of the fields are not unique. */
function createStructText(fields: readonly NamedType[], numbers: JsonNumbers): ToText {
  const writers = fields.map(({ type }) => createJsonText(type, numbers));
  const names = fields.map(({ name }) => name);
  if (names.includes('') || new Set(names).size < names.length) {
    return (value) =>
      `[${(value as readonly ColumnValue[]).map((field, i) => writers[i]!(field)).join(',')}]`;
  }
  const keys = names.map((name) => JSON.stringify(name));
  return (value) =>
    `{${(value as readonly ColumnValue[]).map((field, i) => `${keys[i]}:${writers[i]!(field)}`).join(',')}}`;
}

/** An object if the keys are strings, else an array of `{ key, value }`. */
function createMapText({ key, value }: KindOf<'map'>, numbers: JsonNumbers): ToText {
  const [writeKey, writeValue] = [createJsonText(key, numbers), createJsonText(value, numbers)];
  if (key.kind === 'text' && key.label === 'STRING') {
    return (pairs) =>
      `{${toPairs(pairs)
        .map(([k, v]) => `${writeKey(k)}:${writeValue(v)}`)
        .join(',')}}`;
  }
  return (pairs) =>
    `[${toPairs(pairs)
      .map(([k, v]) => `{"key":${writeKey(k)},"value":${writeValue(v)}}`)
      .join(',')}]`;
}

function toPairs(value: Present): readonly [ColumnValue, ColumnValue][] {
  return value as unknown as readonly [ColumnValue, ColumnValue][];
}

function toBase64(bytes: Uint8Array): string {
  return `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}"`;
}

/** Valid JSON unchanged, anything else as a string: a database's JSON type can also contain `[1,]` or `NaN`. */
function toEmbeddedJson(text: string): string {
  return isJson(text) ? text : JSON.stringify(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
