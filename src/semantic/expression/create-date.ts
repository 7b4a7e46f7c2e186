import { semanticErrors } from '../errors.ts';
import {
  addMonths,
  findDay,
  findDayStart,
  findUnitStart,
  fromLocal,
  isUtc,
  type Moment,
  readMoment,
  toLocal,
} from '../model/local-time.ts';
import type { Grain, ValueType } from '../model/model.ts';
import type { Literal } from '../sql/nodes.ts';
import type { TypedExpression } from './expression.ts';
import { readLiteral, toDate, toTime } from './read-literal.ts';

/** Whether values of a type are dates or times. */
export function isDateType(type: ValueType): boolean {
  return type === 'DATE' || type === 'TIMESTAMP' || type === 'DATETIME';
}

/**
 * Converts a date or time to another type of dates, in a time zone; a literal is converted at once. A DATE becomes the
 * first moment of its day. Other values are unchanged, but a literal NULL gets the type. Throws a SemanticError `invalid`
 * for a literal outside the years 1 to 9999.
 */
export function convertDate<Field>(
  of: TypedExpression<Field>,
  dataType: ValueType,
  timezone: string,
): TypedExpression<Field> {
  if (of.dataType === dataType || !isDateType(dataType)) return of;
  if (of.kind === 'literal' && of.value === null) return { ...of, dataType };
  if (!isDateType(of.dataType)) return of;
  const { nullable } = of;
  if (of.kind === 'literal' && of.value !== null) {
    const value = convertValue(of.value, of.dataType, dataType, timezone);
    if (value === null) throw semanticErrors.literal(of.value.text, dataType);
    return { ...of, value, dataType };
  }
  switch (dataType) {
    case 'DATE':
      return createGrain('day', of, timezone);
    case 'DATETIME':
      return { kind: 'moment', of, timezone, dataType, nullable };
    default:
      return of.dataType === 'DATE'
        ? { kind: 'cast', of, digits: null, dataType, nullable }
        : { kind: 'local', of, timezone, dataType, nullable };
  }
}

function convertValue(value: Literal, from: ValueType, to: ValueType, timezone: string): Literal | null {
  const { ms, micros } = readMoment(value.text);
  const local = from === 'DATETIME' ? toLocal(ms, timezone) : ms;
  if (to === 'DATE') return toDate(findUnitStart('day', local, 0));
  if (to === 'TIMESTAMP') return toTime('local', { ms: local, micros });
  const utc = from === 'DATE' ? findDayStart(ms, timezone) : fromLocal(ms, timezone, 'last');
  return toTime('timestamp', { ms: utc, micros });
}

/**
 * Reads a text literal as a date or time; a time without an offset is in `timezone`. Throws a SemanticError `invalid` if
 * the text is not a value of that type.
 */
export function readDate<Field>(
  written: string,
  dataType: ValueType,
  timezone: string,
): TypedExpression<Field> {
  const text = padDay(written);
  const literalType =
    findDay(text) !== null ? 'DATE' : dataType === 'DATETIME' && isLocalTime(text) ? 'TIMESTAMP' : dataType;
  const value = readLiteral(literalType, text, timezone);
  if (value === null) throw semanticErrors.literal(written, dataType);
  return convertDate({ kind: 'literal', value, dataType: literalType, nullable: false }, dataType, timezone);
}

/**
 * Reads a text literal as a DATE, a TIMESTAMP, or, with an offset, a DATETIME; other values are unchanged. Throws a
 * SemanticError `invalid` for any other text.
 */
export function readWrittenDate<Field>(of: TypedExpression<Field>, timezone: string): TypedExpression<Field> {
  if (of.kind !== 'literal' || of.dataType !== 'TEXT') return of;
  if (of.value === null) return { ...of, dataType: 'DATE' };
  const text = padDay(of.value.text);
  return readDate(
    text,
    findDay(text) !== null ? 'DATE' : isLocalTime(text) ? 'TIMESTAMP' : 'DATETIME',
    timezone,
  );
}

