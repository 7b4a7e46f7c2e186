import type { A_Const, ColumnRef, Node, SubLink, TypeName } from 'libpg-query';
import type { Span } from '../../engine/text/span.ts';
import { elementAt } from '../../invariants/must.ts';
import { createCallSyntax, readCall, readValueFunction } from './read-call.ts';
import { readOperator } from './read-operator.ts';
import { LIMITS, SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { ExpressionSyntax, TypeSyntax } from './syntax.ts';
import {
  checkFields,
  findNode,
  listStrings,
  type NodeKind,
  type NodeOf,
  nodeKindOf,
  readNames,
  type TreeContext,
} from './tree.ts';

type Readers = {
  readonly [Kind in NodeKind]?: (context: TreeContext, node: NodeOf<Kind>) => ExpressionSyntax;
};

const READERS: Readers = {
  ColumnRef: readColumn,
  A_Const: readConstant,
  TypeCast: (context, { arg, typeName, location }) => ({
    kind: 'cast',
    ...context.text.findSpan(location === -1 ? typeName?.location : location),
    operand: context.readExpression(arg),
    type: readType(context, typeName ?? {}),
  }),
  A_Expr: readOperator,
  BoolExpr: readLogical,
  NullTest: (context, { arg, nulltesttype, location }) => ({
    kind: 'is-null',
    ...context.text.findSpan(location),
    operand: context.readExpression(arg),
    isNegated: nulltesttype === 'IS_NOT_NULL',
  }),
  BooleanTest: readBooleanTest,
  SubLink: readSubLink,
  CaseExpr: readCase,
  CoalesceExpr: (context, node) => readNamed(context, 'coalesce', node),
  MinMaxExpr: (context, node) => readNamed(context, node.op === 'IS_LEAST' ? 'least' : 'greatest', node),
  GroupingFunc: (context, node) => readNamed(context, 'grouping', node),
  FuncCall: readCall,
  SQLValueFunction: readValueFunction,
};

/** Grammar nodes that Semantic SQL does not support, with their messages. */
const REFUSED: Readonly<Partial<Record<NodeKind, readonly [what: string, instead: string]>>> = {
  ParamRef: ['a parameter without a value', 'give it a value in `params`'],
  RowExpr: ['a row of several values', 'compare the columns separately, with AND'],
  A_ArrayExpr: ['an array', 'write IN (…) for a list of values'],
  A_Indirection: ['a part of a value', 'name a field, as in `entity.field`'],
  CollateClause: ['COLLATE', 'remove it: texts always compare exactly'],
  SetToDefault: ['DEFAULT', 'write the value'],
  MultiAssignRef: ['an assignment', 'only read'],
};

/** Reads an expression of the parser's tree. Throws a SemanticSqlError for unsupported syntax. */
export function readExpression(context: TreeContext, node: Node | undefined): ExpressionSyntax {
  if (node === undefined)
    throw new SemanticSqlError(context.text.findSpan(undefined), syntaxTexts.unsupported('this expression'));
  const kind = nodeKindOf(node);
  const read = READERS[kind] as ((context: TreeContext, node: unknown) => ExpressionSyntax) | undefined;
  const value = (node as Record<string, { location?: number }>)[kind];
  if (read !== undefined) return read(context, value);
  const [what, instead] = REFUSED[kind] ?? [];
  const span = context.text.findSpan(value?.location);
  if (what === undefined || instead === undefined)
    throw new SemanticSqlError(span, syntaxTexts.unsupported('this expression'));
  throw new SemanticSqlError(span, syntaxTexts.feature(what, instead));
}

/** A call of the nodes that the parser has for some functions. */
function readNamed(
  context: TreeContext,
  name: string,
  { args, location }: Pick<NodeOf<'CoalesceExpr'>, 'args' | 'location'>,
): ExpressionSyntax {
  const read = (args ?? []).map((arg) => context.readExpression(arg));
  return createCallSyntax(name, read, context.text.findSpan(location));
}

function readColumn(context: TreeContext, { fields = [], location }: ColumnRef): ExpressionSyntax {
  const isStar = findNode(fields.at(-1), 'A_Star') !== undefined;
  const names = readNames(context, listStrings(isStar ? fields.slice(0, -1) : fields), location);
  const span = context.text.findSpan(location, Math.max(0, 2 * (fields.length - 1)));
  const start = names[0]?.start ?? span.start;
  return { kind: isStar ? 'star' : 'column', start, end: span.end, names };
}

function readConstant({ text }: TreeContext, constant: A_Const): ExpressionSyntax {
  const span = text.findSpan(constant.location);
  const { ival, fval, sval, boolval, isnull } = constant;
  if (isnull === true) return { kind: 'literal', ...span, type: 'null', text: '' };
  if (ival !== undefined) return { kind: 'literal', ...span, type: 'integer', text: `${ival.ival ?? 0}` };
  if (fval !== undefined) return readNumber(fval.fval ?? '0', span);
  if (sval !== undefined) return { kind: 'literal', ...span, type: 'text', text: sval.sval ?? '' };
  if (boolval !== undefined)
    return { kind: 'literal', ...span, type: 'boolean', text: `${boolval.boolval === true}` };
  throw new SemanticSqlError(span, syntaxTexts.unsupported('a string of bits'));
}

const MAX_INTEGER = 2n ** 63n;

/** Reads a number with a decimal point, an exponent, or more than 32 bits. */
function readNumber(written: string, span: Span): ExpressionSyntax {
  const plain = written.replaceAll('_', '');
  const [, sign = '', digits = ''] = /^(-?)(0[xob][\da-f]+|\d+)$/i.exec(plain) ?? [];
  if (plain.length > LIMITS.digits) throw new SemanticSqlError(span, syntaxTexts.digits());
  if (digits === '') return { kind: 'literal', ...span, type: 'decimal', text: plain };
  const whole = sign === '-' ? -BigInt(digits) : BigInt(digits);
  const isInteger = whole < MAX_INTEGER && whole >= -MAX_INTEGER;
  return { kind: 'literal', ...span, type: isInteger ? 'integer' : 'decimal', text: `${whole}` };
}

function readLogical(
  context: TreeContext,
  { boolop, args = [], location }: NodeOf<'BoolExpr'>,
): ExpressionSyntax {
  const span = context.text.findSpan(location);
  const parts = args.map((arg) => context.readExpression(arg));
  if (boolop === 'NOT_EXPR') return { kind: 'not', ...span, operand: elementAt(parts, 0) };
  return { kind: boolop === 'OR_EXPR' ? 'or' : 'and', ...span, parts };
}

const BOOLEAN_TESTS = {
  IS_TRUE: [true, false],
  IS_NOT_TRUE: [true, true],
  IS_FALSE: [false, false],
  IS_NOT_FALSE: [false, true],
  IS_UNKNOWN: [null, false],
  IS_NOT_UNKNOWN: [null, true],
} as const;

function readBooleanTest(
  context: TreeContext,
  { arg, booltesttype = 'IS_TRUE', location }: NodeOf<'BooleanTest'>,
): ExpressionSyntax {
  const [value, isNegated] = BOOLEAN_TESTS[booltesttype];
  const operand = context.readExpression(arg);
  return { kind: 'is-boolean', ...context.text.findSpan(location), operand, value, isNegated };
}

function readCase(
  context: TreeContext,
  { arg, args = [], defresult, location }: NodeOf<'CaseExpr'>,
): ExpressionSyntax {
  return {
    kind: 'case',
    ...context.text.findSpan(location),
    operand: arg === undefined ? null : context.readExpression(arg),
    branches: args.map((branch) => {
      const when = findNode(branch, 'CaseWhen');
      return { when: context.readExpression(when?.expr), result: context.readExpression(when?.result) };
    }),
    otherwise: defresult === undefined ? null : context.readExpression(defresult),
  };
}

function readSubLink(
  context: TreeContext,
  { subLinkType, testexpr, operName, subselect, location }: SubLink,
): ExpressionSyntax {
  const span = context.text.findSpan(location);
  const statement = findNode(subselect, 'SelectStmt');
  if (statement === undefined) throw new SemanticSqlError(span, syntaxTexts.unsupported('this sub-query'));
  switch (subLinkType) {
    case 'EXISTS_SUBLINK':
      return { kind: 'exists', ...span, query: context.readQuery(statement) };
    case 'EXPR_SUBLINK':
      return { kind: 'scalar-query', ...span, query: context.readQuery(statement) };
    case 'ANY_SUBLINK':
      if (operName !== undefined) break;
      return {
        kind: 'in-query',
        ...span,
        operand: context.readExpression(testexpr),
        query: context.readQuery(statement),
      };
    case 'ARRAY_SUBLINK':
      throw new SemanticSqlError(span, syntaxTexts.feature('an array', 'write IN (SELECT …)'));
    default:
  }
  throw new SemanticSqlError(
    span,
    syntaxTexts.feature('ANY or ALL of a sub-query', 'write IN, or compare with its MIN or MAX'),
  );
}

const TYPE_FIELDS = 'names typmods typemod location';

/** Reads the type of a cast. */
function readType(context: TreeContext, type: TypeName): TypeSyntax {
  const span = context.text.findSpan(type.location);
  checkFields(type, TYPE_FIELDS, 'this type', span);
  const names = listStrings(type.names);
  const last = names.at(-1) ?? '';
  const { text, isQuoted } = context.text.readName(last, span);
  const isOwn = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog');
  if (!isOwn || (isQuoted && text !== text.toLowerCase())) {
    throw new SemanticSqlError(span, syntaxTexts.unsupported(`type \`${text}\``));
  }
  const args = (type.typmods ?? []).map((node) => {
    const value = findNode(node, 'A_Const');
    if (value?.ival === undefined)
      throw new SemanticSqlError(span, syntaxTexts.unsupported(`this form of type \`${text}\``));
    return value.ival.ival ?? 0;
  });
  return { name: text, args };
}
