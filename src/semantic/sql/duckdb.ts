import { duckdbRules } from '../../engine/text/lexical-rules.ts';
import { createCalls } from './calls/create-calls.ts';
import type { Dialect } from './dialect.ts';
import { postgresql } from './postgresql.ts';

const cutTo = (unit: string) => (date: string) => `CAST(DATE_TRUNC('${unit}', ${date}) AS DATE)`;

/** PostgreSQL's dialect, with DuckDB's functions and limits. */
export const duckdb: Dialect = {
  ...postgresql,
  lexicalRules: duckdbRules,
  longestName: { unit: 'characters', length: 1000 },
  aggregates: { ...postgresql.aggregates, MEDIAN: (arg) => `MEDIAN(CAST(${arg} AS DOUBLE))` },
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
