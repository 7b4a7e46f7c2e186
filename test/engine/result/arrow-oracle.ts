import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { ColumnValue } from '../../../src/engine/result/columns/column.ts';

/** A statement's columns as the engine's package reads them; values that are not numbers are its text. */
export async function readWithEngine(sql: string): Promise<ColumnValue[][]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const reader = await connection.runAndReadAll(sql);
    return reader.getColumns().map((values, column) => {
      const printed = reader.columnTypeId(column) === DuckDBTypeId.UHUGEINT;
      return values.map((value) => (printed && value !== null ? String(value) : toValue(value)));
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function toValue(value: DuckDBValue): ColumnValue {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof DuckDBDecimalValue) return value.width <= 9 ? Number(value.value) : value.value;
  if (value instanceof DuckDBDateValue) return value.days;
  if (value instanceof DuckDBTimestampNanosecondsValue) return value.nanos;
  if (value instanceof DuckDBTimeValue) return value.micros;
  if (value instanceof DuckDBTimestampValue) return value.micros;
  if (value instanceof DuckDBTimestampTZValue) return value.micros;
  if (value instanceof DuckDBBlobValue) return value.bytes;
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(toValue);
  if (value instanceof DuckDBStructValue) return Object.values(value.entries).map(toValue);
  if (value instanceof DuckDBMapValue)
    return value.entries.map((pair) => [toValue(pair.key), toValue(pair.value)]);
  return String(value);
}