/** Pads the day of a text as PostgreSQL reads it: `20260131` and `2026-1-31`. */
function padDay(text: string): string {
  const [, year = '', month = '', day = '', time = ''] =
    /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text) ?? /^(\d{4})-(\d\d?)-(\d\d?)(\D.*)?$/.exec(text) ?? [];
  return year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time}`;
}

/** Whether a text is a time without an offset. */
export function isLocalTime(text: string): boolean {
  return readLiteral('TIMESTAMP', text, 'UTC') !== null;
}

/** The first day of a unit. Throws a SemanticError `refused` for a value that is not a date or time. */
export function createGrain<Field>(
  unit: Grain,
  of: TypedExpression<Field>,
  timezone: string,
): TypedExpression<Field> {
  const { dataType, nullable } = of;
  if (!isDateType(dataType)) {
    throw semanticErrors.functionTypes('DATE_TRUNC', [dataType], 'a unit and a DATE, TIMESTAMP or DATETIME');
  }
  const local = dataType === 'DATETIME' ? convertDate(of, 'TIMESTAMP', timezone) : of;
  const start = local.kind === 'literal' && local.value !== null ? cutLiteral(unit, local.value) : null;
  if (start !== null) return { kind: 'literal', value: start, dataType: 'DATE', nullable };
  return { kind: 'grain', unit, of: local, dataType: 'DATE', nullable };
}

function cutLiteral(unit: Grain, { text }: Literal): Literal | null {
  return toDate(findUnitStart(unit, findUnitStart('day', readMoment(text).ms, 0), 0));
}

/** The names of additions, with the sum of a local time and a count. */
const ADDITIONS: Readonly<Record<string, (time: Moment, count: number) => number>> = {
  ADD_DAYS: ({ ms }, count) => ms + count * 86_400_000,
  ADD_MONTHS: ({ ms }, count) => addMonths(ms, count),
  ADD_SECONDS: ({ ms }, count) => ms + count * 1000,
};

/**
 * Prepares the first argument of an addition: a DATE to which seconds are added becomes a TIMESTAMP, and days and months
 * are added to a DATETIME on the wall clock of its time zone. `create` creates the call. Null for any other call.
 */
export function createAddition<Field>(
  name: string,
  args: readonly TypedExpression<Field>[],
  timezone: string,
  create: (args: readonly TypedExpression<Field>[]) => TypedExpression<Field>,
): TypedExpression<Field> | null {
  const [of, count] = args;
  const add = Object.hasOwn(ADDITIONS, name) ? ADDITIONS[name] : undefined;
  if (add === undefined || of === undefined || count === undefined || !isDateType(of.dataType)) return null;
  if (name === 'ADD_SECONDS' && of.dataType === 'DATE') {
    return create([convertDate(of, 'TIMESTAMP', timezone), count]);
  }
  if (name !== 'ADD_SECONDS' && of.dataType === 'DATETIME' && !isUtc(timezone)) {
    return convertDate(create([convertDate(of, 'TIMESTAMP', timezone), count]), 'DATETIME', timezone);
  }
  return addLiterals(of, count, add);
}

function addLiterals<Field>(
  of: TypedExpression<Field>,
  count: TypedExpression<Field>,
  add: (time: Moment, count: number) => number,
): TypedExpression<Field> | null {
  if (of.kind !== 'literal' || count.kind !== 'literal') return null;
  if (of.value === null || count.value?.type !== 'number' || count.dataType !== 'INTEGER') return null;
  const time = readMoment(of.value.text);
  const sum = add(time, Number(count.value.text));
  const type = of.value.type === 'local' ? 'local' : 'timestamp';
  const value = of.dataType === 'DATE' ? toDate(sum) : toTime(type, { ms: sum, micros: time.micros });
  return value && { ...of, value };
}
