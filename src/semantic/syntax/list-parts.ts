import { pickByKind } from '../../invariants/narrow.ts';
import type { ExpressionSyntax, SyntaxOf } from './syntax.ts';

type Kind = ExpressionSyntax['kind'];
type Parts = { readonly [K in Kind]: (syntax: SyntaxOf<K>) => readonly (ExpressionSyntax | null)[] };

const PARTS: Parts = {
  column: () => [],
  star: () => [],
  literal: () => [],
  exists: () => [],
  'scalar-query': () => [],
  cast: ({ operand }) => [operand],
  operator: ({ left, right }) => [left, right],
  and: ({ parts }) => parts,
  or: ({ parts }) => parts,
  not: ({ operand }) => [operand],
  'is-null': ({ operand }) => [operand],
  'is-boolean': ({ operand }) => [operand],
  'is-distinct': ({ left, right }) => [left, right],
  between: ({ operand, low, high }) => [operand, low, high],
  'in-list': ({ operand, values }) => [operand, ...values],
  'in-query': ({ operand }) => [operand],
  like: ({ operand, pattern, escape: sign }) => [operand, pattern, sign],
  case: ({ operand, branches, otherwise }) => [
    operand,
    ...branches.flatMap(({ when, result }) => [when, result]),
    otherwise,
  ],
  call: ({ args, filter, over }) => [
    ...args,
    filter,
    ...(over?.partitionBy ?? []),
    ...(over?.orderBy ?? []).map(({ value }) => value),
  ],
};

/** The direct parts of an expression, without its sub-queries. */
export function listSyntaxParts(syntax: ExpressionSyntax): readonly ExpressionSyntax[] {
  const list = pickByKind<ExpressionSyntax, [], readonly (ExpressionSyntax | null)[]>(PARTS, syntax);
  return list(syntax).filter((part) => part !== null);
}
