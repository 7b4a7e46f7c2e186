import { semanticErrors } from '../errors.ts';
import type { ValueType } from '../model/model.ts';
import type { WindowCall } from '../sql/nodes.ts';
import { findAggregateType } from './create-measure.ts';
import type { TypedExpression, WindowExpression } from './expression.ts';
import { hasPart, listExpressionFields } from './walk-expression.ts';

export type WindowName = WindowCall | 'AVG';

interface WindowRule {
  /** The arguments that it accepts, for messages. */
  readonly takes: string;
  readonly needsOrder: boolean;
  /** The result type; null for arguments that it does not accept. */
  readonly type: (args: readonly TypedExpression<unknown>[], isStar: boolean) => ValueType | null;
}

const ofRows = (dataType: ValueType, needsOrder: boolean): WindowRule => ({
  takes: 'no argument',
  needsOrder,
  type: (args, isStar) => (args.length === 0 && !isStar ? dataType : null),
});

const ofAggregate = (aggregate: 'SUM' | 'AVG' | 'MIN' | 'MAX'): WindowRule => ({
  takes: 'one value',
  needsOrder: false,
  type: ([arg, ...others], isStar) =>
    arg === undefined || others.length > 0 || isStar ? null : findAggregateType(aggregate, arg.dataType),
});

const ofShift: WindowRule = {
  takes: 'a value and a literal number of rows',
  needsOrder: true,
  type: ([arg, count, ...others], isStar) => {
    if (arg === undefined || isStar || others.length > 0) return null;
    return count === undefined || isCount(count) ? arg.dataType : null;
  },
};

const ofEnd: WindowRule = {
  takes: 'one value',
  needsOrder: true,
  type: ([arg, ...others], isStar) =>
    arg === undefined || isStar || others.length > 0 ? null : arg.dataType,
};

/** The portable window functions (docs/reference/semantic-sql-functions.md#window-functions). */
export const WINDOW_CALLS: Readonly<Record<WindowName, WindowRule>> = {
  ROW_NUMBER: ofRows('INTEGER', false),
  RANK: ofRows('INTEGER', true),
  DENSE_RANK: ofRows('INTEGER', true),
  PERCENT_RANK: ofRows('FLOAT', true),
  CUME_DIST: ofRows('FLOAT', true),
  NTILE: {
    takes: 'a literal number above 0',
    needsOrder: true,
    type: ([count, ...others]) =>
      count !== undefined && others.length === 0 && isCount(count, 1) ? 'INTEGER' : null,
  },
  LAG: ofShift,
  LEAD: ofShift,
  FIRST_VALUE: ofEnd,
  LAST_VALUE: ofEnd,
  SUM: ofAggregate('SUM'),
  AVG: ofAggregate('AVG'),
  MIN: ofAggregate('MIN'),
  MAX: ofAggregate('MAX'),
  COUNT: {
    takes: 'one value, or `*`',
    needsOrder: false,
    type: (args, isStar) => (args.length === (isStar ? 0 : 1) ? 'INTEGER' : null),
  },
};

function isCount(arg: TypedExpression<unknown>, min = 0): boolean {
  if (arg.kind !== 'literal' || arg.value?.type !== 'number') return false;
  return /^\d{1,9}$/.test(arg.value.text) && Number(arg.value.text) >= min;
}

/** Aggregates, which accept FILTER. */
const AGGREGATES: ReadonlySet<WindowName> = new Set<WindowName>(['SUM', 'AVG', 'MIN', 'MAX', 'COUNT']);

/** Creates a call of a window function. Throws a SemanticError `refused` for arguments that it does not accept. */
export function createWindow<Field>(
  call: WindowName,
  options: Pick<WindowExpression<Field>, 'args' | 'partitionBy' | 'orderBy' | 'frame'> & {
    readonly isStar: boolean;
    readonly isFiltered: boolean;
  },
): WindowExpression<Field> {
  const { args, partitionBy, orderBy, frame, isStar, isFiltered } = options;
  const { takes, needsOrder, type } = WINDOW_CALLS[call];
  const dataType = isFiltered && !AGGREGATES.has(call) ? null : type(args, isStar);
  if (dataType === null) {
    const types = isStar ? ['*'] : args.map((arg) => arg.dataType);
    throw semanticErrors.functionTypes(call, types, isFiltered ? 'no FILTER' : takes);
  }
  if (needsOrder && orderBy.length === 0) throw semanticErrors.windowOrder(call);
  // A constant orders nothing, and some platforms read a number as a column index.
  if (orderBy.some(({ value }) => isConstant(value))) throw semanticErrors.windowOrder(call);
  const nullable = call !== 'COUNT' && args.length > 0;
  const parts = partitionBy.filter((part) => !isConstant(part));
  return { kind: 'window', call, args, partitionBy: parts, orderBy, frame, dataType, nullable };
}

function isConstant<Field>(expression: TypedExpression<Field>): boolean {
  return listExpressionFields(expression).length === 0 && !hasPart(expression, 'query');
}
