import { postgresqlRules } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { createCalls } from './calls/create-calls.ts';
import { createPlainLike } from './create-match.ts';
import { addHalves, type Dialect, type MatchOptions } from './dialect.ts';
import type { Match } from './nodes.ts';
import { postgresql } from './postgresql.ts';

// A backslash escapes, as in MySQL's strings.
const { quoteText } = SQL_DIALECT.mysql;

const INT64 = 2n ** 63n;

/**
 * Settings for NULLs in outer joins, names that prefer columns over aliases, NULL for empty aggregates, and dates
 * before 1970.
 */
const SETTINGS = [
  'join_use_nulls',
  'prefer_column_name_to_alias',
  'aggregate_functions_null_for_empty',
  'enable_extended_results_for_datetime_functions',
].map((name) => `${name} = 1`);

/** A product with an Int64 still fits into this decimal type. */
const HALF = "toDecimal128('0.5', 1)";

const printTime = (text: string) => `toDateTime64('${limitYear(text)}', 6, 'UTC')`;

/** ClickHouse 24.3 and later. */
export const clickhouse: Dialect = {
  ...postgresql,
  platform: 'clickhouse',
  lexicalRules: {
    ...postgresqlRules,
    backslashEscapes: true,
    escapeStrings: false,
    dollarQuotes: false,
    nestedComments: false,
    hashComments: true,
    backtickNames: true,
  },
  quoteName: (name) => postgresql.quoteName(name.replaceAll('\\', '\\\\')),
  quoteText,
  // ClickHouse documents no limit.
  longestName: { unit: 'characters', length: 1000 },
  literals: {
    text: quoteText,
    number: printNumber,
    float: (text) => text,
    boolean: (text) => text,
    date: (text) => `toDate32('${limitYear(text)}')`,
    timestamp: printTime,
    local: printTime,
  },
  aggregates: {
    ...postgresql.aggregates,
    MEDIAN: (arg) => addHalves(`quantileExactLow(${arg})`, `quantileExactHigh(${arg})`, HALF),
  },
  calls: createCalls('clickhouse'),
  types: {
    ...postgresql.types,
    TEXT: 'Nullable(String)',
    INTEGER: 'Nullable(Int64)',
    NUMBER: 'Nullable(Decimal(38, 9))',
    DECIMAL: 'Nullable(Decimal(#))',
    FLOAT: 'Nullable(Float64)',
    DATE: 'Nullable(Date32)',
    DATETIME: "Nullable(DateTime64(6, 'UTC'))",
    TIMESTAMP: "Nullable(DateTime64(6, 'UTC'))",
    BOOLEAN: 'Nullable(Bool)',
  },
  toDateText: (date) => `toString(toDate32(${date}))`,
  half: { exact: HALF, float: '0.5' },
  noNumber: 'NULL',
  // NaN would be left out of a median of FLOATs.
  medians: { exact: true, float: false },
  windows: {
    names: {
      LAG: 'lagInFrame',
      LEAD: 'leadInFrame',
      PERCENT_RANK: null,
      CUME_DIST: null,
      NTILE: null,
    },
    hasRanges: true,
    framesShifts: true,
    ordersNulls: false,
  },
  sets: { namesDistinct: true, keepsDuplicates: false },
  ordersByNumber: true,
  runsUnusedQueries: true,
  toOrdered: (text) => text,
  match: printMatch,
  like: createPlainLike(quoteText, 'lowerUTF8'),
  grains: {
    day: (date) => `toDate32(${date})`,
    week: (date) => `toMonday(${date})`,
    month: (date) => `toStartOfMonth(${date})`,
    quarter: (date) => `toStartOfQuarter(${date})`,
    year: (date) => `toStartOfYear(${date})`,
  },
  zones: {
    toLocal: (moment, timezone) => `toTimeZone(${moment}, ${timezone})`,
    // A value in another time zone would still compare as a moment.
    toTimestamp: (moment, timezone) =>
      `CAST(toString(toTimeZone(${moment}, ${timezone})) AS Nullable(DateTime64(6, 'UTC')))`,
    toMoment: (local, timezone) =>
      `toTimeZone(CAST(toString(${local}) AS Nullable(DateTime64(6, ${timezone}))), 'UTC')`,
    resolvesTimes: false,
  },
  hasSessionTime: true,
  findsNulls: false,
  alignsNumbers: false,
  joinsNames: true,
  hidesRelations: true,
  correlates: false,
  sortsReduced: false,
  lastLine: `SETTINGS ${SETTINGS.join(', ')}`,
};

/** A plain number with a decimal point would be a Float64, and so would an integer of more than 64 bits. */
function printNumber(text: string): string {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  if (fraction === '' && BigInt(whole) < INT64) return text;
  return `toDecimal256('${text}', ${fraction.length})`;
}

/** The nearest supported date or DATETIME: from 1900 to 2299. */
function limitYear(text: string): string {
  const year = Number(text.slice(0, 4));
  const time = text.length > 10;
  if (year < 1900) return `1900-01-01${time ? ' 00:00:00' : ''}`;
  return year > 2299 ? `2299-12-31${time ? ' 23:59:59.999999' : ''}` : text;
}

const CALLS: Readonly<Record<Exclude<Match, 'contains'>, string>> = {
  starts: 'startsWith',
  ends: 'endsWith',
};

function printMatch(
  how: Match,
  text: string,
  part: string,
  { caseSensitive, negated }: MatchOptions,
): string {
  if (how === 'contains') {
    const call = caseSensitive ? 'position' : 'positionCaseInsensitiveUTF8';
    return `${call}(${text}, ${quoteText(part)}) ${negated ? '=' : '>'} 0`;
  }
  const fold = (of: string) => (caseSensitive ? of : `lowerUTF8(${of})`);
  return `${negated ? 'NOT ' : ''}${CALLS[how]}(${fold(text)}, ${fold(quoteText(part))})`;
}
