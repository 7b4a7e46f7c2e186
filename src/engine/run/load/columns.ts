import { quoteText } from '../../text/sql-quote.ts';
import { type NumberStyle, printDigits, printPlainNumber } from './kinds.ts';

/** A column of a table, and how its values are read from texts. */
export interface LoadColumn {
  readonly name: string;
  readonly type: string;
  /** The format of dates and times; undefined: ISO 8601. */
  readonly format?: string | undefined;
  /** What the type of another database holds less than the type. */
  readonly limits?: ValueLimits | undefined;
  /** The name of the type in another database. */
  readonly serverType?: string | undefined;
}

/** Limits of the values of a column. */
interface ValueLimits {
  /** Digits of a fraction of a second. */
  readonly fraction?: number;
  /** Characters. */
  readonly length?: number;
  /** Whether blanks at the end are lost. */
  readonly isPadded?: boolean;
}

/** Digits of a fraction of a second. */
const MICROSECONDS = 6;

type Family = 'integer' | 'decimal' | 'float' | 'date' | 'timestamp' | 'zoned' | 'time' | 'text' | 'other';

/** Types by their names in the engine's catalog. */
const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/^U?(?:TINY|SMALL|BIG|HUGE)INT$|^U?INTEGER$/, 'integer'],
  [/^DECIMAL\(\d+,\d+\)$/, 'decimal'],
  [/^(?:DOUBLE|FLOAT)$/, 'float'],
  [/^DATE$/, 'date'],
  [/^TIMESTAMP(?:_S|_MS|_NS)?$/, 'timestamp'],
  [/^TIMESTAMP WITH TIME ZONE$/, 'zoned'],
  [/^TIME$/, 'time'],
  [/^VARCHAR$/, 'text'],
];

function findFamily(type: string): Family {
  return FAMILIES.find(([pattern]) => pattern.test(type))?.[1] ?? 'other';
}

/** Whether a type is one of numbers, whose texts may have separators. */
export function isNumeric(type: string): boolean {
  return ['integer', 'decimal', 'float'].includes(findFamily(type));
}

/** An expression for the value of a text; NULL for a text that is not a value of the type. */
function printTry(text: string, { type, format }: LoadColumn, style: NumberStyle): string {
  if (format !== undefined) return `TRY_CAST(try_strptime(${text}, ${quoteText(format)}) AS ${type})`;
  return `TRY_CAST(${isNumeric(type) ? printPlainNumber(text, style) : text} AS ${type})`;
}

/** An expression for the value of a text. */
export function printValue(text: string, column: LoadColumn, style: NumberStyle): string {
  if (column.type === 'VARCHAR') return text;
  if (column.format !== undefined) {
    return `CAST(strptime(${text}, ${quoteText(column.format)}) AS ${column.type})`;
  }
  return `CAST(${isNumeric(column.type) ? printPlainNumber(text, style) : text} AS ${column.type})`;
}

/** A condition that a text is a value of the type of a column; true for NULL. */
export function printIsValid(text: string, column: LoadColumn, style: NumberStyle): string {
  return column.type === 'VARCHAR'
    ? 'true'
    : `(${text} IS NULL OR ${printTry(text, column, style)} IS NOT NULL)`;
}

/** A condition that the type of a column holds the value of a text exactly; true for NULL. */
export function printIsExact(text: string, column: LoadColumn, style: NumberStyle): string {
  const family = findFamily(column.type);
  const isValid = printIsValid(text, column, style);
  const exact = printLoss(family, isNumeric(column.type) ? printPlainNumber(text, style) : text, column);
  return exact === undefined ? isValid : `(${isValid} AND coalesce(${exact}, true))`;
}

/** The condition that nothing is rounded or cut; undefined for types that do neither. */
function printLoss(family: Family, text: string, column: LoadColumn): string | undefined {
  const { type, format, limits } = column;
  if (family === 'text') return printTextLoss(text, limits);
  if (family === 'integer') return printRoundTrip(text, type, '[^.eE]*(?:\\.0*[ \\t]*)?');
  if (family === 'decimal') {
    const scale = /,(\d+)\)$/.exec(type)?.[1] ?? '0';
    return printRoundTrip(text, type, `[^.eE]*(?:\\.[0-9]{0,${scale}}0*[ \\t]*)?`);
  }
  if (family === 'float') {
    const isShort =
      type === 'DOUBLE'
        ? `length(replace(${text}, '.', '')) <= 15 AND NOT contains(lower(${text}), 'e')`
        : 'false';
    const isWord = `NOT regexp_matches(${text}, '[0-9]')`;
    return `(${isShort} OR ${isWord} OR ${printDigits(text)} = ${printDigits(`CAST(TRY_CAST(${text} AS ${type}) AS VARCHAR)`)})`;
  }
  if (format !== undefined && family !== 'date') {
    const finest = 10 ** (MICROSECONDS - (limits?.fraction ?? MICROSECONDS));
    return `microsecond(try_strptime(${text}, ${quoteText(format)})) % ${finest} = 0`;
  }
  if (format !== undefined) {
    return family === 'date'
      ? `try_strptime(${text}, ${quoteText(format)}) = TRY_CAST(try_strptime(${text}, ${quoteText(format)}) AS DATE)`
      : undefined;
  }
  if (family === 'date') {
    return `(NOT contains(${text}, ':') OR TRY_CAST(${text} AS TIMESTAMP) = CAST(TRY_CAST(${text} AS DATE) AS TIMESTAMP))`;
  }
  return printClockLoss(family, text, column);
}

function printTextLoss(text: string, { length, isPadded }: ValueLimits = {}): string | undefined {
  if (length === undefined) return undefined;
  return `(length(${text}) <= ${length}${isPadded ? ` AND ${text} NOT LIKE '% '` : ''})`;
}

/** Numbers in another form, such as `1e3`, are compared as numbers. */
function printRoundTrip(text: string, type: string, shape: string): string {
  const wide = `TRY_CAST(${text} AS DECIMAL(38,18))`;
  return `(regexp_full_match(${text}, ${quoteText(shape)}) OR ${wide} = TRY_CAST(TRY_CAST(${text} AS ${type}) AS DECIMAL(38,18)))`;
}

const FRACTION_DIGITS: Readonly<Record<string, number>> = {
  TIMESTAMP_S: 0,
  TIMESTAMP_MS: 3,
  TIMESTAMP_NS: 9,
};

function printClockLoss(family: Family, text: string, { type, limits }: LoadColumn): string | undefined {
  if (family !== 'timestamp' && family !== 'zoned' && family !== 'time') return undefined;
  const digits = limits?.fraction ?? FRACTION_DIGITS[type] ?? MICROSECONDS;
  const isCut = `regexp_matches(${text}, '\\.[0-9]{${digits}}0*[1-9]')`;
  if (family === 'zoned') return `NOT ${isCut}`;
  const hasOffset = `regexp_matches(${text}, ':[0-9.]+ ?[+-][0-9]')`;
  const hasDate = family === 'time' ? `${text} LIKE '%-%-%'` : 'false';
  return `NOT (${isCut} OR ${hasOffset} OR ${hasDate})`;
}
