import { hasDefaults } from '../evaluate/compare-defaults.ts';
import type { BlockDefinition, Definition, Program } from '../program/program.ts';
import { walkDefinition } from '../program/walk.ts';
import type { CallExpression, Expression } from '../syntax/ast.ts';
import { findEntry } from '../syntax/find-entry.ts';
import { findReference } from '../values/resolve.ts';

/** Whether a block is published (docs/reference/publishing.md#keys). */
export function isPublished({ declaration }: BlockDefinition): boolean {
  return findEntry(declaration.meta, 'publication') !== null;
}

/** The published blocks that a block reads, directly or through unpublished blocks and macros. */
export function listDependencies(program: Program, block: BlockDefinition): readonly BlockDefinition[] {
  const dependencies = new Map<Definition['declaration'], BlockDefinition>();
  const seen = new Set<Definition['declaration']>([block.declaration]);
  const waiting: Definition[] = [block];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { definition: callee, isDefault } of listCalled(program, next)) {
      const isRead = callee.kind === 'block' && isPublished(callee) && isDefault !== false;
      if (isRead) dependencies.set(callee.declaration, callee);
      if ((isRead && isDefault === true) || seen.has(callee.declaration)) continue;
      seen.add(callee.declaration);
      waiting.push(callee);
    }
  }
  return [...dependencies.values()];
}

/** A named definition; `isDefault`: whether it has its defaults, null if only a run knows. */
interface Called {
  readonly definition: Definition;
  readonly isDefault: boolean | null;
}

/** The blocks and macros that a definition names. */
function listCalled(program: Program, definition: Definition): readonly Called[] {
  const called: Called[] = [];
  const calls = new Map<Expression, CallExpression>();
  walkDefinition(definition, (expression, context) => {
    if (expression.kind === 'call') calls.set(expression.callee, expression);
    const resolved = findReference(program, expression, context);
    if (resolved?.kind !== 'definition' || resolved.definition.kind === 'test') return;
    const call = calls.get(expression);
    const callee = resolved.definition;
    const isDefault = call === undefined || callee.kind !== 'block' ? true : hasDefaults(call, callee);
    called.push({ definition: callee, isDefault });
  });
  return called;
}
