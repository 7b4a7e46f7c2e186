import type { ColumnType, Value } from '../../../../src/engine/result/columns/column.ts';
import type { ResultSource } from '../source/result-source.ts';
import { parseDecimal, toScale } from './decimals.ts';

/** A value that can be compared with others of its column; bigint and number can be compared with each other. */
export type SortKey = number | bigint | string | boolean;

/** The scale of the keys of numbers that are sent as text; further decimal places do not count. */
export const MAX_SCALE = 60;

/** Creates a reader of the keys of a column; NULL is null. Keys are equal if and only if the texts are, up to `-0`. */
export function createKeyReader(source: ResultSource, column: number): (row: number) => SortKey | null {
  const type = source.columns[column]?.valueType;
  if (type === undefined) throw new Error(`the result has no column ${column}`);
  if (isPrinted(type)) return (row) => source.getText(row, column);
  const toKey = type.kind === 'text' && type.label !== 'STRING' ? toNumberKey : toPlainKey;
  return (row) => {
    const value = source.getValue(row, column);
    return value === null ? null : toKey(value);
  };
}

/** Values that are ordered by their texts. */
function isPrinted({ kind }: ColumnType): boolean {
  return ['list', 'struct', 'map', 'union', 'variant', 'binary', 'geometry', 'null'].includes(kind);
}

function toPlainKey(value: Value): SortKey {
  return typeof value === 'object' ? String(value) : value;
}

/** Numbers without a limit of digits are sent as text, and can be `NaN` or infinite; other texts remain. */
function toNumberKey(value: Value): SortKey {
  const text = String(value);
  const decimal = parseDecimal(text);
  if (decimal !== null) return toScale(decimal, MAX_SCALE);
  return /^(nan|[+-]?infinity)$/i.test(text) ? Number(text) : text;
}

/** The order of two keys, as databases have it: NaN is above all other numbers. */
export function compareKeys(one: SortKey, other: SortKey): number {
  if (one < other) return -1;
  if (one > other) return 1;
  if (one === other) return 0;
  return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
}
