import { present } from '../invariants/must.ts';
import type { Database } from '../store/database.ts';
import type { AssetType } from './asset-type.ts';

/** The number of items of a tree, with its root, and the size of their contents and histories in UTF-8. */
export interface TreeSize {
  readonly items: number;
  readonly bytes: number;
}

/** An item in the bin, as it was before its deletion. Both sizes are null until the items have been counted. */
export interface BinEntry {
  /** Newer entries have greater ids. */
  readonly id: string;
  readonly itemId: string;
  readonly type: AssetType;
  readonly name: string;
  /** The folder that had the item, which may be deleted, too. */
  readonly parentId: string;
  /** The owner of the `@Personal` that had the item; null for other namespaces. */
  readonly ownerId: string | null;
  /** In the form of responses. */
  readonly path: string;
  readonly items: number | null;
  readonly bytes: number | null;
  readonly deletedAt: string;
  readonly userId: string;
  /** The name of that user at that time. */
  readonly userName: string;
}

/** An item in the bin, with its restriction. */
export interface RestrictableEntry extends BinEntry {
  /** Whether a user has restricted the item; 0 or 1. */
  readonly restricted: number;
}

/** Which items of the bin are read, newest first. */
interface DeletedPage {
  /** Only those that this user deleted, or had in `@Personal`. */
  readonly userId: string;
  /** Also those of others, unless they were in `@Personal`. */
  readonly isAdministrator: boolean;
  /** A part of the path, ignoring case; empty for all. */
  readonly text: string;
  /** Only items with a smaller id; null for all. */
  readonly before: string | null;
  readonly limit: number;
}

/** A child with its size. */
interface SizedChild {
  readonly id: string;
  readonly name: string;
  readonly type: AssetType;
  readonly bytes: number;
}

/** The rows of the bin (docs/reference/bin.md). Callers hold the transaction. */
export interface BinRows {
  addDeleted(item: BinEntry): void;
  findDeleted(id: string): RestrictableEntry | undefined;
  /** The entry of a detached item. */
  findDeletedItem(itemId: string): RestrictableEntry | undefined;
  listDeleted(page: DeletedPage): RestrictableEntry[];
  /** Items that were deleted until a time, and the oldest beyond a total size. */
  listOverdue(until: string, maxBytes: number, limit: number): BinEntry[];
  /** The ids of the items that were in the `@Personal` of a user. */
  listDeletedOf(ownerId: string): string[];
  /** The ids of items whose size is unknown. */
  listUncounted(): string[];
  setDeletedSize(itemId: string, size: TreeSize): void;
  /** Forgets an item, which stays detached. */
  removeDeleted(id: string): void;
  /** The size of an item with everything below it. */
  measureTree(id: string): TreeSize;
  /** The children of an item after a name, in the order of their names. */
  listSizes(parentId: string, afterName: string, limit: number): SizedChild[];
  /** The ids of items that have or had a content with this hash. */
  listWithContent(sha256: string): string[];
}

const COLUMNS = `
  entry.id, item_id AS itemId, entry.type, entry.name, entry.parent_id AS parentId, owner_id AS ownerId, path, items,
  bytes, deleted_at AS deletedAt, user_id AS userId, user_name AS userName
`;

const JOINED = `SELECT ${COLUMNS}, restricted FROM catalog_deleted AS entry JOIN catalog_items AS item ON item.id = item_id`;

/** The size of the contents that an item has and had. */
const BYTES = `
  (SELECT coalesce(sum(bytes), 0) FROM catalog_history AS history WHERE item_id = item.id AND purged_at IS NULL)
`;

/** The bin of an open database. */
export function createBinRows(database: Database): BinRows {
  const insertion = database.statement(`
    INSERT INTO catalog_deleted
      (id, item_id, type, name, parent_id, owner_id, path, items, bytes, deleted_at, user_id, user_name)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const byId = database.statement<RestrictableEntry>(`${JOINED} WHERE entry.id = ?`);
  const byItem = database.statement<RestrictableEntry>(`${JOINED} WHERE item_id = ?`);
  const page = database.statement<RestrictableEntry>(`
    ${JOINED}
    WHERE iif(owner_id IS NULL, ? OR user_id = ?, owner_id = ?) AND instr(fold_case(path), fold_case(?)) > 0
      AND entry.id < coalesce(?, '~')
    ORDER BY entry.id DESC LIMIT ?
  `);
  const overdue = database.statement<BinEntry>(`
    SELECT ${COLUMNS} FROM (
      SELECT *, sum(coalesce(bytes, 0)) OVER (ORDER BY id DESC) AS total FROM catalog_deleted
    ) AS entry WHERE deleted_at <= ? OR total > ? ORDER BY id LIMIT ?
  `);
  const removal = database.statement('DELETE FROM catalog_deleted WHERE id = ?');
  return {
    addDeleted: (item) => {
      const { id, itemId, type, name, parentId, ownerId, path, items, bytes } = item;
      const who = [item.deletedAt, item.userId, item.userName] as const;
      insertion.run(id, itemId, type, name, parentId, ownerId, path, items, bytes, ...who);
    },
    findDeleted: (id) => byId.get(id),
    findDeletedItem: (itemId) => byItem.get(itemId),
    listDeleted: ({ userId, isAdministrator, text, before, limit }) =>
      page.all(Number(isAdministrator), userId, userId, text, before, limit),
    listOverdue: (until, maxBytes, limit) => overdue.all(until, maxBytes, limit),
    removeDeleted: (id) => {
      removal.run(id);
    },
    ...createBinIds(database),
    ...createTreeSizes(database),
  };
}

function createBinIds(
  database: Database,
): Pick<BinRows, 'listDeletedOf' | 'listUncounted' | 'listWithContent'> {
  const owned = database.statement<{ id: string }>(
    'SELECT item_id AS id FROM catalog_deleted WHERE owner_id = ?',
  );
  const uncounted = database.statement<{ id: string }>(
    'SELECT item_id AS id FROM catalog_deleted WHERE items IS NULL',
  );
  const withContent = database.statement<{ id: string }>(
    'SELECT DISTINCT item_id AS id FROM catalog_history WHERE sha256 = ?',
  );
  return {
    listDeletedOf: (ownerId) => owned.all(ownerId).map(({ id }) => id),
    listUncounted: () => uncounted.all().map(({ id }) => id),
    listWithContent: (sha256) => withContent.all(sha256).map(({ id }) => id),
  };
}

function createTreeSizes(database: Database): Pick<BinRows, 'setDeletedSize' | 'measureTree' | 'listSizes'> {
  const sizing = database.statement('UPDATE catalog_deleted SET items = ?, bytes = ? WHERE item_id = ?');
  const tree = database.statement<TreeSize>(`
    WITH RECURSIVE tree (id) AS (
      SELECT ? UNION ALL SELECT item.id FROM catalog_items AS item JOIN tree ON item.parent_id = tree.id
    )
    SELECT count(*) AS items, coalesce(sum(${BYTES}), 0) AS bytes FROM tree AS item
  `);
  const children = database.statement<SizedChild>(`
    SELECT id, name, type, ${BYTES} AS bytes FROM catalog_items AS item WHERE parent_id = ? AND name > ?
    ORDER BY name LIMIT ?
  `);
  return {
    setDeletedSize: (itemId, { items, bytes }) => {
      sizing.run(items, bytes, itemId);
    },
    measureTree: (id) => present(tree.get(id)),
    listSizes: (parentId, afterName, limit) => children.all(parentId, afterName, limit),
  };
}
