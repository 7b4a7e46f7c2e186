import { mysqlRules } from '../../engine/text/lexical-rules.ts';
import { createCalls } from './calls/create-calls.ts';
import { createPlainLike } from './create-match.ts';
import { createMean, type Dialect, type MatchOptions } from './dialect.ts';
import type { Match } from './nodes.ts';
import { postgresql } from './postgresql.ts';

const INT64 = 2n ** 63n;

/** A character that column names cannot contain, including characters that would end or escape a quoted name. */
const OTHER_CHARACTER = "[^\\p{L}\\p{N}\\p{M}\\p{Pc}\\p{Pd}\\s&%=+:'<>#|]";

/** Prefixes that column names cannot have, in any case. */
const RESERVED_PREFIXES = [
  '_TABLE_',
  '_FILE_',
  '_PARTITION',
  '_ROW_TIMESTAMP',
  '__ROOT__',
  '_COLIDENTIFIER',
  '_CHANGE_SEQUENCE_NUMBER',
  '_CHANGE_TYPE',
  '_CHANGE_TIMESTAMP',
];

const cutTo = (unit: string) => (date: string) => `DATE_TRUNC(CAST(${date} AS DATE), ${unit})`;

const toLocal = (moment: string, timezone: string) => `DATETIME(CAST(${moment} AS TIMESTAMP), ${timezone})`;

/** BigQuery (GoogleSQL) with the default time zone UTC. A DATETIME of a model can be a DATETIME or a TIMESTAMP. */
export const bigquery: Dialect = {
  ...postgresql,
  platform: 'bigquery',
  lexicalRules: { ...mysqlRules, conditionalComments: false, spacedDashes: false, dollarWords: false },
  quoteName: (name) => `\`${name.replace(/[\\`]/g, '\\$&')}\``,
  quoteText,
  longestName: { unit: 'characters', length: 300 },
  forbiddenInNames: new RegExp(`${OTHER_CHARACTER}|^(?:${RESERVED_PREFIXES.join('|')})`, 'giu'),
  literals: {
    text: quoteText,
    number: printNumber,
    float: (text) => text,
    boolean: (text) => text.toUpperCase(),
    date: (text) => `DATE '${text}'`,
    // A text literal takes the type of the value it is compared with.
    timestamp: (text) => `'${text}'`,
    local: (text) => `'${text}'`,
  },
  aggregates: { ...postgresql.aggregates, AVG: createMean('FLOAT64') },
  // `0.5` would be a FLOAT64, and NUMERIC has only nine digits after the decimal point.
  calls: createCalls('bigquery'),
  types: {
    ...postgresql.types,
    TEXT: 'STRING',
    INTEGER: 'INT64',
    NUMBER: 'BIGNUMERIC',
    DECIMAL: 'BIGNUMERIC(#)',
    FLOAT: 'FLOAT64',
    DATETIME: 'DATETIME',
    TIMESTAMP: 'DATETIME',
    BOOLEAN: 'BOOL',
  },
  toDateText: (date) => `CAST(CAST(${date} AS DATE) AS STRING)`,
  half: { exact: "BIGNUMERIC '0.5'", float: '0.5' },
  noNumber: 'NULL',
  medians: { exact: false, float: false },
  // PARTITION BY does not accept FLOAT64.
  toPartition: (float) => `CAST(${float} AS STRING)`,
  // RANGE frames do not accept NULLS LAST.
  windows: { ...postgresql.windows, ordersNulls: true },
  sets: { namesDistinct: true, keepsDuplicates: false },
  toOrdered: (text) => text,
  match: printMatch,
  like: createPlainLike(quoteText, 'LOWER'),
  grains: {
    day: (date) => `CAST(${date} AS DATE)`,
    week: cutTo('WEEK(MONDAY)'),
    month: cutTo('MONTH'),
    quarter: cutTo('QUARTER'),
    year: cutTo('YEAR'),
  },
  zones: {
    toLocal,
    toTimestamp: toLocal,
    toMoment: (local, timezone) => `DATETIME(TIMESTAMP(CAST(${local} AS DATETIME), ${timezone}))`,
    resolvesTimes: false,
  },
  mixesMoments: true,
  hidesRelations: true,
  readsRows: true,
  correlates: false,
  sortsReduced: false,
  comparesRows: false,
};

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r' };

/** A doubled quote is not an escape, and a line end ends a string. */
function quoteText(text: string): string {
  return `'${text.replace(/[\\'\n\r]/g, (character) => ESCAPES[character] ?? `\\${character}`)}'`;
}

/** A plain number is INT64, or FLOAT64 with a decimal point. */
function printNumber(text: string): string {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  if (fraction === '' && BigInt(whole) < INT64) return text;
  return whole.length <= 29 && fraction.length <= 9 ? `NUMERIC '${text}'` : `BIGNUMERIC '${text}'`;
}

const CALLS: Readonly<Record<Exclude<Match, 'contains'>, string>> = {
  starts: 'STARTS_WITH',
  ends: 'ENDS_WITH',
};

function printMatch(
  how: Match,
  text: string,
  part: string,
  { caseSensitive, negated }: MatchOptions,
): string {
  const fold = (of: string) => (caseSensitive ? of : `LOWER(${of})`);
  const args = `(${fold(text)}, ${fold(quoteText(part))})`;
  if (how === 'contains') return `STRPOS${args} ${negated ? '=' : '>'} 0`;
  return `${negated ? 'NOT ' : ''}${CALLS[how]}${args}`;
}
