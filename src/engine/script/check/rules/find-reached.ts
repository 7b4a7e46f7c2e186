import { type Definition, listDefinitions, type Program } from '../../program/program.ts';
import { walkDefinition } from '../../program/walk.ts';
import { findEntry } from '../../syntax/find-entry.ts';
import { findReference } from '../../values/resolve.ts';

/**
 * The declarations of a program that something reaches: anonymous blocks, tests, publications and constants, and what
 * these name, directly or through others.
 */
export function findReached(program: Program): ReadonlySet<Definition['declaration']> {
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
    walkDefinition(next, (expression, place) => {
      const resolved = findReference(program, expression, place);
      if (resolved?.kind === 'definition') add(resolved.definition);
    });
  }
  return reached;
}

function isRoot(definition: Definition): boolean {
  if (definition.kind === 'macro') return false;
  return definition.kind !== 'block' || findEntry(definition.declaration.meta, 'publication') !== null;
}
