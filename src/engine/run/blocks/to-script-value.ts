import { elementAt } from '../../../invariants/must.ts';
import { createDecimal, parseNumber } from '../../../text/decimal.ts';
import type { ColumnType, ColumnValue, NamedType } from '../../result/columns/column.ts';
import { createNestedText } from '../../result/columns/nested-text.ts';
import { toFloatText } from '../../result/columns/number-text.ts';
import { createPlainText } from '../../result/columns/plain-text.ts';
import { createMap, type Value } from '../../script/values/value.ts';

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;
type Present = Exclude<ColumnValue, null>;

/** Converts a value of a database to the script language: numbers, booleans, lists, maps; strings for the rest. */
export function toScriptValue(type: ColumnType, value: ColumnValue): Value {
  if (value === null) return null;
  const convert = CONVERTERS[type.kind] as (value: Present, type: ColumnType) => Value;
  return convert(value, type);
}

/** Labels of numbers as text; `NaN`, and numbers of more digits than a script can have, stay text. */
const NUMBERS: ReadonlySet<string> = new Set(['INTEGER', 'DECIMAL']);

const toText = (value: Present, type: ColumnType) => createPlainText(type)(value);
const toInteger = (value: Present) => BigInt(value as number | bigint);
const keep = (value: Present) => value as Value;

function toList(values: readonly ColumnValue[], element: ColumnType): Value {
  return values.map((value) => toScriptValue(element, value));
}

function toStruct(values: readonly ColumnValue[], fields: readonly NamedType[]): Value {
  return createMap(
    fields.map(({ name, type }, i) => [name, toScriptValue(type, elementAt(values, i))] as const),
  );
}

function toMap(
  pairs: readonly (readonly [ColumnValue, ColumnValue])[],
  { key, value }: KindOf<'map'>,
): Value {
  const print = createNestedText(key);
  return createMap(pairs.map(([k, v]) => [print(k as Present), toScriptValue(value, v)] as const));
}

const CONVERTERS: { readonly [K in ColumnType['kind']]: (value: Present, type: KindOf<K>) => Value } = {
  boolean: keep,
  integer: toInteger,
  hugeint: toInteger,
  uhugeint: toInteger,
  decimal: (value, { scale }) => {
    const units = BigInt(value as number | bigint);
    return scale === 0 ? units : createDecimal(units, BigInt(scale));
  },
  // The shortest digits that identify the number.
  float: (value) => Number(toFloatText(value as number)),
  double: keep,
  date: toText,
  time: toText,
  timestamp: toText,
  null: () => null,
  text: (value, type) => {
    const text = createPlainText(type)(value);
    return NUMBERS.has(type.label) ? (parseNumber(text) ?? text) : text;
  },
  json: toText,
  binary: toText,
  geometry: toText,
  list: (value, { element }) => toList(value as readonly ColumnValue[], element),
  struct: (value, { fields }) => toStruct(value as readonly ColumnValue[], fields),
  map: (value, type) => toMap(value as unknown as readonly (readonly [ColumnValue, ColumnValue])[], type),
  union: (value, type) => createNestedText(type)(value),
  variant: (value, type) => createNestedText(type)(value),
};
