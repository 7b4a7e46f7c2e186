import type { AggregationType, Platform } from '../../model/model.ts';
import { toMeasureType } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import type { ForeignMap } from '../draft/foreign-map.ts';
import { wrapSql } from '../draft/foreign-sql.ts';
import type { DbtMeasure, DbtModel, DbtScope } from './dbt-scope.ts';
import { castFloat, findDbtSqlError, nameOfPercentile, printPercentile } from './dbt-sql.ts';

const AGGREGATIONS: Readonly<Record<string, AggregationType>> = {
  sum: 'SUM',
  count: 'COUNT',
  count_distinct: 'COUNT_DISTINCT',
  average: 'AVG',
  avg: 'AVG',
  min: 'MIN',
  max: 'MAX',
  median: 'MEDIAN',
};

/** Reads the aggregate of a measure or of a simple metric in the newer format; a reason if it cannot be imported. */
export function readDbtAggregate(
  map: ForeignMap,
  name: string,
  model: DbtModel,
  scope: DbtScope,
): DbtMeasure | string {
  const agg = map.text('agg')?.toLowerCase();
  const expr = map.text('expr') ?? name;
  const percentile = readPercentile(map);
  if (map.any('agg_time_dimension') !== undefined)
    map.refuse('agg_time_dimension', importMessages.noOwnTime());
  if (map.any('non_additive_dimension') !== undefined) return importMessages.nonAdditive();
  if (agg === undefined) return importMessages.missing('agg');
  const error = expr === '*' ? null : findDbtSqlError(expr, scope.lexicalRules);
  if (error !== null) return error;
  if (agg === 'sum_boolean') return { ...sumBoolean(expr), model };
  if (agg === 'percentile')
    return readPercentileMeasure(map, expr, percentile, { model, platform: scope.platform });
  const aggregation = Object.hasOwn(AGGREGATIONS, agg) ? AGGREGATIONS[agg] : undefined;
  if (aggregation === undefined) return importMessages.unknownType(agg);
  // A constant is never NULL, so counting it counts rows.
  const isRows = aggregation === 'COUNT' && /^\d+$/.test(expr.trim());
  return {
    aggregate: { aggregation, expr: isRows ? '*' : expr },
    type: toMeasureType(aggregation),
    model,
  };
}

function sumBoolean(expr: string): Pick<DbtMeasure, 'aggregate' | 'type'> {
  const condition = wrapSql(expr);
  const number = `CASE WHEN ${condition} THEN 1 WHEN NOT ${condition} THEN 0 END`;
  return { aggregate: { aggregation: 'SUM', expr: number }, type: 'INTEGER' };
}

interface Percentile {
  readonly share: number | undefined;
  readonly isDiscrete: boolean;
  readonly isApproximate: boolean;
}

function readPercentile(map: ForeignMap): Percentile {
  const params = map.map('agg_params', `\`agg_params\` of ${map.subject}`);
  const percentile: Percentile = {
    share: params?.number('percentile') ?? map.number('percentile'),
    isDiscrete:
      params?.flag('use_discrete_percentile') === true || map.text('percentile_type') === 'discrete',
    isApproximate: params?.flag('use_approximate_percentile') === true,
  };
  params?.finish();
  return percentile;
}

function readPercentileMeasure(
  map: ForeignMap,
  expr: string,
  { share, isDiscrete, isApproximate }: Percentile,
  { model, platform }: { readonly model: DbtModel; readonly platform: Platform },
): DbtMeasure | string {
  if (share === undefined || share <= 0 || share >= 1) return importMessages.noShare();
  const sql = printPercentile(expr, { share, isDiscrete }, platform);
  if (sql === null) return importMessages.platformSql('a percentile', platform);
  if (isApproximate) map.approximate(importMessages.exactly(nameOfPercentile(isDiscrete)));
  return { aggregate: { aggregation: 'CUSTOM', expr: sql }, type: isDiscrete ? 'NUMBER' : 'FLOAT', model };
}

/** A ratio as in dbt: a floating-point number, and NULL for a division by zero. */
export function printRatio(numerator: string, denominator: string, platform: Platform): string {
  return `${castFloat(numerator, platform)} / ${castFloat(`NULLIF(${denominator}, 0)`, platform)}`;
}
