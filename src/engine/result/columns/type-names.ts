import type { ColumnType } from './column.ts';

/** The names of results 4, as `result.columns[].type` (interface 2.5) carries them. */
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
  // Their values are of several types, as a JSON value is.
  union: 'JSON',
  variant: 'JSON',
};

/** The name that clients see for a column's type. */
export function toTypeName(type: ColumnType): TypeName {
  return type.kind === 'text' ? type.label : NAMES[type.kind];
}

/** Whether a column holds numbers, which people read with their digits in line. */
export function isNumber(type: ColumnType): boolean {
  return ['INTEGER', 'DECIMAL', 'DOUBLE'].includes(toTypeName(type));
}
