// Expressions are evaluated by generators. One that needs rows, a publication or a test yields a request and
// continues with the answer, so this code has no database and no promises. The same evaluation runs, compiles and
// checks a script.

import { elementAt, notNull, present } from '../../../invariants/must.ts';
import { pickByKind } from '../../../invariants/narrow.ts';
import { suggest } from '../../../text/suggest.ts';
import type { Span } from '../../text/span.ts';
import { RenderedSql } from '../params/output.ts';
import { describeUnset } from '../params/params.ts';
import {
  type BlockDefinition,
  type ConstantDefinition,
  createScriptError,
  createVoidBlockError,
  type Definition,
  describeDefinition,
  isVoid,
  type MacroDefinition,
} from '../program/program.ts';
import type {
  Argument,
  BinaryExpression,
  CallExpression,
  Expression,
  IndexExpression,
  MemberExpression,
  Parameter,
} from '../syntax/ast.ts';
import { findEntry } from '../syntax/find-entry.ts';
import { placeIn } from '../values/environment.ts';
import { BINARY, toCondition, UNARY } from '../values/operators.ts';
import { isFile, type Publication, printPublishedName, readPublication } from '../values/publication.ts';
import type { Evaluation } from '../values/request.ts';
import { findReference, printHint, type Resolved } from '../values/resolve.ts';
import { createScope, type RunContext, type Scope, toSite } from '../values/scope.ts';
import { limitSize } from '../values/size.ts';
import { findConstant, findFunction, type LibraryFunction } from '../values/stdlib.ts';
import { createMap, describeValue, isList, isMap, isSymbol, type Value } from '../values/value.ts';
import { bindArguments } from './bind-arguments.ts';
import { checkNotEmpty } from './call-errors.ts';
import { areDefaults, explainOnlyDefaults } from './compare-defaults.ts';
import { errorAt, locate, locatePublication } from './locate.ts';

type KindOf<K extends Expression['kind']> = Extract<Expression, { readonly kind: K }>;
/** Expressions that are evaluated directly. */
type SimpleKind = 'literal' | 'symbol' | 'unset' | 'name';
type CompoundKind = Exclude<Expression['kind'], SimpleKind>;

/** Maximum nesting of macros. */
const MAX_MACRO_DEPTH = 100;

/** Evaluates an expression (docs/reference/expressions.md). Throws a DiagnosticError with the position of the error. */
export function* evaluate(expression: Expression, scope: Scope): Evaluation<Value> {
  if (isSimple(expression)) {
    return pickByKind<KindOf<SimpleKind>, [Scope], Value>(SIMPLE, expression)(expression, scope);
  }
  const work = pickByKind<KindOf<CompoundKind>, [Scope], Evaluation<Value>>(COMPOUND, expression);
  return yield* work(expression, scope);
}

function isSimple(expression: Expression): expression is KindOf<SimpleKind> {
  return Object.hasOwn(SIMPLE, expression.kind);
}

/** Evaluates a condition; null is false. Throws a DiagnosticError. */
export function* evaluateCondition(expression: Expression, scope: Scope, where: string): Evaluation<boolean> {
  const value = yield* evaluate(expression, scope);
  return locate(scope, expression, () => toCondition(value, where));
}

const SIMPLE: { readonly [K in SimpleKind]: (expression: KindOf<K>, scope: Scope) => Value } = {
  literal: ({ value }) => value,
  symbol: ({ name }) => ({ kind: 'symbol', name }),
  unset(expression, scope) {
    throw errorAt(scope, expression, describeUnset({ kind: 'named', name: expression.name }));
  },
  name(expression, scope) {
    const local = scope.locals.get(expression.name);
    return local !== undefined ? local : toValue(notNull(resolve(expression, scope)), expression, scope);
  },
};

const COMPOUND: {
  readonly [K in CompoundKind]: (expression: KindOf<K>, scope: Scope) => Evaluation<Value>;
} = {
  member: evaluateMember,
  index: evaluateIndex,
  *call(expression, scope) {
    return yield* evaluateCall(expression, scope, 'call');
  },
  *list({ items }, scope) {
    const values: Value[] = [];
    for (const item of items) values.push(yield* evaluate(item, scope));
    return values.length === 0 ? values : locate(scope, elementAt(items, 0), () => limitSize(values));
  },
  *map({ entries }, scope) {
    const values: [string, Value][] = [];
    for (const { key, value } of entries) values.push([key.name, yield* evaluate(value, scope)]);
    const [first] = entries;
    const map = createMap(values);
    return first === undefined ? map : locate(scope, first.key, () => limitSize(map));
  },
  *unary(expression, scope) {
    const { operator, operand } = expression;
    const value = yield* evaluate(operand, scope);
    return locate(scope, expression, () => UNARY[operator](value));
  },
  binary: evaluateBinary,
};

