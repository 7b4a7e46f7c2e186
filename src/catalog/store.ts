import { elementAt, present } from '../invariants/must.ts';
import type { Database } from '../store/database.ts';
import type { NewId } from '../store/values/uuid.ts';
import type { Described } from './asset.ts';
import type { AssetType } from './asset-type.ts';
import { type BinRows, createBinRows } from './bin-rows.ts';
import { type ContentStore, createContentStore } from './contents/content-store.ts';
import { createHistoryStore, type HistoryStore } from './contents/history-store.ts';

/** A stored item, without its content. A root has no parent. */
export interface Item extends Described {
  readonly id: string;
  readonly parentId: string | null;
  readonly description: string;
  readonly revision: number;
}

/** An item in a listing. */
export type Child = Described & { readonly id: string; readonly revision: number };

/** A child with what a folder's page shows; without a content, `bytes` and `updatedBy` are null. */
interface DetailedChild extends Child {
  readonly description: string;
  /** UTF-8. */
  readonly bytes: number | null;
  /** The name of the user who wrote the content, at that time. */
  readonly updatedBy: string | null;
}

/** A direct or indirect child of an item, with its relative path. */
interface Descendant extends Child {
  readonly path: string;
}

/** The catalog's rows; all SQL of the catalog is here. Callers hold the transaction. */
export interface CatalogStore extends ContentStore, HistoryStore, BinRows {
  find(id: string): Item | undefined;
  findChildId(parentId: string, name: string): string | undefined;
  /** The ids along these names from an item down, starting with that item; fewer if an item is missing. */
  findChain(id: string, names: readonly string[]): readonly string[];
  /** By name, in code point order; never reads contents. */
  listChildren(parentId: string): Child[];
  /** The same with details; never reads contents. */
  listDetailedChildren(parentId: string): DetailedChild[];
  hasChildren(id: string): boolean;
  /**
   * Everything below an item, at most `limit` items, without hidden items (names that start with a dot) and their
   * contents.
   */
  listBelow(id: string, limit: number): Descendant[];
  /** The ids of all folders with a direct child of this name, the oldest first. */
  listHolders(name: string): string[];
  /** Takes the next revision, which is unique among all items and states. */
  drawRevision(): number;
  insert(item: Item, creatorId: string): void;
  /** Writes all fields except the id and the creation time. */
  update(item: Item): void;
  /** Deletes a childless item and its content. */
  delete(id: string): void;
  /** Deletes an item with everything below it. */
  deleteTree(id: string): void;
  /** Takes an item with everything below it out of the catalog, so that no path leads to it. */
  detach(id: string): void;
  /** The ids of detached items that are not in the bin: their deletion has not ended. */
  listDetached(): string[];
  /** Deletes some children of an item that have no children themselves; returns their number. */
  deleteChildless(parentId: string, limit: number): number;
  findAnyChildId(parentId: string): string | undefined;
}

interface ChildRow {
  readonly id: string;
  readonly name: string;
  readonly type: AssetType;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
}

interface BelowRow extends ChildRow {
  readonly path: string;
}

interface ItemRow extends ChildRow {
  readonly parent_id: string | null;
  readonly description: string;
}

/** The catalog of an open database. */
export function createCatalogStore(database: Database, newId: NewId): CatalogStore {
  return {
    ...createItemRows(database),
    ...createContentStore(database, newId),
    ...createHistoryStore(database),
    ...createBinRows(database),
  };
}

type OtherRows = keyof ContentStore | keyof HistoryStore | keyof BinRows;

