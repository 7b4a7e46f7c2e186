import type { LexicalRules } from '../../../engine/text/lexical-rules.ts';
import type { Grain, Platform } from '../../model/model.ts';
import { type Aggregate, printAggregate } from '../../model/print-aggregate.ts';
import { printGrain } from '../../sql/print-grain.ts';
import { findSqlFault } from '../draft/draft.ts';
import { importFaults } from '../draft/errors.ts';

/** What keeps SQL of dbt from being a part of a statement: templates too, which only dbt fills; null for nothing. */
export function findDbtSqlFault(text: string, lexicalRules: LexicalRules): string | null {
  return /\{[{%#]|[#%}]\}/.test(text) ? importFaults.template(text) : findSqlFault(text, lexicalRules);
}

/** The type of numbers with a point that floats, as a platform calls it. */
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

/** A number as one whose point floats. */
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

/** Moments cut to a unit below a day; null for a platform of which this is not known. */
export function cutMoment(expr: string, unit: string, platform: Platform): string | null {
  return TRUNCATING.includes(platform) ? `DATE_TRUNC('${unit}', ${expr})` : null;
}

/** Dates or moments cut to a grain, as dates. */
export function cutDate(expr: string, grain: Grain, platform: Platform): string {
  if (grain === 'day') return `CAST(${expr} AS DATE)`;
  const dimension = { name: '', dataType: 'DATE', hidden: false, expr, grain: null } as const;
  return printGrain({ ...dimension, caseSensitive: false, synonyms: [] }, grain, {
    platform,
    timezone: 'UTC',
  });
}

/** Platforms whose PERCENTILE_CONT and PERCENTILE_DISC aggregate. */
const PERCENTILES: readonly Platform[] = [
  'duckdb',
  'postgresql',
  'redshift',
  'snowflake',
  'databricks',
  'yellowbrick',
];

/** The function that computes a percentile: of the numbers that there are, or between two of them. */
export function nameOfPercentile(isDiscrete: boolean): string {
  return isDiscrete ? 'PERCENTILE_DISC' : 'PERCENTILE_CONT';
}

/** A percentile of the numbers of rows; null for a platform of which this is not known. */
export function printPercentile(
  expr: string,
  { share, isDiscrete }: { readonly share: number; readonly isDiscrete: boolean },
  platform: Platform,
): string | null {
  if (!PERCENTILES.includes(platform)) return null;
  // Between two exact numbers DuckDB would cut digits off.
  const argument = isDiscrete ? expr : castFloat(expr, platform);
  return `${nameOfPercentile(isDiscrete)}(${share}) WITHIN GROUP (ORDER BY ${argument})`;
}

/**
 * An aggregate as a part of a larger expression; null for one that cannot be. Where its filter leaves no rows it is NULL,
 * as dbt has it, be it a count.
 */
export function printInput(aggregate: Aggregate): string | null {
  const { aggregation, expr, filter } = aggregate;
  // A platform's own MEDIAN is not exact.
  if (aggregation === 'MEDIAN') return null;
  const sql = printAggregate(aggregate);
  if (filter === null || !aggregation.startsWith('COUNT')) return sql;
  const rows = `COUNT(CASE WHEN ${filter} THEN 1 END)`;
  return expr.trim() === '*' ? `NULLIF(${rows}, 0)` : `CASE WHEN ${rows} > 0 THEN ${sql} END`;
}
