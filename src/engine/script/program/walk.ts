import type { Body, Expression, Parameter, Part } from '../syntax/ast.ts';
import { type Definition, type LinkedFile, listDefinitions, type Package, type Program } from './program.ts';

/** The context of an expression, with the names of parameters and loop variables in scope. */
export interface ExpressionContext {
  readonly package: Package;
  readonly file: LinkedFile;
  /** The definition that contains it. */
  readonly definition: Definition;
  readonly locals: ReadonlySet<string>;
}

type Visit = (expression: Expression, context: ExpressionContext) => void;

/** Visits every expression of a program, including nested ones; an outer expression comes before its parts. */
export function walkProgram({ packages }: Program, visit: Visit): void {
  for (const owner of packages.values()) {
    for (const file of owner.files) walkFile(owner, file, visit);
  }
}

/** Visits every expression of a file of a package. */
export function walkFile(owner: Package, file: LinkedFile, visit: Visit): void {
  for (const definition of listDefinitions(owner, file)) walkDefinition(definition, visit);
}

const NONE: ReadonlySet<string> = new Set();

/** Visits every expression of one definition, apart from its checks, which are definitions, and from further keys of its metadata. */
export function walkDefinition(definition: Definition, visit: Visit, without: readonly string[] = []): void {
  const context: ExpressionContext = {
    package: definition.package,
    file: definition.file,
    definition,
    locals: NONE,
  };
  if (definition.kind === 'constant') {
    walkExpression(definition.declaration.value, context, visit);
    return;
  }
  const { params, body } = definition.declaration;
  const locals = walkParameters(params, context, visit);
  if (definition.kind !== 'macro') {
    for (const { key, value } of definition.declaration.meta?.entries ?? []) {
      if (key.name !== 'checks' && !without.includes(key.name)) walkExpression(value, context, visit);
    }
  }
  walkBody(body, { ...context, locals }, visit);
}

/** A default can use the parameters before it. */
function walkParameters(
  params: readonly Parameter[],
  context: ExpressionContext,
  visit: Visit,
): ReadonlySet<string> {
  if (params.length === 0) return NONE;
  const locals = new Set<string>();
  for (const param of params) {
    if (param.default !== null) walkExpression(param.default, { ...context, locals: new Set(locals) }, visit);
    locals.add(param.name);
  }
  return locals;
}

function walkBody({ parts }: Body, context: ExpressionContext, visit: Visit): void {
  for (const part of parts) walkPart(part, context, visit);
}

function walkPart(part: Part, context: ExpressionContext, visit: Visit): void {
  switch (part.kind) {
    case 'interpolation':
      walkExpression(part.expression, context, visit);
      break;
    case 'if':
      for (const { condition, body } of part.branches) {
        walkExpression(condition, context, visit);
        walkBody(body, context, visit);
      }
      if (part.otherwise !== null) walkBody(part.otherwise, context, visit);
      break;
    case 'for':
      for (const expression of [part.list, ...Object.values(part.clauses)])
        walkExpression(expression, context, visit);
      walkBody(part.body, { ...context, locals: new Set(context.locals).add(part.variable.name) }, visit);
      break;
    default:
  }
}

function walkExpression(expression: Expression, context: ExpressionContext, visit: Visit): void {
  visit(expression, context);
  for (const part of listParts(expression)) walkExpression(part, context, visit);
}

/** The direct subexpressions of an expression. */
function listParts(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'member':
      return [expression.object];
    case 'index':
      return [expression.object, expression.index];
    case 'call':
      return [expression.callee, ...expression.args.map(({ value }) => value)];
    case 'list':
      return expression.items;
    case 'map':
      return expression.entries.map(({ value }) => value);
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    default:
      return [];
  }
}
