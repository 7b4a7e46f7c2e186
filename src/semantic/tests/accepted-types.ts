import type { TypeName } from '../../engine/result/columns/type-names.ts';
import type { DataType, Platform } from '../model/model.ts';

const NUMBERS: readonly TypeName[] = ['INTEGER', 'DECIMAL', 'DOUBLE'];

/** The types of a result's column (results 4) whose values are what a field is declared as. */
const ACCEPTED: Readonly<Record<DataType, readonly TypeName[]>> = {
  TEXT: ['STRING', 'JSON'],
  NUMBER: NUMBERS,
  // A sum of whole numbers may be a DECIMAL without digits behind the point.
  INTEGER: ['INTEGER', 'DECIMAL'],
  FLOAT: NUMBERS,
  DECIMAL: NUMBERS,
  DATE: ['DATE'],
  DATETIME: ['TIMESTAMP'],
  BOOLEAN: ['BOOLEAN'],
};

/** What MySQL has in place of some types: numbers for truth, and bytes for texts that a function made. */
const OF_MYSQL: Readonly<Partial<Record<DataType, readonly TypeName[]>>> = {
  BOOLEAN: ['INTEGER', 'STRING'],
  TEXT: ['BINARY'],
};

/** The types that a database may give to a field of a data type in a layer with a time zone. */
export function listAccepted(type: DataType, platform: Platform, timezone: string): readonly TypeName[] {
  const own = platform === 'mysql' ? (OF_MYSQL[type] ?? []) : [];
  // The midnight of a date lies on another day in other time zones.
  const date: readonly TypeName[] = type === 'DATETIME' && timezone === 'UTC' ? ['DATE'] : [];
  return [...ACCEPTED[type], ...own, ...date];
}
