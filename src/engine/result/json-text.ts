import type { ColumnType, Field, Value } from './column.ts';
import { toDateText, toIsoTimestamp, toTimeText } from './date-text.ts';
import { toDecimalText, toJsonDouble, toJsonFloat } from './number-text.ts';

export type ToJson = (value: Value) => string;

type Present = Exclude<Value, null>;
type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;
type Factories = { readonly [K in ColumnType['kind']]: (type: KindOf<K>) => (value: Present) => string };

/** How a value of this type is written in JSON (results 4); null is `null`. */
export function createJsonText(type: ColumnType): ToJson {
  const factory = FACTORIES[type.kind] as (type: ColumnType) => (value: Present) => string;
  const write = factory(type);
  return (value) => (value === null ? 'null' : write(value));
}

const FACTORIES: Factories = {
  boolean: () => String,
  integer: () => String,
  hugeint: () => String,
  uhugeint: () => String,
  decimal:
    ({ scale }) =>
    (value) =>
      toDecimalText(value as bigint, scale),
  float: () => (value) => (Number.isFinite(value) ? toJsonFloat(value as number) : 'null'),
  double: () => (value) => (Number.isFinite(value) ? toJsonDouble(value as number) : 'null'),
  date: () => (value) => `"${toDateText(value as number)}"`,
  time: () => (value) => `"${toTimeText(value as bigint, 'microsecond')}"`,
  timestamp:
    ({ unit, utc }) =>
    (value) =>
      `"${toIsoTimestamp(value as bigint, unit, utc)}"`,
  null: () => () => 'null',
  text: ({ label }) => (label === 'INTEGER' ? String : (value) => JSON.stringify(value)),
  json: () => (value) => toEmbeddedJson(value as string),
  binary: () => (value) => toBase64(value as Uint8Array),
  list: ({ element }) => {
    const write = createJsonText(element);
    return (value) => `[${(value as readonly Value[]).map(write).join(',')}]`;
  },
  struct: ({ fields }) => createStructText(fields),
  map: createMapText,
  union: ({ members }) => {
    const writers = members.map(({ type }) => createJsonText(type));
    return (value) => {
      const { member, value: inner } = value as { member: number; value: Value };
      return writers[member]!(inner);
    };
  },
  variant: () => (value) => {
    const { type, value: inner } = value as { type: ColumnType; value: Value };
    return createJsonText(type)(inner);
  },
};

/** An object, or an array where the names of the fields cannot tell them apart. */
function createStructText(fields: readonly Field[]): (value: Present) => string {
  const writers = fields.map(({ type }) => createJsonText(type));
  const names = fields.map(({ name }) => name);
  if (names.includes('') || new Set(names).size < names.length) {
    return (value) => `[${(value as readonly Value[]).map((field, i) => writers[i]!(field)).join(',')}]`;
  }
  const keys = names.map((name) => JSON.stringify(name));
  return (value) =>
    `{${(value as readonly Value[]).map((field, i) => `${keys[i]}:${writers[i]!(field)}`).join(',')}}`;
}

/** An object when the keys are strings, else an array of `{ key, value }`. */
function createMapText({ key, value }: KindOf<'map'>): (value: Present) => string {
  const [writeKey, writeValue] = [createJsonText(key), createJsonText(value)];
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

function toPairs(value: Present): readonly [Value, Value][] {
  return value as unknown as readonly [Value, Value][];
}

function toBase64(bytes: Uint8Array): string {
  return `"${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}"`;
}

/** JSON text as it stands when it is valid, else as a string: a database's JSON type may also hold `[1,]` or `NaN`. */
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
