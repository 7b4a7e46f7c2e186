import type { A_Expr, Node } from 'libpg-query';
import { elementAt } from '../../invariants/must.ts';
import { createCallSyntax } from './read-call.ts';
import { SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { ExpressionSyntax, OperatorSyntax } from './syntax.ts';
import { findNode, listStrings, type TreeContext } from './tree.ts';

const OPERATORS: ReadonlySet<string> = new Set<OperatorSyntax>([
  '+',
  '-',
  '*',
  '/',
  '%',
  '^',
  '||',
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  '~',
  '~*',
  '!~',
  '!~*',
]);

/** The Semantic SQL equivalents of other dialects' operators. */
const INSTEAD: Readonly<Record<string, string>> = {
  '==': 'write `=`',
  '<=>': 'write IS NOT DISTINCT FROM',
  '&&': 'write AND',
  '//': 'write FLOOR(a / b)',
  '**': 'write `^`',
  '#': 'for a comment, write `--`',
};

/** Pattern operators stay: `!~~` is NOT LIKE. */
const NEGATED: ReadonlySet<string> = new Set(['!~~', '!~~*', '<>']);

type Kind = NonNullable<A_Expr['kind']>;

const READERS: Readonly<Record<Kind, (context: TreeContext, node: A_Expr) => ExpressionSyntax>> = {
  AEXPR_OP: readPlain,
  AEXPR_DISTINCT: readDistinct,
  AEXPR_NOT_DISTINCT: readDistinct,
  AEXPR_NULLIF: (context, node) =>
    createCallSyntax(
      'nullif',
      [context.readExpression(node.lexpr), context.readExpression(node.rexpr)],
      spanOf(context, node),
    ),
  AEXPR_IN: readIn,
  AEXPR_LIKE: readLike,
  AEXPR_ILIKE: readLike,
  AEXPR_BETWEEN: readBetween,
  AEXPR_NOT_BETWEEN: readBetween,
  AEXPR_BETWEEN_SYM: refuse('BETWEEN SYMMETRIC', 'write the lower bound first, and remove SYMMETRIC'),
  AEXPR_NOT_BETWEEN_SYM: refuse('BETWEEN SYMMETRIC', 'write the lower bound first, and remove SYMMETRIC'),
  AEXPR_SIMILAR: refuse('SIMILAR TO', 'write LIKE, or `~` with a regular expression'),
  AEXPR_OP_ANY: refuse('ANY over a list', 'write IN (…)'),
  AEXPR_OP_ALL: refuse('ALL over a list', 'write NOT IN (…), or one comparison for each value'),
};

/** Reads an operator, or a predicate that the parser represents as one. Throws a SemanticSqlError. */
export function readOperator(context: TreeContext, node: A_Expr): ExpressionSyntax {
  return READERS[node.kind ?? 'AEXPR_OP'](context, node);
}

function refuse(what: string, instead: string): (context: TreeContext, node: A_Expr) => ExpressionSyntax {
  return (context, node) => {
    throw new SemanticSqlError(spanOf(context, node), syntaxTexts.feature(what, instead));
  };
}

function spanOf({ text }: TreeContext, { location, name }: A_Expr): { start: number; end: number } {
  const { start, end } = text.findSpan(location);
  // Each sign is a token of one character.
  const sign = elementAt(listStrings(name), -1);
  return { start, end: /^[^\w\s]+$/.test(sign) && end === start + 1 ? start + sign.length : end };
}

function readPlain(context: TreeContext, node: A_Expr): ExpressionSyntax {
  const span = spanOf(context, node);
  const names = listStrings(node.name);
  const sign = elementAt(names, -1);
  if (names.length > 1)
    throw new SemanticSqlError(
      span,
      syntaxTexts.feature('OPERATOR(…)', 'write the operator without a schema'),
    );
  const isSign = node.lexpr === undefined && sign !== '+' && sign !== '-';
  if (!isOperator(sign) || isSign) {
    const instead = Object.hasOwn(INSTEAD, sign) ? INSTEAD[sign] : undefined;
    throw new SemanticSqlError(span, syntaxTexts.operator(sign, instead));
  }
  return {
    kind: 'operator',
    ...span,
    operator: sign,
    left: node.lexpr === undefined ? null : context.readExpression(node.lexpr),
    right: context.readExpression(node.rexpr),
  };
}

function isOperator(sign: string): sign is OperatorSyntax {
  return OPERATORS.has(sign);
}

function readDistinct(context: TreeContext, node: A_Expr): ExpressionSyntax {
  return {
    kind: 'is-distinct',
    ...spanOf(context, node),
    left: context.readExpression(node.lexpr),
    right: context.readExpression(node.rexpr),
    isNegated: node.kind === 'AEXPR_NOT_DISTINCT',
  };
}

function listItems(node: Node | undefined): readonly Node[] {
  return findNode(node, 'List')?.items ?? [];
}

function readIn(context: TreeContext, node: A_Expr): ExpressionSyntax {
  return {
    kind: 'in-list',
    ...spanOf(context, node),
    operand: context.readExpression(node.lexpr),
    values: listItems(node.rexpr).map((item) => context.readExpression(item)),
    isNegated: NEGATED.has(elementAt(listStrings(node.name), -1)),
  };
}

function readBetween(context: TreeContext, node: A_Expr): ExpressionSyntax {
  const [low, high] = listItems(node.rexpr);
  return {
    kind: 'between',
    ...spanOf(context, node),
    operand: context.readExpression(node.lexpr),
    low: context.readExpression(low),
    high: context.readExpression(high),
    isNegated: node.kind === 'AEXPR_NOT_BETWEEN',
  };
}

/** The parser represents ESCAPE as a call around the pattern. */
function readLike(context: TreeContext, node: A_Expr): ExpressionSyntax {
  const call = findNode(node.rexpr, 'FuncCall');
  const isEscaped =
    call !== undefined &&
    listStrings(call.funcname).join('.') === 'pg_catalog.like_escape' &&
    call.args?.length === 2;
  const [pattern, sign] = isEscaped ? (call.args ?? []) : [node.rexpr];
  return {
    kind: 'like',
    ...spanOf(context, node),
    operand: context.readExpression(node.lexpr),
    pattern: context.readExpression(pattern),
    escape: sign === undefined ? null : context.readExpression(sign),
    ignoresCase: node.kind === 'AEXPR_ILIKE',
    isNegated: NEGATED.has(elementAt(listStrings(node.name), -1)),
  };
}
