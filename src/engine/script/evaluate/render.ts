import { isKeyOf, pickByKind } from '../../../invariants/narrow.ts';
import { DiagnosticError } from '../../text/diagnostic.ts';
import type { SqlDialect } from '../../text/sql-dialect.ts';
import { RenderedSql } from '../params/output.ts';
import { describeMap, findTextless } from '../params/params.ts';
import type { MacroDefinition, Program } from '../program/program.ts';
import type { Body, CallExpression, ForPart, IfPart, InterpolationPart, Part } from '../syntax/ast.ts';
import { NO_ENVIRONMENT, type RunEnvironment } from '../values/environment.ts';
import type { Evaluation } from '../values/request.ts';
import { type RunContext, type Scope, withLocal } from '../values/scope.ts';
import { Budget } from '../values/size.ts';
import { describeValue, isList, kindOf, toText, type Value } from '../values/value.ts';
import {
  enter,
  evaluate,
  evaluateCall,
  evaluateCondition,
  expandMacro,
  findCalledMacro,
  isBlockCall,
} from './evaluate.ts';
import { errorAt, locate } from './locate.ts';

type Compound = Extract<Part, { readonly kind: 'interpolation' | 'if' | 'for' }>;
type KindOf<K extends Compound['kind']> = Extract<Compound, { readonly kind: K }>;
/** Maximum loop iterations and macro calls of one execution. */
const MAX_STEPS = 1_000_000;
/** Maximum iterations of one loop. */
const MAX_ROUNDS = 100_000;

/** Stands for a part that cannot be rendered; no database runs a statement with this character. */
export const HOLE = '\0';

/** The initial context of one execution of a program. */
export function createRunContext(
  program: Program,
  dialect: SqlDialect,
  now: number,
  {
    leavesHoles = false,
    environment = NO_ENVIRONMENT,
  }: { readonly leavesHoles?: boolean; readonly environment?: RunEnvironment } = {},
): RunContext {
  return {
    leavesHoles,
    program,
    dialect,
    now,
    budget: new Budget(MAX_STEPS),
    constants: new Map(),
    publications: new Map(),
    environment,
    given: null,
    asksEachCall: false,
    *expandMacro(macro, args, from, output) {
      const inside = enter(macro, args, from);
      yield* renderBody(macro.declaration.body, { ...inside, depth: from.depth + 1 }, output);
    },
  };
}

/**
 * Renders a body into `output` (docs/reference/expressions.md#insertion, docs/reference/calls.md#calls). When a request
 * is made, `output` contains everything before it. Throws a DiagnosticError, unless the context leaves holes.
 */
export function* renderBody({ parts }: Body, scope: Scope, output: RenderedSql): Evaluation<void> {
  for (const part of parts) {
    try {
      yield* renderPart(part, scope, output);
    } catch (error) {
      if (!scope.context.leavesHoles || !(error instanceof DiagnosticError)) throw error;
      output.insert(HOLE, scope.file.file.rendered, part, scope.block);
    }
  }
}

function* renderPart(part: Part, scope: Scope, output: RenderedSql): Evaluation<void> {
  if (!isCompound(part)) return copy(part, scope, output);
  const render = pickByKind<Compound, [Scope, RenderedSql], Evaluation<void>>(RENDERERS, part);
  yield* render(part, scope, output);
}

const RENDERERS: {
  readonly [K in Compound['kind']]: (part: KindOf<K>, scope: Scope, output: RenderedSql) => Evaluation<void>;
} = {
  interpolation: renderInterpolation,
  if: renderIf,
  for: renderFor,
};

function isCompound(part: Part): part is Compound {
  return isKeyOf(RENDERERS, part.kind);
}

function copy(part: Part, scope: Scope, output: RenderedSql): void {
  const { rendered } = scope.file.file;
  const textless = part.kind === 'text' ? findTextless(rendered, part) : undefined;
  if (textless !== undefined) throw errorAt(scope, textless, describeMap(textless));
  locate(scope, part, () => output.copy(rendered, part, scope.block));
}

function* renderInterpolation(part: InterpolationPart, scope: Scope, output: RenderedSql): Evaluation<void> {
  const { expression } = part;
  if (expression.kind !== 'call') return insert(yield* evaluate(expression, scope), part, scope, output);
  const macro = findCalledMacro(expression, scope);
  if (macro === null) insert(yield* evaluateCall(expression, scope, 'statement'), part, scope, output);
  else yield* renderMacro(macro, expression, scope, output);
}

