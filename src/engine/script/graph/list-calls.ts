import { hasDefaults } from '../evaluate/compare-defaults.ts';
import type { BlockDefinition, Definition, Program } from '../program/program.ts';
import { walkDefinition } from '../program/walk.ts';
import type { CallExpression, Expression } from '../syntax/ast.ts';
import { findEntry } from '../syntax/find-entry.ts';
import { findReference } from '../values/resolve.ts';

/** A block, macro or constant that a definition names. */
export interface Called {
  readonly definition: Definition;
  /** The call; null for a name that is a value. */
  readonly call: CallExpression | null;
  /** Whether it reads the published object of the block, and does not run it; null if only a run knows. */
  readonly isRead: boolean | null;
}

const GIVEN = ['given'];

/** Whether a block is published (docs/reference/publishing.md#keys). */
export function isPublished({ declaration }: BlockDefinition): boolean {
  return findEntry(declaration.meta, 'publication') !== null;
}

/**
 * The blocks, macros and constants that a definition calls or has as values, in source order. Tests cannot be called, and
 * a test does not call the blocks whose rows it gives.
 */
export function listCalls(program: Program, definition: Definition): readonly Called[] {
  const called: Called[] = [];
  const calls = new Map<Expression, CallExpression>();
  walkDefinition(
    definition,
    (expression, context) => {
      if (expression.kind === 'call') calls.set(expression.callee, expression);
      const resolved = findReference(program, expression, context);
      if (resolved?.kind !== 'definition' || resolved.definition.kind === 'test') return;
      const call = calls.get(expression) ?? null;
      const callee = resolved.definition;
      called.push({ definition: callee, call, isRead: callee.kind === 'block' && readsObject(callee, call) });
    },
    GIVEN,
  );
  return called;
}

/** A block that is called with other arguments than its defaults runs, even if it is published. */
function readsObject(block: BlockDefinition, call: CallExpression | null): boolean | null {
  return isPublished(block) && (call === null || hasDefaults(call, block));
}
