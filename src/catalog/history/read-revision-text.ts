import type { Content } from '../contents/content-store.ts';
import type { CatalogContext } from '../context.ts';
import type { Item } from '../store.ts';
import { historyErrors } from './errors.ts';
import type { FoundRevision } from './find-revision.ts';

/** The text of a revision. Throws 404 if it was purged. */
export function readRevisionText(
  { store }: CatalogContext,
  { id }: Item,
  { row, isCurrent }: FoundRevision,
): Content {
  const content = isCurrent ? store.readContentBytes(id) : store.readFormer(row.id);
  if (content === undefined) throw historyErrors.purged(row.revision);
  return content;
}
