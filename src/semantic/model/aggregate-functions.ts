import { isKeyOf } from '../../invariants/narrow.ts';

const FUNCTIONS = {
  sum: 'SUM',
  count: 'COUNT',
  avg: 'AVG',
  min: 'MIN',
  max: 'MAX',
  median: 'MEDIAN',
} as const;

/** Finds the aggregation of an aggregate function of SQL by its name in lower case; undefined for other functions. */
export function findAggregation(name: string): (typeof FUNCTIONS)[keyof typeof FUNCTIONS] | undefined {
  return isKeyOf(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
}
