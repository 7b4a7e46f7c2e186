import type { Comparison, Literal, Match } from '../sql/nodes.ts';

/** A test of one value that no dialect has a part in. */
export type Test =
  | { readonly kind: 'in'; readonly values: readonly Literal[] }
  | { readonly kind: 'match'; readonly how: Match; readonly text: string }
  /** All bounds hold. */
  | { readonly kind: 'bounds'; readonly bounds: readonly Bound[] }
  | { readonly kind: 'null' };

export interface Bound {
  readonly op: Comparison;
  readonly value: Literal;
}

/** A filter whose fields are found and whose values are read. */
export type Condition<Field> =
  | {
      readonly kind: 'test';
      readonly field: Field;
      /** One of them holds; none when negated. */
      readonly tests: readonly Test[];
      readonly negated: boolean;
      /** Whether NULL satisfies it. */
      readonly takesNull: boolean;
    }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition<Field>[] };

/** The fields that a condition asks for, with repetitions. */
export function listFields<Field>(condition: Condition<Field>): readonly Field[] {
  return condition.kind === 'test' ? [condition.field] : condition.parts.flatMap((part) => listFields(part));
}

/** The same condition of other fields. */
export function mapFields<From, To>(condition: Condition<From>, map: (field: From) => To): Condition<To> {
  if (condition.kind === 'test') return { ...condition, field: map(condition.field) };
  return { kind: condition.kind, parts: condition.parts.map((part) => mapFields(part, map)) };
}

/** Whether a condition can only be true where one of the fields that `isAbsent` names is not NULL. */
export function rejectsNull<Field>(
  condition: Condition<Field>,
  isAbsent: (field: Field) => boolean,
): boolean {
  if (condition.kind === 'test') return !condition.takesNull && isAbsent(condition.field);
  const { kind, parts } = condition;
  const rejects = (part: Condition<Field>) => rejectsNull(part, isAbsent);
  return kind === 'and' ? parts.some(rejects) : parts.every(rejects);
}
