import type { ResolvedFilter, TypedExpression } from './expression.ts';
import { getFunction } from './functions.ts';
import { listExpressionFields, listParts, mapExpression } from './walk-expression.ts';

/** The condition that a result is joined: an inner join with it fulfils this. */
export function createPresence<Field>(field: Field): ResolvedFilter<Field> {
  return { kind: 'test', field, tests: [], negated: true, takesNull: false };
}

/** Whether a condition is that of `createPresence`. */
export function isPresence<Field>(condition: ResolvedFilter<Field>): boolean {
  return condition.kind === 'test' && condition.tests.length === 0;
}

/** The fields of a condition, with repetitions. */
export function listConditionFields<Field>(condition: ResolvedFilter<Field>): readonly Field[] {
  switch (condition.kind) {
    case 'test':
      return [condition.field];
    case 'expression':
      return listExpressionFields(condition.expression);
    default:
      return condition.parts.flatMap((part) => listConditionFields(part));
  }
}

/** Maps the fields of a condition. */
export function mapFields<From, To>(
  condition: ResolvedFilter<From>,
  map: (field: From) => To,
): ResolvedFilter<To> {
  switch (condition.kind) {
    case 'test':
      return { ...condition, field: map(condition.field) };
    case 'expression':
      return { kind: 'expression', expression: mapExpression(condition.expression, map) };
    default:
      return { kind: condition.kind, parts: condition.parts.map((part) => mapFields(part, map)) };
  }
}

/** Whether a condition cannot be true if all fields that `isAbsent` selects are NULL. */
export function rejectsNull<Field>(
  condition: ResolvedFilter<Field>,
  isAbsent: (field: Field) => boolean,
): boolean {
  switch (condition.kind) {
    case 'test':
      return !condition.takesNull && isAbsent(condition.field);
    case 'expression':
      return cannotBe(condition.expression, true, isAbsent);
    default: {
      const rejects = (part: ResolvedFilter<Field>) => rejectsNull(part, isAbsent);
      const { kind, parts } = condition;
      return kind === 'and' ? parts.some(rejects) : parts.every(rejects);
    }
  }
}

type IsAbsent<Field> = (field: Field) => boolean;

/** Whether an expression is always NULL if the fields that `isAbsent` selects are NULL. */
function isNull<Field>(expression: TypedExpression<Field>, isAbsent: IsAbsent<Field>): boolean {
  const test = (part: TypedExpression<Field>) => isNull(part, isAbsent);
  switch (expression.kind) {
    case 'field':
      return isAbsent(expression.field);
    case 'literal':
      return expression.value === null;
    case 'cast':
    case 'grain':
    case 'local':
    case 'moment':
      return test(expression.of);
    case 'case': {
      const { branches, otherwise } = expression;
      return branches.every(({ value }) => test(value)) && (otherwise === null || test(otherwise));
    }
    case 'call':
      return isNullCall(expression.name, expression.args, test);
    default:
      return false;
  }
}

type Call = Extract<TypedExpression<never>, { kind: 'call' }>;

function isNullCall<Field>(
  name: Call['name'],
  args: readonly TypedExpression<Field>[],
  test: (part: TypedExpression<Field>) => boolean,
): boolean {
  if (getFunction(name).nulls === 'strict') return args.some(test);
  switch (name) {
    case 'IN':
    case 'BETWEEN':
    case 'NULLIF':
      return args.slice(0, 1).some(test);
    case 'COALESCE':
    case 'GREATEST':
    case 'LEAST':
    case 'AND':
    case 'OR':
      return args.every(test);
    default:
      return false;
  }
}

/** Whether a condition is never `wanted` if the fields that `isAbsent` selects are NULL. */
function cannotBe<Field>(
  condition: TypedExpression<Field>,
  wanted: boolean,
  isAbsent: IsAbsent<Field>,
): boolean {
  if (isNull(condition, isAbsent)) return true;
  const test = (part: TypedExpression<Field>) => cannotBe(part, wanted, isAbsent);
  switch (condition.kind) {
    case 'literal':
      return condition.value?.text !== String(wanted);
    case 'in query':
      return wanted && isNull(condition.of, isAbsent);
    case 'case': {
      const { branches, otherwise } = condition;
      return branches.every(({ value }) => test(value)) && (otherwise === null || test(otherwise));
    }
    case 'call':
      return cannotCallBe(condition, wanted, isAbsent);
    default:
      return false;
  }
}

function cannotCallBe<Field>(
  call: Extract<TypedExpression<Field>, { kind: 'call' }>,
  wanted: boolean,
  isAbsent: IsAbsent<Field>,
): boolean {
  const parts = listParts(call);
  const cannot = (value: boolean) => (part: TypedExpression<Field>) => cannotBe(part, value, isAbsent);
  switch (call.name) {
    case 'AND':
      return wanted ? parts.some(cannot(true)) : parts.every(cannot(false));
    case 'OR':
      return wanted ? parts.every(cannot(true)) : parts.some(cannot(false));
    case 'NOT':
      return parts.every(cannot(!wanted));
    case 'IS TRUE':
    case 'IS FALSE':
      return wanted && parts.every(cannot(call.name === 'IS TRUE'));
    case 'IS NULL':
      return !wanted && parts.every((part) => isNull(part, isAbsent));
    case 'COALESCE':
      return parts.every(cannot(wanted));
    default:
      return false;
  }
}
