import { trinoRules } from '../../engine/text/lexical-rules.ts';
import { createCalls } from './calls/create-calls.ts';
import { createMatch, printFoldedLike } from './create-match.ts';
import { createMean, type Dialect, limitRows } from './dialect.ts';
import { postgresql } from './postgresql.ts';

const BIGINT = 2n ** 63n;

const cutTo = (unit: string) => (date: string) => `CAST(DATE_TRUNC('${unit}', ${date}) AS DATE)`;

const moveTo = (time: string, from: string, to: string) =>
  `WITH_TIMEZONE(CAST(${time} AS TIMESTAMP(6)), ${from}) AT TIME ZONE ${to}`;

/** Trino. A DATETIME is a TIMESTAMP without a time zone. */
export const trino: Dialect = {
  ...postgresql,
  platform: 'trino',
  lexicalRules: trinoRules,
  // Trino documents no limit.
  longestName: { unit: 'characters', length: 1000 },
  literals: {
    ...postgresql.literals,
    number: (text) => (isBig(text) ? `DECIMAL '${text}'` : text),
  },
  // The built-in AVG of a DECIMAL has only as many digits as its argument.
  aggregates: { ...postgresql.aggregates, AVG: createMean('DOUBLE') },
  calls: createCalls('trino'),
  types: {
    ...postgresql.types,
    TEXT: 'VARCHAR',
    NUMBER: 'DECIMAL(38, 9)',
    DECIMAL: 'DECIMAL(#)',
    FLOAT: 'DOUBLE',
    DATETIME: 'TIMESTAMP(6)',
    TIMESTAMP: 'TIMESTAMP(6)',
  },
  toDateText: (date) => `CAST(CAST(${date} AS DATE) AS VARCHAR)`,
  noNumber: 'NULL',
  medians: { exact: false, float: false },
  toOrdered: (text) => text,
  ...createMatch(postgresql.quoteText, printFoldedLike),
  grains: {
    day: (date) => `CAST(${date} AS DATE)`,
    week: cutTo('week'),
    month: cutTo('month'),
    quarter: cutTo('quarter'),
    year: cutTo('year'),
  },
  zones: {
    toLocal: (moment, timezone) => moveTo(moment, "'UTC'", timezone),
    toTimestamp: (moment, timezone) => `CAST(${moveTo(moment, "'UTC'", timezone)} AS TIMESTAMP(6))`,
    toMoment: (local, timezone) => `CAST(${moveTo(local, timezone, "'UTC'")} AS TIMESTAMP(6))`,
    resolvesTimes: false,
  },
  limit: limitRows,
  correlates: false,
  sortsReduced: false,
};

/** Whether a number would be read as a BIGINT but does not fit. */
function isBig(text: string): boolean {
  return /^-?\d+$/.test(text) && BigInt(text.replace('-', '')) >= BIGINT;
}
