import { isKeyOf } from '../../invariants/narrow.ts';

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
