import { present } from '../../invariants/must.ts';
import type { Database } from '../../store/database.ts';
import type { Content } from './content-store.ts';

/** How an asset got a content. */
export const HISTORY_ACTIONS = ['created', 'updated', 'restored'] as const;
type HistoryAction = (typeof HISTORY_ACTIONS)[number];

/** Where a content came from: a token's request, a session of the console, or the command line on the home itself. */
export const HISTORY_SOURCES = ['api', 'console', 'command-line'] as const;
export type HistorySource = (typeof HISTORY_SOURCES)[number];

/** What the history knows of a content when it is written. */
interface Written {
  /** The revision of the asset with this content; renames give the asset later ones. */
  readonly revision: number;
  /** 1 for the first content of an asset, 2 for the next. */
  readonly ordinal: number;
  readonly createdAt: string;
  /** Null, as the next three, for a content of a version that kept no history. */
  readonly userId: string | null;
  /** The user name at that time. */
  readonly userName: string | null;
  readonly action: HistoryAction | null;
  readonly source: HistorySource | null;
  /** The revision whose text was restored; else null. */
  readonly restoredFrom: number | null;
  /** UTF-8. */
  readonly bytes: number;
  /** In hexadecimal; null for a purged text, and for one of a version that kept no history. */
  readonly sha256: string | null;
}

/** A content of an asset in its history. */
export interface HistoryRow extends Written {
  readonly id: number;
  /** Null unless the text was purged. */
  readonly purgedAt: string | null;
  /** The name of the user who purged it, at that time. */
  readonly purgedBy: string | null;
}

/** How much of an asset's former contents is kept. */
interface HistoryLimits {
  readonly count: number;
  readonly bytes: number;
}

/** The current and former contents of assets, without the text of the current one. Callers hold the transaction. */
export interface HistoryStore {
  /** The current content; undefined for an item without one. */
  findCurrent(itemId: string): HistoryRow | undefined;
  findRevision(itemId: string, revision: number): HistoryRow | undefined;
  /** The newest first, below a revision; at most `limit`. */
  listRevisions(itemId: string, before: number, limit: number): HistoryRow[];
  addRevision(itemId: string, written: Written): void;
  /** Moves the current text of an item to its history, where `row` is its entry. The caller writes the next one. */
  keepFormer(itemId: string, row: HistoryRow): void;
  /** A former text; undefined if it was purged. */
  readFormer(historyId: number): Content | undefined;
  /** Removes the oldest former contents beyond the limits. */
  trimHistory(itemId: string, limits: HistoryLimits): void;
  /**
   * Removes a former text but not its entry. Returns the id of a long content, which has no item any more and is not
   * removed yet; else null.
   */
  purgeFormer(historyId: number, purged: { readonly at: string; readonly by: string }): string | null;
}

const COLUMNS = `
  id, revision, ordinal, created_at AS createdAt, user_id AS userId, user_name AS userName, action, source,
  restored_from AS restoredFrom, bytes, sha256, purged_at AS purgedAt, purged_by AS purgedBy
`;

/** The history of an open database. */
export function createHistoryStore(database: Database): HistoryStore {
  const newest = database.statement<HistoryRow>(
    `SELECT ${COLUMNS} FROM catalog_history WHERE item_id = ? AND revision < ? ORDER BY revision DESC LIMIT ?`,
  );
  const one = database.statement<HistoryRow>(
    `SELECT ${COLUMNS} FROM catalog_history WHERE item_id = ? AND revision = ?`,
  );
  const insertion = database.statement(`
    INSERT INTO catalog_history
      (item_id, revision, ordinal, created_at, user_id, user_name, action, source, restored_from, bytes, sha256)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const copy = database.statement(
    'INSERT INTO catalog_former_contents SELECT ?, content FROM catalog_contents WHERE item_id = ?',
  );
  const relink = database.statement(
    'UPDATE catalog_long_contents SET item_id = NULL, history_id = ? WHERE item_id = ?',
  );
  const amounts = database.statement<{ ordinal: number; oldest: number; total: number }>(`
    SELECT max(ordinal) AS ordinal, min(ordinal) AS oldest, sum(bytes) AS total
    FROM catalog_history WHERE item_id = ?
  `);
  // The newest row is the current content, and only the oldest rows are ever removed.
  const countTrimming = database.statement('DELETE FROM catalog_history WHERE item_id = ? AND ordinal < ?');
  const sizeTrimming = database.statement(`
    DELETE FROM catalog_history WHERE id IN (
      SELECT id FROM (
        SELECT id, sum(iif(purged_at IS NULL, bytes, 0)) OVER (ORDER BY revision DESC) AS total
        FROM (SELECT * FROM catalog_history WHERE item_id = ? ORDER BY revision DESC LIMIT -1 OFFSET 1)
      ) WHERE total > ?
    )
  `);
  const MAX_REVISION = Number.MAX_SAFE_INTEGER;

  return {
    findCurrent: (itemId) => newest.get(itemId, MAX_REVISION, 1),
    findRevision: (itemId, revision) => one.get(itemId, revision),
    listRevisions: (itemId, before, limit) => newest.all(itemId, before, limit),
    addRevision(itemId, written) {
      const { revision, ordinal, createdAt, userId, userName, action, source, restoredFrom } = written;
      const text = [written.bytes, written.sha256] as const;
      const who = [userId, userName, action, source, restoredFrom] as const;
      insertion.run(itemId, revision, ordinal, createdAt, ...who, ...text);
    },
    keepFormer(itemId, { id }) {
      if (relink.run(id, itemId) === 0) copy.run(id, itemId);
    },
    trimHistory(itemId, { count, bytes }) {
      const { ordinal, oldest, total } = present(amounts.get(itemId));
      if (ordinal - oldest > count) countTrimming.run(itemId, ordinal - count);
      if (total > bytes) sizeTrimming.run(itemId, bytes);
    },
    ...createFormerContents(database),
  };
}

/** The texts of former contents. */
function createFormerContents(database: Database): Pick<HistoryStore, 'readFormer' | 'purgeFormer'> {
  const text = database.statement<{ content: Content }>(
    'SELECT CAST(content AS BLOB) AS content FROM catalog_former_contents WHERE history_id = ?',
  );
  const parts = database.statement<{ bytes: Buffer }>(`
    SELECT part.bytes FROM catalog_long_contents AS long JOIN catalog_content_parts AS part ON content_id = long.id
    WHERE history_id = ? ORDER BY part
  `);
  const removal = database.statement('DELETE FROM catalog_former_contents WHERE history_id = ?');
  const unlink = database.statement<{ id: string }>(
    'UPDATE catalog_long_contents SET history_id = NULL WHERE history_id = ? RETURNING id',
  );
  const mark = database.statement(
    'UPDATE catalog_history SET purged_at = ?, purged_by = ?, sha256 = NULL WHERE id = ?',
  );
  return {
    readFormer(historyId) {
      const content = text.get(historyId)?.content;
      if (content !== undefined) return content;
      const pieces = parts.all(historyId);
      return pieces.length === 0 ? undefined : Buffer.concat(pieces.map(({ bytes }) => bytes));
    },
    purgeFormer: (historyId, { at, by }) =>
      database.erase(() => {
        removal.run(historyId);
        mark.run(at, by, historyId);
        return unlink.get(historyId)?.id ?? null;
      }),
  };
}