function* evaluateBinary(expression: BinaryExpression, scope: Scope): Evaluation<Value> {
  const { operator, left, right } = expression;
  if (operator === 'and' || operator === 'or') {
    const first = yield* evaluateCondition(left, scope, operator);
    return first === (operator === 'or') ? first : yield* evaluateCondition(right, scope, operator);
  }
  const [a, b] = [yield* evaluate(left, scope), yield* evaluate(right, scope)];
  return locate(scope, expression, () => BINARY[operator](a, b));
}

function* evaluateMember(expression: MemberExpression, scope: Scope): Evaluation<Value> {
  const resolved = resolve(expression, scope);
  if (resolved !== null) return toValue(resolved, expression, scope);
  const { object, member } = expression;
  return readEntry(yield* evaluate(object, scope), member.name, member, scope);
}

function* evaluateIndex({ object, index }: IndexExpression, scope: Scope): Evaluation<Value> {
  const [owner, at] = [yield* evaluate(object, scope), yield* evaluate(index, scope)];
  if (typeof at === 'string' || isSymbol(at))
    return readEntry(owner, isSymbol(at) ? at.name : at, index, scope);
  if (!isList(owner))
    throw errorAt(scope, object, `only a list has a numeric index, not ${describeValue(owner)}`);
  if (typeof at !== 'bigint')
    throw errorAt(scope, index, `an index must be an integer or a key, not ${describeValue(at)}`);
  const value = at < 0n ? undefined : owner[Number(at)];
  if (value !== undefined) return value;
  const elements = owner.length === 1 ? '1 element' : `${owner.length} elements`;
  throw errorAt(scope, index, `the index ${at} is out of range: the list has ${elements}, starting at 0`);
}

function readEntry(owner: Value, key: string, span: Span, scope: Scope): Value {
  if (!isMap(owner)) throw errorAt(scope, span, `only a map has \`${key}\`, not ${describeValue(owner)}`);
  const value = owner.entries.get(key);
  if (value !== undefined) return value;
  throw errorAt(scope, span, `the map has no \`${key}\`${printHint(suggest(key, owner.entries.keys()))}`);
}

function resolve(expression: Expression, scope: Scope): Resolved | null {
  return findReference(scope.context.program, expression, scope);
}

function toValue(resolved: Resolved, span: Span, scope: Scope): Value {
  switch (resolved.kind) {
    case 'unknown':
      throw errorAt(scope, span, resolved.message);
    case 'function':
      return findConstant(resolved.library, resolved.name) ?? resolved;
    case 'definition':
      return resolved.definition.kind === 'constant'
        ? evaluateConstant(resolved.definition, span, scope)
        : resolved.definition;
    default:
      return resolved;
  }
}

/** The value of a constant, evaluated once in an execution. */
function evaluateConstant(definition: ConstantDefinition, span: Span, from: Scope): Value {
  const { constants } = from.context;
  const { declaration } = definition;
  const constant = constants.get(declaration);
  if (constant === null) throw errorAt(from, span, `the constant \`${definition.name}\` refers to itself`);
  if (constant !== undefined) return constant.value;
  constants.set(declaration, null);
  const scope = enter(definition, new Map(), from);
  const value = settle(evaluate(declaration.value, scope));
  constants.set(declaration, { value });
  return value;
}

/** The publication of a block, evaluated once in an execution; null for a block without `:publication`. */
export function evaluatePublication(block: BlockDefinition, from: Scope): Publication | null {
  const { publications, environment } = from.context;
  const cachedPublication = publications.get(block.declaration);
  if (cachedPublication !== undefined) return cachedPublication;
  const entry = block.declaration.meta?.entries.find(({ key }) => key.name === 'publication');
  if (entry === undefined) return null;
  const scope = enter(block, new Map(), from);
  const value = settle(evaluate(entry.value, scope));
  const publication = locatePublication(scope, entry.value, () =>
    placeIn(environment, block.declaration, readPublication(value)),
  );
  publications.set(block.declaration, publication);
  return publication;
}

