import { semanticErrors } from '../errors.ts';
import type { Grain } from '../model/model.ts';
import { convertDate, createGrain, isDateType } from './create-date.ts';
import { createCall, createDatePart, createInteger } from './create-expression.ts';
import type { TypedExpression } from './expression.ts';
import { foldConstant } from './fold-constant.ts';
import type { FunctionName } from './functions.ts';

/** The units of differences. */
export type DiffUnit = Grain | 'hour' | 'minute' | 'second';

/**
 * The number of boundaries of a unit between two dates or times, by the wall clock of `timezone`. Weeks begin on Monday.
 * Throws a SemanticError `refused` for values that are not dates or times.
 */
export function createDateDiff<Field>(
  unit: DiffUnit,
  from: TypedExpression<Field>,
  to: TypedExpression<Field>,
  timezone: string,
): TypedExpression<Field> {
  const types = [from.dataType, to.dataType];
  if (!types.every(isDateType)) {
    throw semanticErrors.functionTypes(
      'DATEDIFF',
      types,
      'a unit and two values of DATE, TIMESTAMP or DATETIME',
    );
  }
  const toWall = (value: TypedExpression<Field>) =>
    value.dataType === 'DATETIME' ? convertDate(value, 'TIMESTAMP', timezone) : value;
  const [first, last] = [toWall(from), toWall(to)];
  const call = (name: FunctionName, args: readonly TypedExpression<Field>[]) =>
    foldConstant(createCall(name, args));
  const times = (value: TypedExpression<Field>, count: number) => call('*', [value, createInteger(count)]);
  const daysTo = (start: Grain) => {
    const cut = (value: TypedExpression<Field>) =>
      start === 'day' ? convertDate(value, 'DATE', timezone) : createGrain(start, value, timezone);
    return call('DAYS_BETWEEN', [cut(last), cut(first)]);
  };
  const between = (part: FunctionName) => {
    const read = (value: TypedExpression<Field>) => foldConstant(createDatePart(part, value, timezone));
    return call('-', [read(last), read(first)]);
  };
  const within = (outer: TypedExpression<Field>, count: number, part: FunctionName) =>
    call('+', [times(outer, count), between(part)]);
  switch (unit) {
    case 'day':
      return daysTo('day');
    case 'week':
      return call('/', [daysTo('week'), createInteger(7)]);
    case 'month':
      return within(between('YEAR'), 12, 'MONTH');
    case 'quarter':
      return within(between('YEAR'), 4, 'QUARTER');
    case 'year':
      return between('YEAR');
    case 'hour':
      return within(daysTo('day'), 24, 'HOUR');
    case 'minute':
      return within(createDateDiff('hour', first, last, timezone), 60, 'MINUTE');
    case 'second':
      return within(createDateDiff('minute', first, last, timezone), 60, 'SECOND');
  }
}
