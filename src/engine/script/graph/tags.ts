import type { BlockDefinition } from '../program/program.ts';
import { findEntry } from '../syntax/find-entry.ts';

/** The tags of a block or test (docs/reference/build.md#selectors): the texts of `:tags` in its metadata. */
export function readTags({ declaration }: BlockDefinition): readonly string[] {
  const tags = findEntry(declaration.meta, 'tags');
  if (tags?.kind !== 'list') return [];
  return tags.items.flatMap((item) =>
    item.kind === 'literal' && typeof item.value === 'string' ? [item.value] : [],
  );
}
