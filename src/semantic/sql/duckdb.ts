import { duckdbRules } from '../../engine/text/lexical-rules.ts';
import { createCalls } from './calls/create-calls.ts';
import { addHalves, type Dialect } from './dialect.ts';
import { postgresql } from './postgresql.ts';

/**
 * The quantile of the higher value in the middle, of up to 10^14 values. Both values take one aggregate, while the value
 * in the middle in descending order takes another one.
 */
const ABOVE_HALF = '0.500000000000001';

const cutTo = (unit: string) => (date: string) => `CAST(DATE_TRUNC('${unit}', ${date}) AS DATE)`;

/** PostgreSQL's dialect, with DuckDB's functions and limits. */
export const duckdb: Dialect = {
  ...postgresql,
  platform: 'duckdb',
  lexicalRules: duckdbRules,
  longestName: { unit: 'characters', length: 1000 },
  aggregates: {
    ...postgresql.aggregates,
    MEDIAN: (arg, type) => {
      if (type === 'FLOAT') return `MEDIAN(CAST(${arg} AS DOUBLE))`;
      const middle = `QUANTILE_DISC(${arg}, [0.5, ${ABOVE_HALF}])`;
      return addHalves(`${middle}[1]`, `${middle}[2]`);
    },
  },
  calls: createCalls('duckdb'),
  types: {
    ...postgresql.types,
    TEXT: 'VARCHAR',
    NUMBER: 'DECIMAL(38, 9)',
    DECIMAL: 'DECIMAL(#)',
    FLOAT: 'DOUBLE',
  },
  toDateText: (date) => `CAST(CAST(${date} AS DATE) AS VARCHAR)`,
  noNumber: 'NULL',
  toQuarterHour: (moment) => `TIME_BUCKET(INTERVAL '15 minutes', ${moment})`,
  toOrdered: (text) => text,
  correlates: false,
  sortsReduced: false,
  grains: {
    ...postgresql.grains,
    week: cutTo('week'),
    month: cutTo('month'),
    quarter: cutTo('quarter'),
    year: cutTo('year'),
  },
};
