import type { ColumnType, ColumnValue } from '../../../../src/engine/result/columns/column.ts';
import { createTextReader } from '../source/print-value.ts';
import type { ResultSource } from '../source/result-source.ts';
import { parseDecimal, toScale } from './decimals.ts';
import { parseInterval } from './parse-interval.ts';

/** A value that can be compared with others of its column; bigint and number can be compared with each other. */
export type SortKey = number | bigint | string | boolean;

/** A key that also orders lists, structs and maps: the keys of their parts, in order; NULL is null. */
export type OrderKey = SortKey | Parts;
type Parts = readonly (OrderKey | null)[];

type Present = Exclude<ColumnValue, null>;
type ReadKey<Key> = (row: number) => Key | null;

/** The scale of the keys of numbers that are sent as text; further decimal places do not count. */
export const MAX_SCALE = 60;

/** Creates a reader of the keys of a column; NULL is null. Equal values, and only those, have the same key, up to `-0`. */
export function createKeyReader(source: ResultSource, column: number): ReadKey<SortKey> {
  const type = findType(source, column);
  if (isPrinted(type)) return (row) => source.getText(row, column);
  return readWith(source, column, createPlainKey(type));
}

/** Creates a reader of the keys that order a column of lists, structs or maps; null for other types. */
export function createNestedReader(source: ResultSource, column: number): ReadKey<OrderKey> | null {
  const type = findType(source, column);
  return isNested(type) ? readWith(source, column, createOrderKey(type)) : null;
}

function findType({ columns }: ResultSource, column: number): ColumnType {
  const type = columns[column]?.valueType;
  if (type === undefined) throw new Error(`the result has no column ${column}`);
  return type;
}

function readWith<Key>(source: ResultSource, column: number, toKey: (value: Present) => Key): ReadKey<Key> {
  return (row) => {
    const value = source.getValue(row, column);
    return value === null ? null : toKey(value);
  };
}

type NestedType = Extract<ColumnType, { readonly kind: 'list' | 'struct' | 'map' }>;

function isNested(type: ColumnType): type is NestedType {
  return ['list', 'struct', 'map'].includes(type.kind);
}

/** Values whose keys are their texts. */
function isPrinted(type: ColumnType): boolean {
  return isNested(type) || ['union', 'variant', 'binary', 'geometry', 'null'].includes(type.kind);
}

function createOrderKey(type: ColumnType): (value: Present) => OrderKey {
  if (isNested(type)) return createPartsKey(type);
  return isPrinted(type) ? createTextReader(type) : createPlainKey(type);
}

/** A map is ordered as a list of its pairs. */
function createPartsKey(type: NestedType): (value: Present) => OrderKey {
  if (type.kind === 'map') {
    const pair = [type.key, type.value].map((fieldType) => ({ name: '', type: fieldType }));
    return createPartsKey({ kind: 'list', element: { kind: 'struct', fields: pair } });
  }
  const types = type.kind === 'list' ? [type.element] : type.fields.map((field) => field.type);
  const keys = types.map(createOrderKey);
  return (value) => {
    if (!Array.isArray(value)) throw new Error('a nested value has parts');
    return value.map((part: ColumnValue, i) => {
      const toKey = keys[type.kind === 'list' ? 0 : i];
      return part === null || toKey === undefined ? null : toKey(part);
    });
  };
}

function createPlainKey(type: ColumnType): (value: Present) => SortKey {
  if (type.kind !== 'text' || type.label === 'STRING') return toPlainKey;
  return type.label === 'INTERVAL' ? toIntervalKey : toNumberKey;
}

function toPlainKey(value: Present): SortKey {
  return typeof value === 'object' ? String(value) : value;
}

function toIntervalKey(value: Present): SortKey {
  const text = String(value);
  return parseInterval(text) ?? text;
}

/** Numbers without a limit of digits are sent as text, and can be `NaN` or infinite; other texts remain. */
function toNumberKey(value: Present): SortKey {
  const text = String(value);
  const decimal = parseDecimal(text);
  if (decimal !== null) return toScale(decimal, MAX_SCALE);
  return /^(nan|[+-]?infinity)$/i.test(text) ? Number(text) : text;
}

/** The order of two keys, as databases have it: NaN is above all other numbers. */
export function compareKeys(one: OrderKey, other: OrderKey): number {
  if (typeof one === 'object' || typeof other === 'object') {
    return typeof one === 'object' && typeof other === 'object' ? compareParts(one, other) : 0;
  }
  if (one < other) return -1;
  if (one > other) return 1;
  if (one === other) return 0;
  return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
}

/** The first different part decides, and NULL is above all other parts; otherwise the shorter value is first. */
function compareParts(one: Parts, other: Parts): number {
  for (let i = 0; i < Math.min(one.length, other.length); i += 1) {
    const [left, right] = [one[i] ?? null, other[i] ?? null];
    const isOpen = left !== null && right !== null;
    const order = isOpen ? compareKeys(left, right) : Number(left === null) - Number(right === null);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}
