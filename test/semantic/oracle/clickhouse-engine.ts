import { DatabaseError } from '../../../src/engine/connection/contract/connection.ts';
import type { ColumnType, ColumnValue } from '../../../src/engine/result/columns/column.ts';
import type { DataType } from '../../../src/semantic/model/model.ts';
import type { ClickHouse } from '../../support/clickhouse.ts';
import type { Engine } from './engine.ts';
import { printLiteral, printName } from './expression.ts';
import { parseFraction } from './fraction.ts';
import { parseDay, parseMoment, type Row, type Value } from './value.ts';
import type { EntityDef, World } from './world.ts';

const TYPES: Readonly<Record<DataType, string>> = {
  TEXT: 'String',
  INTEGER: 'Int64',
  NUMBER: 'Decimal(18, 2)',
  DECIMAL: 'Decimal(18, 2)',
  FLOAT: 'Float64',
  DATE: 'Date32',
  DATETIME: "DateTime64(6, 'UTC')",
  BOOLEAN: 'Bool',
};

const LAST_DAY = parseDay('2299-12-31');

/** Limits the days of a world to those that ClickHouse supports. */
export function keepDays(world: World): World {
  const keep = (value: Value, type: DataType) =>
    type === 'DATE' && value !== null && (value as bigint) > LAST_DAY ? LAST_DAY : value;
  const entities = world.entities.map((entity) => ({
    ...entity,
    rows: entity.rows.map(
      (row): Row =>
        Object.fromEntries(entity.columns.map(({ name, type }) => [name, keep(row[name] ?? null, type)])),
    ),
  }));
  return { ...world, entities };
}

/** A value in single quotes, which takes the type of its column. */
function printValue(type: DataType, value: Value): string {
  const text = printLiteral(type, value, 'clickhouse');
  if (value === null || type === 'TEXT') return text;
  return `'${text.replaceAll(/^(?:DATE|TIMESTAMP) |'|^toDecimal64\(|, 2\)$/g, '')}'`;
}

function printTable({ table, columns }: EntityDef): string {
  const own = columns.map(({ name, type }) => `${printName(name, 'clickhouse')} Nullable(${TYPES[type]})`);
  return `CREATE TABLE ${table} (${own.join(', ')}) ENGINE = Memory`;
}

function printRows({ table, columns, rows }: EntityDef): string {
  const values = rows.map((row) => {
    return `(${columns.map(({ name, type }) => printValue(type, row[name] ?? null)).join(', ')})`;
  });
  return `INSERT INTO ${table} VALUES ${values.join(', ')}`;
}

function readType(name: string): ColumnType {
  const type = name.replace(/^Nullable\((.*)\)$/, '$1');
  const scale = /^Decimal\(\d+, (\d+)\)$/.exec(type)?.[1];
  if (scale !== undefined) return { kind: 'decimal', precision: 76, scale: Number(scale) };
  if (/^U?Int/.test(type)) return { kind: 'integer', bits: 64, signed: true };
  if (type.startsWith('Float')) return { kind: 'double' };
  if (type === 'Date' || type === 'Date32') return { kind: 'date' };
  if (type.startsWith('DateTime')) return { kind: 'timestamp', unit: 'microsecond', utc: true };
  return type === 'Bool' ? { kind: 'boolean' } : { kind: 'text', label: 'STRING' };
}

function readValue(value: string | number | boolean | null, type: ColumnType): ColumnValue {
  if (value === null) return null;
  const text = String(value);
  switch (type.kind) {
    case 'decimal': {
      const { n, d } = parseFraction(text);
      return (n * 10n ** BigInt(type.scale)) / d;
    }
    case 'integer':
      return BigInt(text);
    case 'double':
      return Number(text);
    case 'date':
      return Number(parseDay(text));
    case 'timestamp':
      return parseMoment(text);
    default:
      return value;
  }
}

/** ClickHouse as an engine for worlds, whose days must be in its range. */
export function createClickHouseEngine(clickhouse: ClickHouse): Engine {
  return {
    platform: 'clickhouse',
    async load({ entities }) {
      for (const entity of entities) {
        await clickhouse.run(`DROP TABLE IF EXISTS ${entity.table}`);
        await clickhouse.run(printTable(entity));
        if (entity.rows.length > 0) await clickhouse.run(printRows(entity));
      }
    },
    async run(sql) {
      const { columns, rows } = await clickhouse.run(sql).catch((error: Error) => {
        throw new DatabaseError('sql', error.message);
      });
      const types = columns.map(({ name, type }) => ({ name, type: readType(type) }));
      return {
        columns: types,
        rows: rows.map((row) => row.map((value, at) => readValue(value, types[at]!.type))),
      };
    },
    async [Symbol.asyncDispose]() {
      await clickhouse.stop();
    },
  };
}
