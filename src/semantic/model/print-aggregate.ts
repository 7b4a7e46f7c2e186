import type { AggregationType } from './model.ts';

/** What a measure aggregates, and of which rows. */
export interface Aggregate {
  readonly aggregation: AggregationType;
  readonly expr: string;
  /** SQL that a row must satisfy to count; null for every row. */
  readonly filter: string | null;
}

/** The SQL of an aggregate, with its filter inside of it; null for a CUSTOM one with a filter. */
export function printAggregate({ aggregation, expr, filter }: Aggregate): string | null {
  if (aggregation === 'CUSTOM') return filter === null ? expr : null;
  const isRows = expr.trim() === '*';
  const row = isRows ? '1' : expr;
  const argument = filter === null ? expr : `CASE WHEN ${filter} THEN ${row} END`;
  if (aggregation === 'COUNT_DISTINCT') return `COUNT(DISTINCT ${argument})`;
  return `${aggregation}(${argument})`;
}
