import type { Expression } from '../expression/expression.ts';
import { mapExpression } from '../expression/walk-expression.ts';

/** The same text for the same expression of the same fields. */
export function printExpressionKey(expression: Expression<{ readonly key: string }>): string {
  return JSON.stringify(mapExpression(expression, ({ key }) => key));
}
