import { postgresqlRules } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { createCalls } from './calls/create-calls.ts';
import { createMatch, printLike } from './create-match.ts';
import { addHalves, type Dialect } from './dialect.ts';

const { quoteName, quoteText } = SQL_DIALECT.postgresql;

const cutTo = (unit: string) => (date: string) =>
  `CAST(DATE_TRUNC('${unit}', CAST(${date} AS TIMESTAMP)) AS DATE)`;

const findMiddle = (order: string) => `PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY ${order})`;

const toLocal = (moment: string, timezone: string) =>
  `CAST(${moment} AS TIMESTAMP) AT TIME ZONE 'UTC' AT TIME ZONE ${timezone}`;

export const postgresql: Dialect = {
  platform: 'postgresql',
  lexicalRules: postgresqlRules,
  quoteName,
  quoteText,
  longestName: { unit: 'bytes', length: 63 },
  forbiddenInNames: null,
  literals: {
    text: quoteText,
    number: (text) => text,
    float: (text) => text,
    boolean: (text) => text.toUpperCase(),
    date: (text) => `DATE '${text}'`,
    timestamp: (text) => `TIMESTAMP '${text}'`,
    local: (text) => `TIMESTAMP '${text}'`,
  },
  aggregates: {
    SUM: (arg) => `SUM(${arg})`,
    COUNT: (arg) => `COUNT(${arg})`,
    COUNT_DISTINCT: (arg) => `COUNT(DISTINCT ${arg})`,
    AVG: (arg) => `AVG(${arg})`,
    MIN: (arg) => `MIN(${arg})`,
    MAX: (arg) => `MAX(${arg})`,
    // PERCENTILE_CONT of two equal infinities is NaN.
    MEDIAN: (arg) => addHalves(findMiddle(arg), findMiddle(`${arg} DESC`)),
  },
  calls: createCalls('postgresql'),
  types: {
    TEXT: 'TEXT',
    INTEGER: 'BIGINT',
    NUMBER: 'NUMERIC',
    DECIMAL: 'NUMERIC(#)',
    FLOAT: 'DOUBLE PRECISION',
    DATE: 'DATE',
    DATETIME: 'TIMESTAMP',
    TIMESTAMP: 'TIMESTAMP',
    BOOLEAN: 'BOOLEAN',
  },
  toDateText: (date) => `TO_CHAR(${date}, 'YYYY-MM-DD')`,
  half: { exact: '0.5', float: '0.5' },
  noNumber: 'CAST(NULL AS SMALLINT)',
  medians: { exact: true, float: true },
  nullsLast: null,
  ordersByNumber: false,
  anyOrder: '',
  windows: { names: {}, hasRanges: true, framesShifts: false, ordersNulls: false },
  sets: { namesDistinct: false, keepsDuplicates: true },
  hasFullJoin: true,
  runsUnusedQueries: false,
  toPartition: (float) => float,
  textKeys: null,
  toOrdered: (text) => `${text} COLLATE "C"`,
  ...createMatch(quoteText, printLike),
  grains: {
    day: (date) => `CAST(${date} AS DATE)`,
    week: cutTo('week'),
    month: cutTo('month'),
    quarter: cutTo('quarter'),
    year: cutTo('year'),
  },
  zones: {
    toLocal,
    toTimestamp: toLocal,
    toMoment: (local, timezone) => `CAST(${local} AS TIMESTAMP) AT TIME ZONE ${timezone} AT TIME ZONE 'UTC'`,
    resolvesTimes: true,
  },
  toQuarterHour: null,
  findsNulls: true,
  alignsNumbers: true,
  joinsNames: false,
  mixesMoments: false,
  hasSessionTime: false,
  limit: (fetch, skip) => `LIMIT ${fetch}${skip > 0 ? ` OFFSET ${skip}` : ''}`,
  groupsByNumber: true,
  groupsColumnsOnly: false,
  hasConditions: true,
  hidesRelations: false,
  readsRows: false,
  correlates: true,
  comparesRows: true,
  joinsByTheLetter: true,
  sortsReduced: true,
  keepsConditions: true,
  groupsRepeatedly: true,
  countsColumnsInWindows: true,
  lastLine: null,
};
