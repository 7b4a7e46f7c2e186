import type { FuncCall, SQLValueFunctionOp } from 'libpg-query';
import type { Span } from '../../engine/text/span.ts';
import { elementAt } from '../../invariants/must.ts';
import { readWindow } from './read-window.ts';
import { SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { CallSyntax, ExpressionSyntax, NameSyntax } from './syntax.ts';
import { checkFields, listStrings, type NodeOf, type TreeContext } from './tree.ts';

const FIELDS = 'funcname args agg_filter over agg_star agg_distinct funcformat location';

/** Reads a function call. Throws a SemanticSqlError. */
export function readCall(context: TreeContext, call: FuncCall): CallSyntax {
  const span = context.text.findSpan(call.location);
  if (call.agg_within_group === true) {
    throw new SemanticSqlError(span, syntaxTexts.feature('WITHIN GROUP', 'write MEDIAN(x) for the median'));
  }
  if (call.agg_order !== undefined)
    throw new SemanticSqlError(span, syntaxTexts.unsupported('ORDER BY in an aggregate'));
  checkFields(call, FIELDS, 'this form of a call', span);
  const name = readName(context, call, span);
  return {
    kind: 'call',
    ...span,
    name,
    args: readUnitWord(
      name.text,
      (call.args ?? []).map((arg) => context.readExpression(arg)),
    ),
    isStar: call.agg_star === true,
    isDistinct: call.agg_distinct === true,
    filter: call.agg_filter === undefined ? null : context.readExpression(call.agg_filter),
    over: call.over === undefined ? null : readWindow(context, call.over),
  };
}

/** The parser puts functions with special syntax, such as EXTRACT and TRIM, into PostgreSQL's own schema. */
function readName({ text }: TreeContext, call: FuncCall, span: Span): NameSyntax {
  const names = listStrings(call.funcname);
  const isSyntax = call.funcformat === 'COERCE_SQL_SYNTAX' && names[0] === 'pg_catalog';
  if (names.length > 1 && !isSyntax) {
    throw new SemanticSqlError(span, syntaxTexts.feature('a schema before a function', 'remove it'));
  }
  return text.readName(elementAt(names, -1), span);
}

/** Creates a call of a function with special syntax. */
export function createCallSyntax(name: string, args: readonly ExpressionSyntax[], span: Span): CallSyntax {
  return {
    kind: 'call',
    ...span,
    name: { text: name, isQuoted: false, ...span },
    args,
    isStar: false,
    isDistinct: false,
    filter: null,
    over: null,
  };
}

const VALUE_FUNCTIONS: Readonly<Partial<Record<SQLValueFunctionOp, string>>> = {
  SVFOP_CURRENT_DATE: 'current_date',
  SVFOP_CURRENT_TIMESTAMP: 'current_timestamp',
  SVFOP_LOCALTIMESTAMP: 'localtimestamp',
};

/** CURRENT_DATE and similar functions. */
export function readValueFunction(
  { text }: TreeContext,
  { op, location }: NodeOf<'SQLValueFunction'>,
): CallSyntax {
  const span = text.findSpan(location);
  const name = op === undefined ? undefined : VALUE_FUNCTIONS[op];
  if (name === undefined) throw new SemanticSqlError(span, refuseValueFunction(op));
  return createCallSyntax(name, [], span);
}

/** `CURRENT_TIMESTAMP(3)`, which has a precision, and functions without a portable one, such as CURRENT_USER. */
function refuseValueFunction(op: SQLValueFunctionOp | undefined): string {
  const [, name = 'this function', precision] = /^SVFOP_(.*?)(_N)?$/.exec(op ?? '') ?? [];
  const plain = `SVFOP_${name}`;
  return precision !== undefined && Object.hasOwn(VALUE_FUNCTIONS, plain)
    ? syntaxTexts.feature(`a precision of ${name}`, `write ${name}`)
    : syntaxTexts.unsupported(name);
}

/** Functions of three arguments whose first one is a unit, which can be a bare word. */
const UNIT_CALLS: ReadonlySet<string> = new Set(['datediff', 'dateadd', 'date_add']);

/** The arguments of a call, with a unit that is a bare word as a literal: `DATEDIFF(day, a, b)`. */
function readUnitWord(name: string, args: readonly ExpressionSyntax[]): readonly ExpressionSyntax[] {
  const [unit, ...others] = args;
  if (!UNIT_CALLS.has(name) || unit?.kind !== 'column' || others.length !== 2) return args;
  const [word, ...more] = unit.names;
  if (word === undefined || word.isQuoted || more.length > 0) return args;
  const { start, end } = unit;
  return [{ kind: 'literal', type: 'text', text: word.text, start, end }, ...others];
}
