import type { BlockDefinition, Definition, Program } from '../program/program.ts';
import { walkDefinition } from '../program/walk.ts';
import { findEntry } from '../syntax/find-entry.ts';
import { findReference } from '../values/resolve.ts';

/** Whether a block is published (docs/reference/publishing.md#keys). */
export function isPublished({ declaration }: BlockDefinition): boolean {
  return findEntry(declaration.meta, 'publication') !== null;
}

/** The published blocks that a block reads, directly or through unpublished blocks and macros. */
export function listDependencies(program: Program, block: BlockDefinition): readonly BlockDefinition[] {
  const found = new Map<Definition['declaration'], BlockDefinition>();
  const seen = new Set<Definition['declaration']>([block.declaration]);
  const waiting: Definition[] = [block];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const called of listCalled(program, next)) {
      if (called.kind === 'block' && isPublished(called)) found.set(called.declaration, called);
      else if (!seen.has(called.declaration)) waiting.push(called);
      seen.add(called.declaration);
    }
  }
  return [...found.values()];
}

/** The blocks and macros that a definition names. */
function listCalled(program: Program, definition: Definition): readonly Definition[] {
  const called: Definition[] = [];
  walkDefinition(definition, (expression, place) => {
    const resolved = findReference(program, expression, place);
    if (resolved?.kind === 'definition' && resolved.definition.kind !== 'test')
      called.push(resolved.definition);
  });
  return called;
}
