import type { SqlValue } from './sql-value.ts';

/** A condition of SQL, with the values of its placeholders. */
export type Condition = readonly [text: string, ...values: SqlValue[]];

/** A WHERE clause for which all conditions hold; empty for none. Few different conditions give few different texts. */
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
