import type { TypeName } from '../../engine/result/columns/type-names.ts';
import type { DataType, Platform } from '../model/model.ts';

const NUMBERS: readonly TypeName[] = ['INTEGER', 'DECIMAL', 'DOUBLE'];

/** The result types (docs/reference/results.md) that are valid values of a declared field type. */
const ACCEPTED: Readonly<Record<DataType, readonly TypeName[]>> = {
  TEXT: ['STRING', 'JSON'],
  NUMBER: NUMBERS,
  // A sum of integers can be a DECIMAL without fraction digits.
  INTEGER: ['INTEGER', 'DECIMAL'],
  FLOAT: NUMBERS,
  DECIMAL: NUMBERS,
  DATE: ['DATE'],
  DATETIME: ['TIMESTAMP'],
  BOOLEAN: ['BOOLEAN'],
};

/** MySQL's replacements for some types: numbers for booleans, and bytes for text from functions. */
const OF_MYSQL: Readonly<Partial<Record<DataType, readonly TypeName[]>>> = {
  BOOLEAN: ['INTEGER', 'STRING'],
  TEXT: ['BINARY'],
};

/** The types that a database can return for a field of a data type, in a layer with a time zone. */
export function listAccepted(type: DataType, platform: Platform, timezone: string): readonly TypeName[] {
  const own = platform === 'mysql' ? (OF_MYSQL[type] ?? []) : [];
  // In other time zones, the midnight of a date is on another day.
  const date: readonly TypeName[] = type === 'DATETIME' && timezone === 'UTC' ? ['DATE'] : [];
  return [...ACCEPTED[type], ...own, ...date];
}
