import { present } from '../../invariants/must.ts';
import type { DataType, Platform } from '../model/model.ts';

/** The version of Apache Ossie's core specification that is written. */
export const OSSIE_VERSION = '0.2.0.dev0';

/** Whose extensions hold what Ossie has no words for. */
export const VENDOR = 'QUERN';

const STANDARD = ['OSSIE_SQL_2026', 'ANSI_SQL'];

/** The dialects in which an expression of a layer may be, the best first. */
export const OSSIE_DIALECTS: Readonly<Record<Platform, readonly string[]>> = {
  duckdb: STANDARD,
  postgresql: STANDARD,
  redshift: STANDARD,
  yellowbrick: STANDARD,
  snowflake: ['SNOWFLAKE', ...STANDARD],
  bigquery: ['BIGQUERY', ...STANDARD],
  databricks: ['DATABRICKS', ...STANDARD],
  trino: STANDARD,
  mysql: STANDARD,
  sqlserver: STANDARD,
  clickhouse: STANDARD,
};

/** The dialect in which the expressions of a layer are written. */
export function findOssieDialect(platform: Platform): string {
  const [first] = OSSIE_DIALECTS[platform];
  return first === STANDARD[0] ? 'ANSI_SQL' : present(first);
}

/** Ossie's word for a type; null for NUMBER, which it has no word for. */
export const OSSIE_TYPES: Readonly<Record<DataType, string | null>> = {
  TEXT: 'String',
  NUMBER: null,
  INTEGER: 'Integer',
  FLOAT: 'Float',
  DECIMAL: 'Decimal',
  DATE: 'Date',
  DATETIME: 'DateTime',
  BOOLEAN: 'Boolean',
};

/** How a source begins that is a query. */
export const QUERY = /^\s*(\(|select\b|with\b|from\b|values\b)/i;