/** The default values of a block's parameters; parameters without a default are left out. */
export function settleDefaults(block: BlockDefinition, context: RunContext): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const param of block.declaration.params) {
    if (param.default === null) continue;
    const scope = createScope(context, block, values);
    values.set(param.name, settle(evaluate(param.default, scope)));
  }
  return values;
}

/** The value of a key in the metadata of a block or test; undefined without the key. Throws a DiagnosticError. */
export function evaluateMeta(block: BlockDefinition, key: string, context: RunContext): Value | undefined {
  const entry = findEntry(block.declaration.meta, key);
  return entry === null ? undefined : settle(evaluate(entry, createScope(context, block, new Map())));
}

/** The publication of a block with its default arguments; null without one. Throws a DiagnosticError. */
export function settlePublication(block: BlockDefinition, context: RunContext): Publication | null {
  return evaluatePublication(block, createScope(context, block, settleDefaults(block, context)));
}

/** Completes an evaluation that must not make requests. */
function settle(evaluation: Evaluation<Value>): Value {
  const { done, value } = evaluation.next();
  if (done) return value;
  throw createScriptError(
    value.site.file.file,
    value.site,
    'a block cannot run here: constants, metadata and defaults cannot read rows',
  );
}

/**
 * The use of a call: the `rows` of a block; the name of a relation with them (`call`); or the content of a
 * separate interpolation (`statement`), where a void block is allowed.
 */
type CallUse = 'rows' | 'call' | 'statement';

/** Evaluates a call. */
export function* evaluateCall(expression: CallExpression, scope: Scope, use: CallUse): Evaluation<Value> {
  const { callee } = expression;
  const resolved = resolve(callee, scope);
  if (resolved?.kind === 'unknown') throw errorAt(scope, callee, resolved.message);
  if (resolved?.kind === 'function') {
    const libraryFunction = findFunction(resolved.library, resolved.name);
    if (libraryFunction !== null)
      return yield* callLibrary(libraryFunction, resolved.name, expression, scope);
  }
  if (resolved?.kind === 'definition')
    return yield* callDefinition(resolved.definition, expression, scope, use);
  throw errorAt(scope, callee, 'only a block, a macro or a function can be called');
}

function* callDefinition(
  definition: Definition,
  expression: CallExpression,
  scope: Scope,
  use: CallUse,
): Evaluation<Value> {
  switch (definition.kind) {
    case 'macro':
      return yield* expandToText(definition, expression, scope);
    case 'constant':
      throw errorAt(scope, expression.callee, `${describeDefinition(definition)} cannot be called`);
    case 'test':
      throw errorAt(
        scope,
        expression.callee,
        `${describeDefinition(definition)} cannot be called: run it with test.Run`,
      );
    default:
      return yield* callBlock(definition, expression, scope, use);
  }
}

function* callBlock(
  block: BlockDefinition,
  expression: CallExpression,
  scope: Scope,
  use: CallUse,
): Evaluation<Value> {
  checkCallable(block, expression, scope, use);
  const args = yield* evaluateArguments(block, expression, scope);
  const { given, asksEachCall } = scope.context;
  const givenName = given?.get(block.declaration) ?? null;
  const published = given === null ? evaluatePublication(block, scope) : null;
  const isObject = published !== null && !isFile(published.type);
  const isRead = isObject && areDefaults(args, settleDefaults(block, scope.context));
  const refusal = isObject && !isRead ? explainOnlyDefaults(block) : null;
  if (refusal !== null) throw errorAt(scope, expression.callee, refusal);
  const target = isRead ? printPublishedName(published, scope.context.dialect) : givenName;
  if (use !== 'rows' && target !== null && !asksEachCall) return { kind: 'relation', name: target };
  const site = toSite(scope, expression);
  return yield { kind: use === 'rows' ? 'rows' : 'call', call: { block, args, site }, target, site };
}

function checkCallable(block: BlockDefinition, expression: CallExpression, scope: Scope, use: CallUse): void {
  checkNotEmpty(block, toSite(scope, expression));
  if (isVoid(block) && use !== 'statement') throw createVoidBlockError(block, toSite(scope, expression));
}

