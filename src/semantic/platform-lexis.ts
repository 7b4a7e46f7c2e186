import { SQL_LEXIS, type SqlLexis } from '../engine/text/sql-lexis.ts';
import type { Platform } from './model.ts';

const { duckdb, postgresql, mysql } = SQL_LEXIS;

/** How the SQL of a model is read, by the platform of its layer. */
export const PLATFORM_LEXIS: Readonly<Record<Platform, SqlLexis>> = {
  duckdb,
  postgresql,
  redshift: postgresql,
  yellowbrick: postgresql,
  snowflake: { ...postgresql, backslashEscapes: true, escapeStrings: false, nestedComments: false },
  bigquery: { ...mysql, conditionalComments: false, spacedDashes: false, dollarWords: false },
  databricks: {
    ...mysql,
    conditionalComments: false,
    hashComments: false,
    spacedDashes: false,
    dollarWords: false,
    nestedComments: true,
  },
  trino: { ...postgresql, escapeStrings: false, dollarQuotes: false, nestedComments: false },
  mysql,
  sqlserver: { ...postgresql, escapeStrings: false, dollarQuotes: false, bracketNames: true },
  clickhouse: {
    ...postgresql,
    backslashEscapes: true,
    escapeStrings: false,
    dollarQuotes: false,
    nestedComments: false,
    hashComments: true,
    backtickNames: true,
  },
};
