import type { AnyMeasure } from '../plan/plan.ts';
import type { AggregateFunction, SqlExpr } from '../sql/nodes.ts';
import type { CompileContext } from './sql-scope.ts';

/** The rank of a value in its group, and the number of values. */
export interface Rank {
  readonly place: SqlExpr;
  readonly count: SqlExpr;
}

/** Whether a median is computed by ranking values: exact, and the same on every platform. */
export function isRanked(
  { aggregation, dataType }: Pick<AnyMeasure, 'aggregation' | 'dataType'>,
  { dialect }: Pick<CompileContext, 'dialect'>,
): boolean {
  return aggregation === 'MEDIAN' && !dialect.medians[dataType === 'FLOAT' ? 'float' : 'exact'];
}

/** 1 for a value, NULL for NULL. */
export function toPresence(value: SqlExpr): SqlExpr {
  const isPresent: SqlExpr = { kind: 'null', expr: value, negated: true };
  return { kind: 'case', when: isPresent, value: { kind: 'number', text: '1' } };
}

/** Whether a row holds one of the one or two middle values. */
export function isInMiddle({ place, count }: Rank): SqlExpr {
  const two: SqlExpr = { kind: 'number', text: '2' };
  return {
    kind: 'between',
    expr: { kind: 'product', left: two, right: place },
    from: count,
    to: { kind: 'sum', left: count, right: two },
  };
}

/** Half of the lowest plus half of the highest middle value: exact, with one more digit. */
export function createMiddleMean({ dataType }: Pick<AnyMeasure, 'dataType'>, middle: SqlExpr): SqlExpr {
  const half = (type: AggregateFunction): SqlExpr => {
    const end: SqlExpr = { kind: 'aggregate', type, arg: middle };
    return { kind: 'product', left: end, right: { kind: 'half', isExact: dataType !== 'FLOAT' } };
  };
  return { kind: 'sum', left: half('MIN'), right: half('MAX') };
}
