import type { Platform } from '../model/model.ts';
import { bigquery } from './bigquery.ts';
import { clickhouse } from './clickhouse.ts';
import { databricks } from './databricks.ts';
import type { Dialect } from './dialect.ts';
import { duckdb } from './duckdb.ts';
import { mysql } from './mysql.ts';
import { postgresql } from './postgresql.ts';
import { redshift } from './redshift.ts';
import { snowflake } from './snowflake.ts';
import { sqlserver } from './sqlserver.ts';
import { trino } from './trino.ts';
import { yellowbrick } from './yellowbrick.ts';

/** The dialect of each platform (docs/reference/semantic-platforms.md). */
export const DIALECTS: Readonly<Record<Platform, Dialect>> = {
  duckdb,
  postgresql,
  redshift,
  yellowbrick,
  snowflake,
  bigquery,
  databricks,
  trino,
  mysql,
  sqlserver,
  clickhouse,
};
