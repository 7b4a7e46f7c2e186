import type { TypedExpression } from './expression.ts';
import type { FunctionName } from './functions.ts';
import { listParts } from './walk-expression.ts';

/** Functions whose SQL repeats its arguments on some platform. */
const REPEATED: ReadonlySet<FunctionName> = new Set<FunctionName>([
  ...(['NULLIF', 'IS DISTINCT FROM', 'GREATEST', 'LEAST', '%', 'BETWEEN', 'IN'] as const),
]);
/** Functions of conditions, whose arguments stay conditions. */
const LOGICAL: ReadonlySet<FunctionName> = new Set<FunctionName>(['AND', 'OR', 'NOT', 'IS TRUE', 'IS FALSE']);

const weights = new WeakMap<object, number>();

/** Estimates the SQL size of an expression on the platform where it is largest; one value counts 1. */
export function weighExpression<Field>(expression: TypedExpression<Field>): number {
  if (expression.kind === 'literal' || expression.kind === 'field') return 1;
  const known = weights.get(expression);
  if (known !== undefined) return known;
  const isLogical = expression.kind === 'call' && LOGICAL.has(expression.name);
  const isRepeated =
    expression.kind === 'moment' || (expression.kind === 'call' && REPEATED.has(expression.name));
  const factor = isRepeated ? 3 : 1;
  const parts = listParts(expression).map((part) => {
    // A condition used as a value is written twice: as it is, and negated.
    const isValue = part.kind === 'call' && part.dataType === 'BOOLEAN' && !isLogical;
    return weighExpression(part) * (part.kind === 'literal' ? 1 : factor) * (isValue ? 2 : 1);
  });
  const weight = parts.reduce((sum, partWeight) => sum + partWeight, 1);
  weights.set(expression, weight);
  return weight;
}