/** Renders a macro's body, trimmed; passes the rendered part on before each request. */
function* renderMacro(
  macro: MacroDefinition,
  expression: CallExpression,
  scope: Scope,
  output: RenderedSql,
): Evaluation<void> {
  const expanded = new RenderedSql();
  const expansion = expandMacro(macro, expression, scope, expanded);
  let start = true;
  for (let next = expansion.next(); !next.done; ) {
    const trim = { start, end: false };
    start &&= expanded.text.trim() === '';
    locate(scope, expression, () => output.take(expanded, trim));
    next = expansion.next(yield next.value);
  }
  locate(scope, expression, () => output.take(expanded, { start, end: true }));
  if (endsInLineComment(macro)) output.insert('\n', scope.file.file.rendered, expression, scope.block);
}

/** Whether a macro ends with a line comment, which would include the SQL after the macro. */
function endsInLineComment({ declaration, file }: MacroDefinition): boolean {
  const { text } = file.file.rendered;
  const last = declaration.body.parts.findLast((part) => /\S/.test(text.slice(part.start, part.end)));
  return last?.kind === 'comment' && text.startsWith('--', last.start);
}

function insert(value: Value, part: Part, scope: Scope, output: RenderedSql): void {
  const text = toText(value);
  if (text === null) throw errorAt(scope, part, describeTextless(value));
  const { rendered } = scope.file.file;
  locate(scope, part, () => {
    if (kindOf(value) === 'relation') output.insertRelation(text, rendered, part, scope.block);
    else output.insert(text, rendered, part, scope.block);
  });
}

function describeTextless(value: Value): string {
  const item = isList(value) ? value.find((element) => toText(element) === null) : undefined;
  if (item !== undefined) return `a list that contains ${describeValue(item)} cannot be inserted`;
  const what = describeValue(value);
  const isCallable = ['a block', 'a macro', 'a function'].includes(what);
  return `${what} cannot be inserted${isCallable ? ': call it, with `()` after its name' : ''}`;
}

function* renderIf({ branches, otherwise }: IfPart, scope: Scope, output: RenderedSql): Evaluation<void> {
  for (const { condition, body } of branches) {
    if (yield* evaluateCondition(condition, scope, '#+if')) return yield* renderBody(body, scope, output);
  }
  if (otherwise !== null) yield* renderBody(otherwise, scope, output);
}

/** `before` and `after` enclose the items; an empty list renders nothing. */
function* renderFor(part: ForPart, scope: Scope, output: RenderedSql): Evaluation<void> {
  const items = yield* evaluateList(part, scope);
  if (items.length === 0) return;
  yield* renderClause(part, 'before', scope, output);
  for (const [index, item] of items.entries()) {
    locate(scope, part.list, () => scope.context.budget.spend());
    if (index > 0) yield* renderClause(part, 'separator', scope, output);
    yield* renderBody(part.body, withLocal(scope, part.variable.name, item), output);
  }
  yield* renderClause(part, 'after', scope, output);
}

function* renderClause(
  part: ForPart,
  clause: keyof ForPart['clauses'],
  scope: Scope,
  output: RenderedSql,
): Evaluation<void> {
  const expression = part.clauses[clause];
  if (expression === undefined) return;
  const text = toText(yield* evaluate(expression, scope));
  if (text === null) throw errorAt(scope, expression, `\`${clause}\` must be a string`);
  locate(scope, expression, () => output.insert(text, scope.file.file.rendered, expression, scope.block));
}

function* evaluateList({ list }: ForPart, scope: Scope): Evaluation<readonly Value[]> {
  const items = isBlockCall(list, scope)
    ? yield* evaluateCall(list, scope, 'rows')
    : yield* evaluate(list, scope);
  if (kindOf(items) === 'block')
    throw errorAt(scope, list, 'a loop needs the rows of the block: call it, with `()`');
  if (!isList(items))
    throw errorAt(scope, list, `a loop needs a list or a block, not ${describeValue(items)}`);
  if (items.length <= MAX_ROUNDS) return items;
  throw errorAt(
    scope,
    list,
    `a loop is limited to ${MAX_ROUNDS} iterations, and this list has ${items.length} elements`,
  );
}
