import type { Condition } from './expression.ts';
import { cannotBe } from './null-rules.ts';
import { listExpressionFields, mapExpression } from './walk-expression.ts';

/** The condition that a result is joined: an inner join with it fulfils this. */
export function createPresence<Field>(field: Field): Condition<Field> {
  return { kind: 'test', field, tests: [], negated: true, takesNull: false };
}

/** Whether a condition is that of `createPresence`. */
export function isPresence<Field>(condition: Condition<Field>): boolean {
  return condition.kind === 'test' && condition.tests.length === 0;
}

/** The fields of a condition, with repetitions. */
export function listFields<Field>(condition: Condition<Field>): readonly Field[] {
  switch (condition.kind) {
    case 'test':
      return [condition.field];
    case 'expression':
      return listExpressionFields(condition.expression);
    default:
      return condition.parts.flatMap((part) => listFields(part));
  }
}

/** Maps the fields of a condition. */
export function mapFields<From, To>(condition: Condition<From>, map: (field: From) => To): Condition<To> {
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
  condition: Condition<Field>,
  isAbsent: (field: Field) => boolean,
): boolean {
  switch (condition.kind) {
    case 'test':
      return !condition.takesNull && isAbsent(condition.field);
    case 'expression':
      return cannotBe(condition.expression, true, isAbsent);
    default: {
      const rejects = (part: Condition<Field>) => rejectsNull(part, isAbsent);
      const { kind, parts } = condition;
      return kind === 'and' ? parts.some(rejects) : parts.every(rejects);
    }
  }
}
