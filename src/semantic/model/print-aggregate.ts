import type { AggregationType } from './model.ts';

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
