import { createCall, createCast, createField } from '../../expression/create-expression.ts';
import type { TypedExpression } from '../../expression/expression.ts';
import type { MeasureUse } from '../../model/index/field-use.ts';
import type { AggregationType, ValueType } from '../../model/model.ts';
import type { AggregateFunction } from '../../sql/nodes.ts';
import {
  type CallSyntax,
  type ExpressionSyntax,
  listSyntaxParts,
  type SyntaxOf,
} from '../../syntax/syntax.ts';
import { withPlace } from '../messages/with-place.ts';
import { findAggregate } from './aggregates.ts';
import { readCastType } from './read-cast-type.ts';
import { translateExpression } from './translate-expression.ts';

/** The measure types that an aggregate call can stand for: its own type, and SUM for a COUNT, which is additive. */
const READ_AS: Readonly<Record<AggregateFunction, readonly AggregationType[]>> = {
  SUM: ['SUM', 'COUNT'],
  COUNT: ['COUNT'],
  COUNT_DISTINCT: ['COUNT_DISTINCT'],
  AVG: ['AVG'],
  MIN: ['MIN'],
  MAX: ['MAX'],
  MEDIAN: ['MEDIAN'],
};

/** Aggregates that can be computed before a cast or a factor. MIN and MAX change places under a negative factor. */
const SCALED: ReadonlySet<AggregateFunction> = new Set<AggregateFunction>([
  'SUM',
  'AVG',
  'MEDIAN',
  'MIN',
  'MAX',
]);
const ORDERED: ReadonlySet<AggregateFunction> = new Set<AggregateFunction>(['MIN', 'MAX']);

type FindMeasure = (syntax: ExpressionSyntax) => MeasureUse | null;

/**
 * The value of a measure's own aggregate (docs/reference/semantic-sql.md#what-a-select-means): the measure, inside the
 * casts and constant factors of the argument. Null for any other aggregate. Throws a SemanticSqlError for a cast or
 * constant that is not supported.
 */
export function readOwnAggregate(call: CallSyntax, find: FindMeasure): TypedExpression<MeasureUse> | null {
  const [arg, ...others] = call.args;
  const aggregate = findAggregate(call);
  const isDistinct = call.isDistinct && aggregate !== 'COUNT_DISTINCT';
  if (arg === undefined || others.length > 0 || call.filter !== null) return null;
  if (aggregate === undefined || isDistinct) return null;
  const value = readScaled(arg, aggregate, (syntax) => {
    const use = find(syntax);
    return use !== null && READ_AS[aggregate].includes(use.measure.aggregation) ? use : null;
  });
  return value?.kind === 'field' || SCALED.has(aggregate) ? value : null;
}

function readScaled(
  syntax: ExpressionSyntax,
  aggregate: AggregateFunction,
  find: FindMeasure,
): TypedExpression<MeasureUse> | null {
  const use = find(syntax);
  if (use !== null) return createField(use, use.measure.dataType);
  if (syntax.kind === 'operator') return readFactor(syntax, aggregate, find);
  const of = syntax.kind === 'cast' ? readScaled(syntax.operand, aggregate, find) : null;
  if (syntax.kind !== 'cast' || of === null) return null;
  const { dataType, digits, length } = readCastType(syntax.type, syntax);
  const keepsValues = digits === null && length === null && KEEPING[of.dataType]?.includes(dataType) === true;
  return keepsValues ? withPlace(syntax, () => createCast(of, dataType)) : null;
}

/** The casts of numbers that round no value; to FLOAT, the total has the rounding of the values. */
const KEEPING: Readonly<Partial<Record<ValueType, readonly ValueType[]>>> = {
  INTEGER: ['INTEGER', 'DECIMAL', 'FLOAT'],
  NUMBER: ['DECIMAL', 'FLOAT'],
  DECIMAL: ['DECIMAL', 'FLOAT'],
  FLOAT: ['FLOAT'],
};

function readFactor(
  syntax: SyntaxOf<'operator'>,
  aggregate: AggregateFunction,
  find: FindMeasure,
): TypedExpression<MeasureUse> | null {
  const { operator, left, right } = syntax;
  const read = (part: ExpressionSyntax) => readScaled(part, aggregate, find);
  if (left === null) {
    const of = read(right);
    if (of === null || operator === '+') return of;
    return ORDERED.has(aggregate) ? null : withPlace(syntax, () => createCall('NEGATE', [of]));
  }
  const isSwapped = operator === '*' && isConstant(left, aggregate);
  const [scaled, factor] = isSwapped ? [right, left] : [left, right];
  if ((operator !== '*' && operator !== '/') || !isConstant(factor, aggregate)) return null;
  const of = read(scaled);
  if (of === null) return null;
  const by = readConstant(factor);
  // The division of two integers drops the fraction of each row.
  if (operator === '/' && of.dataType === 'INTEGER' && by.dataType === 'INTEGER') return null;
  return withPlace(syntax, () => createCall(operator, isSwapped ? [by, of] : [of, by]));
}

/** Whether an expression is a constant factor; for MIN and MAX, which is not negative. */
function isConstant(syntax: ExpressionSyntax, aggregate: AggregateFunction): boolean {
  const isOrdered = ORDERED.has(aggregate);
  if (syntax.kind === 'literal') {
    return (
      (syntax.type === 'integer' || syntax.type === 'decimal') && !(isOrdered && syntax.text.startsWith('-'))
    );
  }
  if (syntax.kind !== 'cast' && (syntax.kind !== 'operator' || isOrdered)) return false;
  return listSyntaxParts(syntax).every((part) => isConstant(part, aggregate));
}

/** Numbers need no time. */
function readConstant(syntax: ExpressionSyntax): TypedExpression<never> {
  return translateExpression<never>(syntax, {
    timezone: 'UTC',
    clock: { now: new Date(0), uses: [] },
    readWhole: () => null,
    readQuery: () => {
      throw new Error('a constant factor has no sub-query');
    },
  });
}
