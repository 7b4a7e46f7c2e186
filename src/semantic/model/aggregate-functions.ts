import { isKeyOf } from '../../invariants/narrow.ts';
import type { AggregationType } from './model.ts';

const FUNCTIONS = {
  sum: 'SUM',
  count: 'COUNT',
  avg: 'AVG',
  min: 'MIN',
  max: 'MAX',
  median: 'MEDIAN',
} as const;

/** Finds the aggregation of a SQL aggregate function by its lower-case name; undefined for other functions. */
export function findAggregation(name: string): (typeof FUNCTIONS)[keyof typeof FUNCTIONS] | undefined {
  return isKeyOf(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
}

/** The names of the SQL aggregate functions. */
export const AGGREGATE_NAMES: readonly string[] = Object.values(FUNCTIONS);

/** The argument of a measure, and the rows that it counts. */
export interface Aggregate {
  readonly aggregation: AggregationType;
  readonly expr: string;
  /** The SQL condition of counted rows; null for all rows. */
  readonly filter: string | null;
}

/** Prints the SQL of an aggregate including its filter; null for a CUSTOM one with a filter. */
export function printAggregate({ aggregation, expr, filter }: Aggregate): string | null {
  if (aggregation === 'CUSTOM') return filter === null ? expr : null;
  const isRows = expr.trim() === '*';
  const row = isRows ? '1' : expr;
  const argument = filter === null ? expr : `CASE WHEN ${filter} THEN ${row} END`;
  if (aggregation === 'COUNT_DISTINCT') return `COUNT(DISTINCT ${argument})`;
  return `${aggregation}(${argument})`;
}
