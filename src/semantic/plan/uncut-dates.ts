import { elementAt } from '../../invariants/must.ts';
import { createCall, createField, createLiteral } from '../expression/create-expression.ts';
import type {
  CallExpression,
  Condition,
  Expression,
  LiteralExpression,
  Test,
} from '../expression/expression.ts';
import type { FunctionName } from '../expression/functions.ts';
import { mapParts } from '../expression/walk-expression.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import type { Comparison, Literal } from '../sql/nodes.ts';
import { type DateSet, findDateSet, intersect, listRanges } from './date-set.ts';

type DateExpression = Expression<DimensionUse>;

/** With more ranges, truncating each value is faster. Adjacent values have one range. */
const MAX_RANGES = 100;
const MAX_VALUES = 1000;

/**
 * Replaces conditions on truncated dates, such as months, by ranges of the dates themselves
 * (docs/reference/semantic-numbers.md#where-filters-apply). The SQL is easier to read, and a database can use indexes and
 * partitions for it.
 */
export function uncutDates(condition: Condition<DimensionUse>): Condition<DimensionUse> {
  if (condition.kind === 'expression') {
    return { kind: 'expression', expression: uncutExpression(condition.expression) };
  }
  if (condition.kind !== 'test') return { kind: condition.kind, parts: condition.parts.map(uncutDates) };
  const { field: use, tests } = condition;
  if (use.field.dimension.grain === null) return condition;
  const of = createField(use, 'DATE');
  const sets = tests.map((test) => findTestSet(of, test));
  const ranges = sets.map((set) => set && findRanges(set));
  const [first] = sets;
  if (first == null || ranges.includes(null)) return condition;
  const uncut = ranges.flatMap((own) => own ?? []).map((bounds): Test => ({ kind: 'bounds', bounds }));
  return { ...condition, field: first.column.field, tests: uncut };
}

function findTestSet(of: DateExpression, test: Test): DateSet | null {
  if (test.kind === 'in') return test.values.length > MAX_VALUES ? null : findDateSet(of, '=', test.values);
  if (test.kind !== 'bounds') return null;
  const sets = test.bounds.map(({ op, value }) => findDateSet(of, op, [value]));
  const known = sets.filter((set) => set !== null);
  return known.length < sets.length ? null : intersect(known);
}

function findRanges(set: DateSet): ReturnType<typeof listRanges> {
  const ranges = listRanges(set);
  return ranges !== null && ranges.length > MAX_RANGES ? null : ranges;
}

/** Like `uncutDates`, for all conditions in an expression; unknown stays unknown. */
export function uncutExpression(expression: DateExpression): DateExpression {
  if (expression.kind === 'field') return expression;
  const uncut = expression.kind === 'call' ? uncutCall(expression) : null;
  return uncut ?? mapParts(expression, uncutExpression);
}

const FLIPPED = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function isComparison(name: FunctionName): name is Comparison {
  return Object.hasOwn(FLIPPED, name);
}

/** A comparison, IN or BETWEEN with constants; null for any other call. */
function uncutCall({ name, args }: CallExpression<DimensionUse>): DateExpression | null {
  const [left, right] = [elementAt(args, 0), elementAt(args, -1)];
  if (isComparison(name)) {
    return isConstant(left) ? compare(right, FLIPPED[name], [left]) : compare(left, name, [right]);
  }
  if (name === 'IN') return compare(left, '=', args.slice(1));
  if (name !== 'BETWEEN') return null;
  const [from, to] = [compare(left, '>=', [elementAt(args, 1)]), compare(left, '<=', [right])];
  return from && to && createCall('AND', [from, to]);
}

type Constant = LiteralExpression & { readonly value: Literal };

function isConstant(expression: DateExpression): expression is Constant {
  return expression.kind === 'literal' && expression.value !== null;
}

/** Whether a value compares with one of several constants, as ranges of the column behind it; null without such ranges. */
function compare(of: DateExpression, op: Comparison, args: readonly DateExpression[]): DateExpression | null {
  const constants = args.filter((arg) => isConstant(arg));
  if (constants.length < args.length || constants.length > MAX_VALUES) return null;
  const set = findDateSet(
    of,
    op,
    constants.map(({ value }) => value),
  );
  const ranges = set && findRanges(set);
  if (set === null || ranges === null) return null;
  const { column } = set;
  const parts = ranges.map((bounds) => {
    const own = bounds.map((bound) =>
      createCall(bound.op, [column, createLiteral(bound.value, column.dataType)]),
    );
    return own.length === 1 ? elementAt(own, 0) : createCall('AND', own);
  });
  return parts.length === 1 ? elementAt(parts, 0) : createCall('OR', parts);
}
