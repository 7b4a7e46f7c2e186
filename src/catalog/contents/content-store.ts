import type { Database } from '../../store/database.ts';
import type { NewId } from '../../store/values/uuid.ts';

/** A content as a string; or as the UTF-8 bytes of a long well-formed one, which need no conversion to a string. */
export type Content = string | Buffer;

/**
 * The size in bytes from which a content is long. A long content is split into parts of this size, each written in a
 * few milliseconds.
 */
const PART_BYTES = 1024 ** 2;

/** The contents of items. Callers hold the transaction. */
export interface ContentStore {
  readContent(id: string): string | undefined;
  /** Like `readContent`, but returns a long content as bytes. */
  readContentBytes(id: string): Content | undefined;
  /** Replaces the content of an item. */
  writeContent(id: string, content: Content): void;
  /** Creates a long content without an item, and returns its id. */
  beginLong(bytes: number): string;
  addPart(longId: string, part: number, bytes: Uint8Array): void;
  /** Replaces the content of an item with a complete long one. */
  linkLong(id: string, longId: string): void;
  /** Takes the long contents of an item and its history away from it, and returns their ids. */
  unlinkLong(id: string): readonly string[];
  /**
   * Removes long contents without an item that are not in a history: one, or all of them. Their text is overwritten in
   * the file.
   */
  removeUnlinked(longId?: string): void;
  /** Removes the last part of a long content without an item, like `removeUnlinked`; false without a part. */
  removeLastPart(longId: string): boolean;
}

/**
 * Whether a content is split into parts. Compares the number of bytes, or of a string, the number of UTF-16 units; one
 * unit has one to three bytes.
 */
export function isLong(content: Content): boolean {
  return content.length > PART_BYTES;
}

/** Whether a content of this size in bytes may be long. */
export function mayBeLong(bytes: number): boolean {
  return bytes > PART_BYTES;
}

/** The parts of a long content, in order. */
export function cutParts(bytes: Uint8Array): readonly Uint8Array[] {
  const count = Math.ceil(bytes.length / PART_BYTES);
  return Array.from({ length: count }, (_, part) =>
    bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
  );
}

/** The contents of an open database. */
export function createContentStore(database: Database, newId: NewId): ContentStore {
  const readText = createTextReader(database);
  const parts = database.statement<{ bytes: Buffer }>(`
    SELECT part.bytes FROM catalog_long_contents AS long JOIN catalog_content_parts AS part ON content_id = long.id
    WHERE item_id = ? ORDER BY part
  `);
  const writing = database.statement(`
    INSERT INTO catalog_contents (item_id, content) VALUES (?, CAST(? AS TEXT))
    ON CONFLICT (item_id) DO UPDATE SET content = excluded.content
  `);
  const removal = database.statement('DELETE FROM catalog_contents WHERE item_id = ?');
  const longRemoval = database.statement('DELETE FROM catalog_long_contents WHERE item_id = ?');
  const begin = database.statement('INSERT INTO catalog_long_contents (id, bytes) VALUES (?, ?)');
  const addition = database.statement(
    'INSERT INTO catalog_content_parts (content_id, part, bytes) VALUES (?, ?, ?)',
  );
  const link = database.statement('UPDATE catalog_long_contents SET item_id = ? WHERE id = ?');
  const unlink = database.statement<{ id: string }>(`
    UPDATE catalog_long_contents SET item_id = NULL, history_id = NULL
    WHERE item_id = ? OR history_id IN (SELECT id FROM catalog_history WHERE item_id = ?) RETURNING id
  `);
  const unlinkedRemoval = database.statement(
    'DELETE FROM catalog_long_contents WHERE item_id IS NULL AND history_id IS NULL AND id = coalesce(?, id)',
  );
  const lastPartRemoval = database.statement(`
    DELETE FROM catalog_content_parts WHERE (content_id, part) = (
      SELECT long.id, max(part) FROM catalog_long_contents AS long JOIN catalog_content_parts ON content_id = long.id
      WHERE long.id = ? AND item_id IS NULL AND history_id IS NULL
    )
  `);

  const store: ContentStore = {
    readContent: (id) => store.readContentBytes(id)?.toString(),
    readContentBytes(id) {
      const text = readText(id);
      if (text !== undefined) return text;
      const rows = parts.all(id);
      return rows.length === 0 ? undefined : Buffer.concat(rows.map(({ bytes }) => bytes));
    },
    writeContent(id, content) {
      if (isLong(content)) {
        const bytes = typeof content === 'string' ? Buffer.from(content) : content;
        const longId = store.beginLong(bytes.length);
        for (const [part, piece] of cutParts(bytes).entries()) store.addPart(longId, part, piece);
        store.linkLong(id, longId);
        return;
      }
      longRemoval.run(id);
      writing.run(id, content);
    },
    beginLong(bytes) {
      const longId = newId();
      begin.run(longId, bytes);
      return longId;
    },
    addPart(longId, part, bytes) {
      database.checkpointLater();
      addition.run(longId, part, bytes);
    },
    linkLong(id, longId) {
      removal.run(id);
      longRemoval.run(id);
      if (link.run(id, longId) !== 1) throw new Error(`no long content: ${longId}`);
    },
    unlinkLong: (id) => unlink.all(id, id).map((row) => row.id),
    removeUnlinked: (longId) => void database.erase(() => unlinkedRemoval.run(longId ?? null)),
    removeLastPart(longId) {
      database.checkpointLater();
      return database.erase(() => lastPartRemoval.run(longId)) > 0;
    },
  };
  return store;
}

/**
 * Reads contents that are not split into parts. Reads bytes, because the driver copies long strings (of earlier
 * versions) several times slower.
 */
function createTextReader(database: Database): (id: string) => Content | undefined {
  const reading = database.statement<{ content: string | Buffer }>(`
    SELECT CASE WHEN octet_length(content) > ${PART_BYTES} THEN CAST(content AS BLOB) ELSE content END AS content
    FROM catalog_contents WHERE item_id = ?
  `);
  return (id) => reading.get(id)?.content;
}