function createItemRows(database: Database): Omit<CatalogStore, OtherRows> {
  const byId = database.statement<ItemRow>('SELECT * FROM catalog_items WHERE id = ?');
  const byName = database.statement<{ id: string }>(
    'SELECT id FROM catalog_items WHERE parent_id = ? AND name = ?',
  );
  const findChildId = (parentId: string, name: string) => byName.get(parentId, name)?.id;
  const chains = database.createCache<readonly string[]>();
  const items = database.createCache<Item | undefined>();
  const below = database.statement<Child>(`
    SELECT id, name, type, revision, created_at AS createdAt, updated_at AS updatedAt
    FROM catalog_items WHERE parent_id = ? ORDER BY name
  `);
  const detailed = database.statement<DetailedChild>(`
    SELECT item.id, name, type, description, item.revision, item.created_at AS createdAt, updated_at AS updatedAt,
      bytes, user_name AS updatedBy
    FROM catalog_items AS item LEFT JOIN catalog_history AS history ON history.id = (
      SELECT id FROM catalog_history WHERE item_id = item.id ORDER BY revision DESC LIMIT 1
    )
    WHERE parent_id = ? ORDER BY name
  `);
  const holding = database.statement<{ parent_id: string }>(
    'SELECT parent_id FROM catalog_items WHERE name = ? AND parent_id IS NOT NULL ORDER BY parent_id',
  );
  const allBelow = database.statement<BelowRow>(`
    WITH RECURSIVE below (id, path) AS (
      SELECT id, name FROM catalog_items WHERE parent_id = ? AND name NOT LIKE '.%'
      UNION ALL
      SELECT item.id, below.path || '/' || item.name
      FROM below JOIN catalog_items AS item ON item.parent_id = below.id WHERE item.name NOT LIKE '.%'
      LIMIT ?
    )
    SELECT item.id, name, type, created_at, updated_at, revision, path
    FROM below JOIN catalog_items AS item ON item.id = below.id
  `);
  const anyBelow = database.statement('SELECT 1 FROM catalog_items WHERE parent_id = ? LIMIT 1');
  const draw = database.statement<{ last: number }>(
    'UPDATE catalog_revisions SET last = last + 1 RETURNING last',
  );
  const insertion = database.statement(`
    INSERT INTO catalog_items (id, parent_id, name, type, description, revision, creator_id, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const change = database.statement(`
    UPDATE catalog_items SET parent_id = ?, name = ?, type = ?, description = ?, revision = ?, updated_at = ?
    WHERE id = ?
  `);
  const deletion = database.statement('DELETE FROM catalog_items WHERE id = ?');
  const treeDeletion = database.statement(`
    WITH RECURSIVE tree (id) AS (
      SELECT ? UNION ALL SELECT item.id FROM catalog_items AS item JOIN tree ON item.parent_id = tree.id
    )
    DELETE FROM catalog_items WHERE id IN (SELECT id FROM tree)
  `);

  return {
    find: (id) =>
      items.get(id, () => {
        const row = byId.get(id);
        return row && toItem(row);
      }),
    findChildId,
    findChain: (id, names) =>
      chains.get([id, ...names].join('/'), () => {
        const chain = [id];
        for (const name of names) {
          const next = findChildId(elementAt(chain, -1), name);
          if (next === undefined) break;
          chain.push(next);
        }
        return chain;
      }),
    listChildren: (parentId) => below.all(parentId),
    listDetailedChildren: (parentId) => detailed.all(parentId),
    listBelow: (id, limit) =>
      allBelow.all(id, limit).map((row) => ({ ...toChild(row), path: row.path, revision: row.revision })),
    hasChildren: (id) => anyBelow.get(id) !== undefined,
    listHolders: (name) => holding.all(name).map((row) => row.parent_id),
    drawRevision: () => present(draw.get()).last,
    insert: (item, creatorId) => {
      const { id, parentId, name, type, description, revision, createdAt, updatedAt } = item;
      insertion.run(id, parentId, name, type, description, revision, creatorId, createdAt, updatedAt);
    },
    update: ({ id, parentId, name, type, description, revision, updatedAt }) => {
      change.run(parentId, name, type, description, revision, updatedAt, id);
    },
    delete: (id) => {
      deletion.run(id);
    },
    deleteTree: (id) => {
      treeDeletion.run(id);
    },
    ...createDetachedRows(database),
  };
}

/**
 * A detached item is a root of the type USER_HOME without a name, which no path reaches; searches and lists of grants
 * leave its items out, as those in the homes of other users.
 */
function createDetachedRows(
  database: Database,
): Pick<CatalogStore, 'detach' | 'listDetached' | 'deleteChildless' | 'findAnyChildId'> {
  const detaching = database.statement(
    "UPDATE catalog_items SET parent_id = NULL, name = '', type = 'USER_HOME' WHERE id = ?",
  );
  const detached = database.statement<{ id: string }>(
    `SELECT id FROM catalog_items
     WHERE parent_id IS NULL AND name = '' AND id NOT IN (SELECT item_id FROM catalog_deleted)`,
  );
  const anyChild = database.statement<{ id: string }>(
    'SELECT id FROM catalog_items WHERE parent_id = ? LIMIT 1',
  );
  const childless = database.statement(`
    DELETE FROM catalog_items WHERE id IN (
      SELECT id FROM catalog_items AS item WHERE parent_id = ?
        AND NOT EXISTS (SELECT 1 FROM catalog_items WHERE parent_id = item.id)
      LIMIT ?
    )
  `);
  return {
    detach: (id) => {
      detaching.run(id);
    },
    listDetached: () => detached.all().map(({ id }) => id),
    deleteChildless: (parentId, limit) => childless.run(parentId, limit),
    findAnyChildId: (parentId) => anyChild.get(parentId)?.id,
  };
}

function toChild(row: ChildRow): Child {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toItem(row: ItemRow): Item {
  return {
    ...toChild(row),
    parentId: row.parent_id,
    description: row.description,
    revision: row.revision,
  };
}
