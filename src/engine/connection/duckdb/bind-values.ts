import duckdb from '@duckdb/node-bindings';
import { type Decimal, isDecimal, parseNumber } from '../../../text/decimal.ts';
import {
  type BoundScalar,
  type BoundValue,
  toDays,
  toMoment,
  toTimeMicros,
} from '../contract/bound-value.ts';
import { DatabaseError } from '../contract/connection.ts';

const { Type } = duckdb;

/** The type of a value, and the value of the engine. */
interface TypedValue {
  readonly type: duckdb.LogicalType;
  readonly value: duckdb.Value;
}

/** The integers of the engine; a short literal has the first type. */
const INTEGERS = [
  { bits: 32, type: Type.INTEGER, create: (value: bigint) => duckdb.create_int32(Number(value)) },
  { bits: 64, type: Type.BIGINT, create: duckdb.create_int64 },
  { bits: 128, type: Type.HUGEINT, create: duckdb.create_hugeint },
];
/** Maximum digits of a decimal. */
const MAX_WIDTH = 38;

/** Binds values to the placeholders of a prepared statement, by their numbers. Throws a DatabaseError. */
export function bindValues(prepared: duckdb.PreparedStatement, values: readonly BoundValue[]): void {
  const count = duckdb.nparams(prepared);
  for (let at = 1; at <= count; at += 1) {
    const name = duckdb.parameter_name(prepared, at);
    const value = values[Number(name) - 1] ?? null;
    duckdb.bind_value(prepared, at, toTyped(value!, `$${name}`).value);
  }
}

function toTyped(value: BoundValue, name: string): TypedValue {
  if ('items' in value) return toList(value.items, name);
  const { text } = value;
  if (text === null) return toNull();
  const typed = createTyped(value, text);
  if (typed === null) throw createTooLarge(name);
  return typed;
}

function toNull(): TypedValue {
  return { type: duckdb.create_logical_type(Type.SQLNULL), value: duckdb.create_null_value() };
}

/** Null for a number that no type of the engine can hold. */
function createTyped({ type }: BoundScalar, text: string): TypedValue | null {
  switch (type) {
    case 'BOOLEAN':
      return plain(Type.BOOLEAN, duckdb.create_bool(text === 'true'));
    case 'INTEGER':
      return createInteger(BigInt(text), 0);
    case 'DECIMAL':
      return createDecimalValue(parseNumber(text)!, 0);
    case 'DOUBLE':
      return plain(Type.DOUBLE, duckdb.create_double(Number(text)));
    case 'DATE':
      return plain(Type.DATE, duckdb.create_date({ days: toDays(text)! }));
    case 'TIME':
      return plain(Type.TIME, duckdb.create_time({ micros: toTimeMicros(text)! }));
    case 'TIMESTAMP': {
      const { micros, hasZone } = toMoment(text)!;
      return hasZone
        ? plain(Type.TIMESTAMP_TZ, duckdb.create_timestamp_tz({ micros }))
        : plain(Type.TIMESTAMP, duckdb.create_timestamp({ micros }));
    }
    case 'BINARY':
      return plain(Type.BLOB, duckdb.create_blob(Buffer.from(text, 'base64')));
    default:
      return plain(Type.VARCHAR, duckdb.create_varchar(text));
  }
}

function plain(type: duckdb.Type, value: duckdb.Value): TypedValue {
  return { type: duckdb.create_logical_type(type), value };
}

/** An integer of at least this number of bits. */
function createInteger(value: bigint, least: number): TypedValue | null {
  const fitting = INTEGERS.find(({ bits }) => bits >= least && BigInt.asIntN(bits, value) === value);
  return fitting === undefined ? null : plain(fitting.type, fitting.create(value));
}

/** A decimal with at least this scale; with more than 38 digits, null. */
function createDecimalValue(number: bigint | Decimal, scale: number, width = 0): TypedValue | null {
  const own = isDecimal(number) ? Number(number.scale) : 0;
  const units = (isDecimal(number) ? number.units : number) * 10n ** BigInt(Math.max(scale - own, 0));
  const size = { scale: Math.max(scale, own), width: Math.max(width, countDigits(units), scale, own) };
  if (size.width > MAX_WIDTH) return null;
  return {
    type: duckdb.create_decimal_type(size.width, size.scale),
    value: duckdb.create_decimal({ ...size, value: units }),
  };
}

function countDigits(units: bigint): number {
  return String(units < 0n ? -units : units).length;
}

/** A list has the type that holds all its values; NULL has any. */
function toList(items: readonly BoundValue[], name: string): TypedValue {
  const scalars = items.filter((item): item is BoundScalar => !('items' in item) && item.text !== null);
  const types = new Set(scalars.map(({ type }) => type));
  const isNumeric =
    types.has('DECIMAL') && [...types].every((type) => type === 'DECIMAL' || type === 'INTEGER');
  const lists = items.filter((item) => 'items' in item);
  if ((types.size > 1 && !isNumeric) || (lists.length > 0 && scalars.length > 0)) {
    throw new DatabaseError('sql', `The values of the array for ${name} have several types: use one.`);
  }
  const create = isNumeric ? toWidest(scalars) : types.has('INTEGER') ? toWidestInteger(scalars) : null;
  const typed = items.map((item) => {
    if ('items' in item || item.text === null || create === null) return toTyped(item, name);
    const value = create(item.text);
    if (value === null) throw createTooLarge(name);
    return value;
  });
  const [{ type } = toNull()] = typed.filter((_, i) => {
    const item = items[i];
    return item !== undefined && ('items' in item || item.text !== null);
  });
  const value = duckdb.create_list_value(
    type,
    typed.map((one) => one.value),
  );
  return { type: duckdb.create_list_type(type), value };
}

function toWidest(scalars: readonly BoundScalar[]): (text: string) => TypedValue | null {
  const numbers = scalars.map(({ text }) => parseNumber(text!)!);
  const scale = Math.max(...numbers.map((number) => (isDecimal(number) ? Number(number.scale) : 0)));
  const whole = Math.max(
    ...numbers.map((number) =>
      isDecimal(number) ? countDigits(number.units) - Number(number.scale) : countDigits(number),
    ),
  );
  return (text) => createDecimalValue(parseNumber(text)!, scale, Math.max(whole, 0) + scale);
}

function toWidestInteger(scalars: readonly BoundScalar[]): (text: string) => TypedValue | null {
  const values = scalars.map(({ text }) => BigInt(text!));
  const bits = INTEGERS.find((one) =>
    values.every((value) => BigInt.asIntN(one.bits, value) === value),
  )?.bits;
  return (text) => (bits === undefined ? null : createInteger(BigInt(text), bits));
}

function createTooLarge(name: string): DatabaseError {
  return new DatabaseError('sql', `The number for ${name} has more digits than DuckDB can store.`);
}
