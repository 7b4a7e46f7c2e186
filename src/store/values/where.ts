import { foldCase } from './fold-case.ts';
import type { SqlValue } from './statements.ts';

/** A condition of SQL, with the values of its placeholders. */
export type Condition = readonly [text: string, ...values: SqlValue[]];

/** A pattern of LIKE, with the escape character `\\`, for texts in comparable form that contain a text. */
export function toContained(text: string): string {
  return `%${foldCase(text).replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/**
 * A WHERE clause that joins all conditions with AND; empty without conditions. Conditions of the same form give the
 * same text, so that few statements are prepared.
 */
export function toWhere(conditions: readonly Condition[]): {
  readonly text: string;
  readonly values: readonly SqlValue[];
} {
  const texts = conditions.map(([text]) => text);
  return {
    text: texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`,
    values: conditions.flatMap(([, ...values]) => values),
  };
}
