import type { ColumnType } from './column.ts';

/**
 * The names of types (docs/reference/results.md#types), used in `result.columns[].type`
 * (docs/reference/results.md#documents).
 */
export type TypeName =
  | 'INTEGER'
  | 'DECIMAL'
  | 'DOUBLE'
  | 'BOOLEAN'
  | 'STRING'
  | 'DATE'
  | 'TIME'
  | 'TIMESTAMP'
  | 'INTERVAL'
  | 'BINARY'
  | 'JSON'
  | 'ARRAY'
  | 'STRUCT'
  | 'MAP';

const NAMES: Readonly<Record<Exclude<ColumnType['kind'], 'text'>, TypeName>> = {
  boolean: 'BOOLEAN',
  integer: 'INTEGER',
  hugeint: 'INTEGER',
  uhugeint: 'INTEGER',
  decimal: 'DECIMAL',
  float: 'DOUBLE',
  double: 'DOUBLE',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  null: 'STRING',
  json: 'JSON',
  binary: 'BINARY',
  geometry: 'STRING',
  list: 'ARRAY',
  struct: 'STRUCT',
  map: 'MAP',
  // As in JSON, the values can have different types.
  union: 'JSON',
  variant: 'JSON',
};

/** The name that clients see for a column's type. */
export function toTypeName(type: ColumnType): TypeName {
  if (type.kind === 'text') return type.label;
  return type.kind === 'json' && type.label !== undefined ? type.label : NAMES[type.kind];
}

/** Whether a column contains numbers, which are aligned right. */
export function isNumber(type: ColumnType): boolean {
  return ['INTEGER', 'DECIMAL', 'DOUBLE'].includes(toTypeName(type));
}
