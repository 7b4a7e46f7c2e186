import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import { type Aggregate, printAggregate } from '../../model/aggregate-functions.ts';
import type { Grain, Platform } from '../../model/model.ts';
import { printGrain } from '../../sql/print-grain.ts';
import { findSqlError } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';

/** Why SQL of dbt cannot be part of a statement (a template, for example); null if it can. */
export function findDbtSqlError(text: string, lexicalRules: LexicalRules): string | null {
  return /\{[{%#]|[#%}]\}/.test(text) ? importMessages.template(text) : findSqlError(text, lexicalRules);
}

/** The name of the double-precision type on each platform. */
const FLOATS: Readonly<Record<Platform, string>> = {
  duckdb: 'DOUBLE',
  postgresql: 'DOUBLE PRECISION',
  redshift: 'DOUBLE PRECISION',
  yellowbrick: 'DOUBLE PRECISION',
  snowflake: 'DOUBLE',
  bigquery: 'FLOAT64',
  databricks: 'DOUBLE',
  trino: 'DOUBLE',
  mysql: 'DOUBLE',
  sqlserver: 'FLOAT',
  clickhouse: 'Nullable(Float64)',
};

/** Casts to a floating-point number. */
export function castFloat(sql: string, platform: Platform): string {
  return `CAST(${sql} AS ${FLOATS[platform]})`;
}

const TRUNCATING: readonly Platform[] = [
  'duckdb',
  'postgresql',
  'redshift',
  'yellowbrick',
  'snowflake',
  'databricks',
  'trino',
];

/** Truncates a DATETIME to a unit below a day; null for an unsupported platform. */
export function cutMoment(expr: string, unit: string, platform: Platform): string | null {
  return TRUNCATING.includes(platform) ? `DATE_TRUNC('${unit}', ${expr})` : null;
}

/** Truncates dates or DATETIME values to a grain, as dates. */
export function cutDate(expr: string, grain: Grain, platform: Platform): string {
  if (grain === 'day') return `CAST(${expr} AS DATE)`;
  const dimension = { name: '', dataType: 'DATE', hidden: false, expr, grain: null } as const;
  return printGrain({ ...dimension, caseSensitive: false, synonyms: [] }, grain, {
    platform,
    timezone: 'UTC',
  });
}

/** Platforms with PERCENTILE_CONT and PERCENTILE_DISC as aggregates. */
const PERCENTILES: readonly Platform[] = [
  'duckdb',
  'postgresql',
  'redshift',
  'snowflake',
  'databricks',
  'yellowbrick',
];

/** The function of a percentile: one of the values (discrete) or an interpolation between two. */
export function nameOfPercentile(isDiscrete: boolean): string {
  return isDiscrete ? 'PERCENTILE_DISC' : 'PERCENTILE_CONT';
}

/** A percentile over rows; null for an unsupported platform. */
export function printPercentile(
  expr: string,
  { share, isDiscrete }: { readonly share: number; readonly isDiscrete: boolean },
  platform: Platform,
): string | null {
  if (!PERCENTILES.includes(platform)) return null;
  // DuckDB would drop digits when it interpolates between exact numbers.
  const argument = isDiscrete ? expr : castFloat(expr, platform);
  return `${nameOfPercentile(isDiscrete)}(${share}) WITHIN GROUP (ORDER BY ${argument})`;
}

/**
 * Prints an aggregate as a part of an expression; null if that is impossible. As in dbt, it is NULL where the filter
 * leaves no rows, also for a count.
 */
export function printInput(aggregate: Aggregate): string | null {
  const { aggregation, expr, filter } = aggregate;
  // The platform's MEDIAN is not exact.
  if (aggregation === 'MEDIAN') return null;
  const sql = printAggregate(aggregate);
  if (filter === null || !aggregation.startsWith('COUNT')) return sql;
  const rows = `COUNT(CASE WHEN ${filter} THEN 1 END)`;
  return expr.trim() === '*' ? `NULLIF(${rows}, 0)` : `CASE WHEN ${rows} > 0 THEN ${sql} END`;
}
