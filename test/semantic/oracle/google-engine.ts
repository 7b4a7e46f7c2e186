import { DatabaseError } from '../../../src/engine/connection/contract/connection.ts';
import type { ColumnType } from '../../../src/engine/result/columns/column.ts';
import type { DataType } from '../../../src/semantic/model/model.ts';
import type { Rows } from '../../engine/connection/results.ts';
import type { GoogleRows, GoogleSql, GoogleTable, GoogleType } from '../../support/googlesql.ts';
import type { Engine } from './engine.ts';
import { printLiteral } from './expression.ts';
import type { Value } from './value.ts';
import type { EntityDef } from './world.ts';

const TYPES: Readonly<Record<DataType, GoogleType>> = {
  TEXT: 'STRING',
  INTEGER: 'INT64',
  NUMBER: 'NUMERIC',
  DECIMAL: 'NUMERIC',
  FLOAT: 'FLOAT64',
  DATE: 'DATE',
  DATETIME: 'TIMESTAMP',
  BOOLEAN: 'BOOL',
};

const COLUMN_TYPES: Readonly<Record<GoogleType, ColumnType>> = {
  STRING: { kind: 'text', label: 'STRING' },
  INT64: { kind: 'integer', bits: 64, signed: true },
  NUMERIC: { kind: 'decimal', precision: 38, scale: 9 },
  BIGNUMERIC: { kind: 'decimal', precision: 76, scale: 38 },
  FLOAT64: { kind: 'double' },
  DATE: { kind: 'date' },
  TIMESTAMP: { kind: 'timestamp', unit: 'microsecond', utc: true },
  DATETIME: { kind: 'timestamp', unit: 'microsecond', utc: false },
  BOOL: { kind: 'boolean' },
};

/** A value as SQL without loss of digits in CAST. */
function printValue(type: DataType, value: Value): string {
  const text = printLiteral(type, value, 'bigquery');
  return value !== null && TYPES[type] === 'NUMERIC' ? `'${text}'` : text;
}

function toTable({ table, columns, rows }: EntityDef): GoogleTable {
  return {
    name: table,
    columns: columns.map(({ name, type }) => ({ name, type: TYPES[type] })),
    rows: rows.map((row) => columns.map(({ name, type }) => printValue(type, row[name] ?? null))),
  };
}

/** Converts rows of GoogleSQL to those of a connection. */
export function toRows({ columns, rows }: GoogleRows): Rows {
  return { columns: columns.map(({ name, type }) => ({ name, type: COLUMN_TYPES[type] })), rows };
}

/** The reference engine of GoogleSQL as an engine for worlds. */
export function createGoogleEngine(google: GoogleSql): Engine {
  return {
    platform: 'bigquery',
    load: ({ entities }) => google.load(entities.map(toTable)),
    async run(sql) {
      try {
        return toRows(await google.run(sql));
      } catch (error) {
        throw new DatabaseError('sql', (error as Error).message);
      }
    },
    async [Symbol.asyncDispose]() {
      google.stop();
    },
  };
}