/** Renders the body of a called macro into `output`. */
export function* expandMacro(
  macro: MacroDefinition,
  expression: CallExpression,
  scope: Scope,
  output: RenderedSql,
): Evaluation<void> {
  if (scope.depth >= MAX_MACRO_DEPTH) {
    const message = `the macro \`${macro.name}\` calls itself endlessly: more than ${MAX_MACRO_DEPTH} macros are nested`;
    throw errorAt(scope, expression, message);
  }
  locate(scope, expression, () => scope.context.budget.spend());
  const args = yield* evaluateArguments(macro, expression, scope);
  yield* scope.context.expandMacro(macro, args, scope, output);
}

function* expandToText(macro: MacroDefinition, expression: CallExpression, scope: Scope): Evaluation<string> {
  const output = new RenderedSql();
  yield* expandMacro(macro, expression, scope, output);
  return output.text.trim();
}

/** The macro that an expression calls; null for any other expression. */
export function findCalledMacro(expression: Expression, scope: Scope): MacroDefinition | null {
  if (expression.kind !== 'call') return null;
  const resolved = resolve(expression.callee, scope);
  return resolved?.kind === 'definition' && resolved.definition.kind === 'macro' ? resolved.definition : null;
}

/** Whether an expression calls a block, whose rows a loop needs. */
export function isBlockCall(expression: Expression, scope: Scope): expression is CallExpression {
  if (expression.kind !== 'call') return false;
  const resolved = resolve(expression.callee, scope);
  return resolved?.kind === 'definition' && resolved.definition.kind === 'block';
}

function* evaluateArguments(
  definition: BlockDefinition | MacroDefinition,
  expression: CallExpression,
  scope: Scope,
): Evaluation<ReadonlyMap<string, Value>> {
  const { params } = definition.declaration;
  const what = describeDefinition(definition);
  const args = bind(
    what,
    params.map(({ name }) => name),
    expression,
    scope,
  );
  const values = new Map<string, Value>();
  for (const [index, param] of params.entries()) {
    const argument = args[index];
    const value = argument
      ? yield* evaluate(argument.value, scope)
      : yield* evaluateDefault(definition, param, values, { expression, scope });
    values.set(param.name, value);
  }
  return values;
}

/** A default can use the parameters before it. */
function* evaluateDefault(
  definition: BlockDefinition | MacroDefinition,
  param: Parameter,
  before: ReadonlyMap<string, Value>,
  { expression, scope }: { readonly expression: CallExpression; readonly scope: Scope },
): Evaluation<Value> {
  if (param.default !== null) return yield* evaluate(param.default, enter(definition, before, scope));
  throw errorAt(scope, expression, `${describeDefinition(definition)} needs the argument \`${param.name}\``);
}

/** The scope inside a definition. */
export function enter(definition: Definition, locals: ReadonlyMap<string, Value>, from: Scope): Scope {
  const { file, name } = definition;
  return { ...from, package: definition.package, file, locals, block: name };
}

function* callLibrary(
  libraryFunction: LibraryFunction,
  name: string,
  expression: CallExpression,
  scope: Scope,
): Evaluation<Value> {
  const args = bind(
    `\`${name}\``,
    libraryFunction.params.map((param) => param.name),
    expression,
    scope,
  );
  const values: Value[] = [];
  for (const [index, param] of libraryFunction.params.entries()) {
    const argument = args[index];
    if (!argument && param.default === undefined) {
      throw errorAt(scope, expression, `\`${name}\` needs the argument \`${param.name}\``);
    }
    values.push(argument ? yield* evaluate(argument.value, scope) : present(param.default));
  }
  const { dialect, now } = scope.context;
  const context = { dialect, now, publication: scope.publication, site: toSite(scope, expression) };
  if (libraryFunction.kind === 'function') {
    return locate(scope, expression, () => limitSize(libraryFunction.evaluate(values, context)));
  }
  const answer = yield locate(scope, expression, () => libraryFunction.request(values, context));
  return answer;
}

function bind(
  what: string,
  names: readonly string[],
  { args }: CallExpression,
  scope: Scope,
): readonly (Argument | null)[] {
  const bound = bindArguments(what, names, args);
  if (bound.kind === 'bound') return bound.args;
  throw errorAt(scope, bound.argument, bound.message);
}
