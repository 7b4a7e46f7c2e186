import type { Diagnostic } from '../../../text/diagnostic.ts';
import { bindArguments } from '../../evaluate/bind-arguments.ts';
import { type Definition, describeDefinition, listDefinitions, type Program } from '../../program/program.ts';
import { type ExpressionContext, walkDefinition, walkProgram } from '../../program/walk.ts';
import type { CallExpression, Expression } from '../../syntax/ast.ts';
import { findEntry } from '../../syntax/find-entry.ts';
import { findReference, type Resolved } from '../../values/resolve.ts';
import { findConstant, findFunction } from '../../values/stdlib.ts';
import type { Report, Rule } from './rule.ts';

interface Signature {
  readonly what: string;
  readonly params: readonly { readonly name: string; readonly required: boolean }[];
}

/** Reports calls of names that cannot be called, and calls with wrong arguments. */
export const rightArguments: Rule = (program, report) => {
  const reached = findReached(program);
  walkProgram(program, (expression, context) => {
    if (expression.kind !== 'call') return;
    const resolved = findReference(program, expression.callee, context);
    if (resolved?.kind === 'unknown' || hasUnknown(program, expression.callee, context)) return;
    const signature = resolved === null ? null : findSignature(resolved);
    if (signature === null || typeof signature === 'string') {
      report(
        context.file,
        expression.callee,
        signature ?? 'only a block, a macro or a function can be called',
      );
      return;
    }
    // Only a run that reaches the call fails because of a missing argument, and nothing in the program does.
    const severity = reached.has(context.definition.declaration) ? 'error' : 'warning';
    checkArguments(expression, signature, context, report, severity);
  });
};

/** Reports wrong arguments as errors, and a missing one with a severity. */
function checkArguments(
  call: CallExpression,
  { what, params }: Signature,
  context: ExpressionContext,
  report: Report,
  severity: Diagnostic['severity'],
): void {
  const names = params.map(({ name }) => name);
  const bound = bindArguments(what, names, call.args);
  if (bound.kind === 'wrong') {
    report(context.file, bound.argument, bound.message);
    return;
  }
  const missing = params.find(({ required }, index) => required && bound.args[index] === null);
  if (missing) report(context.file, call, `${what} needs the argument \`${missing.name}\``, severity);
}

/** Whether a name before the member is unknown, which is already reported. */
function hasUnknown(program: Program, expression: Expression, context: ExpressionContext): boolean {
  if (findReference(program, expression, context)?.kind === 'unknown') return true;
  return expression.kind === 'member' && hasUnknown(program, expression.object, context);
}

/** The signature of a callable; an error message if it cannot be called. */
function findSignature(resolved: Exclude<Resolved, { kind: 'unknown' }>): Signature | string | null {
  if (resolved.kind === 'function') {
    const libraryFunction = findFunction(resolved.library, resolved.name);
    if (libraryFunction === null || findConstant(resolved.library, resolved.name) !== undefined) return null;
    const params = libraryFunction.params.map((param) => ({
      name: param.name,
      required: param.default === undefined,
    }));
    return { what: `\`${resolved.name}\``, params };
  }
  if (resolved.kind !== 'definition') return null;
  const { definition } = resolved;
  const what = describeDefinition(definition);
  if (definition.kind === 'constant') return `${what} cannot be called`;
  if (definition.kind === 'test') return `${what} cannot be called: run it with test.Run`;
  const params = definition.declaration.params.map((param) => ({
    name: param.name,
    required: param.default === null,
  }));
  return { what, params };
}

/**
 * The declarations of a program that something reaches: anonymous blocks, tests, publications and constants, and what
 * these name, directly or through others.
 */
function findReached(program: Program): ReadonlySet<Definition['declaration']> {
  const reached = new Set<Definition['declaration']>();
  const waiting: Definition[] = [];
  const add = (definition: Definition) => {
    if (reached.has(definition.declaration)) return;
    reached.add(definition.declaration);
    waiting.push(definition);
  };
  for (const owner of program.packages.values()) {
    for (const file of owner.files) listDefinitions(owner, file).filter(isRoot).forEach(add);
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    walkDefinition(next, (expression, context) => {
      const resolved = findReference(program, expression, context);
      if (resolved?.kind === 'definition') add(resolved.definition);
    });
  }
  return reached;
}

function isRoot(definition: Definition): boolean {
  if (definition.kind === 'macro') return false;
  return definition.kind !== 'block' || findEntry(definition.declaration.meta, 'publication') !== null;
}
