import { findAggregation } from '../../model/aggregate-functions.ts';
import type { AggregateFunction } from '../../sql/nodes.ts';
import type { CallSyntax } from '../../syntax/syntax.ts';
import { readFunctionName } from './translate-call.ts';

/** Functions around a measure that do not change it (docs/reference/semantic-sql.md#what-a-select-means). */
const MEASURE_CALLS: ReadonlySet<string> = new Set(['measure', 'agg', 'aggregate']);

/** Whether a call is MEASURE or one of its synonyms. */
export function isMeasureCall(call: CallSyntax): boolean {
  return MEASURE_CALLS.has(readFunctionName(call));
}

/** Whether a call is GROUPING, whose value belongs to a whole level of groups. */
export function isGrouping(call: CallSyntax): boolean {
  return readFunctionName(call) === 'grouping';
}

/** Whether a call aggregates rows, as a measure does; false with OVER. */
export function isAggregate(call: CallSyntax): boolean {
  if (call.over !== null) return false;
  return isMeasureCall(call) || isGrouping(call) || findAggregate(call) !== undefined;
}

/** The aggregate that a call names. */
export function findAggregate(call: CallSyntax): AggregateFunction | undefined {
  const aggregate = findAggregation(readFunctionName(call));
  return aggregate === 'COUNT' && call.isDistinct ? 'COUNT_DISTINCT' : aggregate;
}
