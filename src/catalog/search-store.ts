import type { Database } from '../store/database.ts';

/** The fields of an item that a search by name reads. */
interface NamedItem {
  readonly id: string;
  readonly name: string;
}

/** A short content; `place` orders them. */
interface ShortContent {
  readonly place: number;
  readonly id: string;
  readonly content: string;
}

/** Rows for searches, which read the whole catalog in small pieces. Callers hold the transaction. */
export interface SearchStore {
  /** Items without the roots, by id, after `afterId`; at most `limit`. */
  listNames(afterId: string, limit: number): NamedItem[];
  /** The next short content after a position; 0 for the first. */
  nextShort(afterPlace: number): ShortContent | undefined;
  /** The items with a long content, by id. */
  listLongIds(): string[];
  findPart(itemId: string, part: number): Buffer | undefined;
}

/** The rows of an open database. */
export function createSearchStore(database: Database): SearchStore {
  const names = database.statement<NamedItem>(`
    SELECT id, name FROM catalog_items WHERE id > ? AND parent_id IS NOT NULL ORDER BY id LIMIT ?
  `);
  const short = database.statement<ShortContent>(`
    SELECT rowid AS place, item_id AS id, content FROM catalog_contents WHERE rowid > ? ORDER BY rowid LIMIT 1
  `);
  const long = database.statement<{ item_id: string }>(
    'SELECT item_id FROM catalog_long_contents WHERE item_id IS NOT NULL ORDER BY item_id',
  );
  const part = database.statement<{ bytes: Buffer }>(`
    SELECT part.bytes FROM catalog_long_contents AS long JOIN catalog_content_parts AS part ON content_id = long.id
    WHERE item_id = ? AND part = ?
  `);
  return {
    listNames: (afterId, limit) => names.all(afterId, limit),
    nextShort: (afterPlace) => short.get(afterPlace),
    listLongIds: () => long.all().map((row) => row.item_id),
    findPart: (itemId, at) => part.get(itemId, at)?.bytes,
  };
}
