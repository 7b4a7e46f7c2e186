import { present } from '../../invariants/must.ts';
import type { DataType, Platform } from '../model/model.ts';

/** The version of Apache Ossie's core specification that the export writes. */
export const OSSIE_VERSION = '0.2.0.dev0';

/** The vendor name of Quern's extensions. */
export const VENDOR = 'QUERN';

const STANDARD = ['OSSIE_SQL_2026', 'ANSI_SQL'];

/** The dialects accepted for the expressions of a layer, best first. */
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

/** Ossie's name of a type; null for NUMBER, which Ossie does not have. */
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

/** The start of a source that is a query and not a table. */
export const QUERY = /^\s*(\(|select\b|with\b|from\b|values\b)/i;
