import { fieldErrors } from '../../errors/fields.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import { takeTurn } from '../../turns/take-turn.ts';
import { isFolder } from '../asset.ts';
import type { BinContext } from '../bin/context.ts';
import { restoreDeleted } from '../bin/restore-deleted.ts';
import { findChangeable, updateAsset, updateFolder } from '../change-item.ts';
import { oneItemChange } from '../errors.ts';
import { deleteTreeInParts } from '../tree-in-parts.ts';
import { deleteAssetInParts } from '../write-in-parts.ts';
import type { ItemOutcomesBody, RestoreOutcomesBody } from './outcomes-body.ts';

/** The number of items that one request changes. */
export const MAX_CHANGED_ITEMS = 500;

/** Items by their paths, and one change of all. */
interface ItemsToChange {
  readonly paths: readonly string[];
  /** The folder to which they are moved. */
  readonly parentPath?: string | undefined;
  readonly delete?: boolean | undefined;
}

/**
 * Changes of several items (docs/reference/http-catalog.md#changing-several-items). Each item is changed as if alone, in
 * its current revision, and has an outcome; other requests run in between.
 */
export interface ManyItemsService {
  /** Moves or deletes items. Rejects with 400 for no change or several, without items, and with more than 500. */
  change(principal: Principal, request: ItemsToChange): Promise<ItemOutcomesBody>;
  /** Restores items of the bin to their former places. Rejects with 400 without ids, and with more than 500. */
  restore(principal: Principal, ids: readonly string[]): Promise<RestoreOutcomesBody>;
}

/** The changes of several items of an open database. */
export function createManyItemsService(context: BinContext): ManyItemsService {
  return {
    change: async (principal, { paths, parentPath, delete: isDeletion = false }) => {
      checkCount('Paths', paths);
      const count = Number(parentPath !== undefined) + Number(isDeletion);
      if (count !== 1) throw oneItemChange(count);
      const nothing = { new_path: null, deleted_id: null };
      const data = await doAll(paths, nothing, async (path) =>
        parentPath === undefined
          ? { new_path: null, deleted_id: await deleteOne(context, principal, path) }
          : { new_path: moveOne(context, principal, path, parentPath), deleted_id: null },
      );
      return { data: data.map(({ key, ...outcome }) => ({ path: key, ...outcome })) };
    },
    restore: async (principal, ids) => {
      checkCount('Ids', ids);
      const data = await doAll(ids, { path: null }, async (id) => ({
        path: restoreDeleted(context, principal, id, {}).body.path,
      }));
      return { data: data.map(({ key, ...outcome }) => ({ id: key, ...outcome })) };
    },
  };
}

function checkCount(label: string, keys: readonly string[]): void {
  if (keys.length === 0) throw fieldErrors.required(label);
  if (keys.length > MAX_CHANGED_ITEMS)
    throw fieldErrors.invalid(label, `must be at most ${MAX_CHANGED_ITEMS} items`);
}

/** The time of one piece of the work, in milliseconds. */
const PIECE_MS = 5;

interface Done {
  readonly key: string;
  readonly done: boolean;
  readonly code: string | null;
  readonly message: string | null;
}

/** Does something with each item; an item that is refused does not stop the others. */
async function doAll<Result extends object>(
  keys: readonly string[],
  nothing: { readonly [Field in keyof Result]: null },
  act: (key: string) => Promise<Result>,
): Promise<(Done & (Result | typeof nothing))[]> {
  const outcomes: (Done & (Result | typeof nothing))[] = [];
  let end = 0;
  for (const key of keys) {
    if (performance.now() > end) {
      await takeTurn();
      end = performance.now() + PIECE_MS;
    }
    try {
      const result = await act(key);
      outcomes.push({ key, done: true, code: null, message: null, ...result });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      outcomes.push({ key, done: false, code: error.code, message: error.message, ...nothing });
    }
  }
  return outcomes;
}

/** Moves an item to a folder; returns its new path. */
function moveOne(context: BinContext, principal: Principal, path: string, parentPath: string): string {
  const { item } = context.database.read(() => findChangeable(context, principal, path));
  const update = isFolder(item.type) ? updateFolder : updateAsset;
  return update(context, principal, { path, ifMatch: '*' }, { parentPath }).body.path;
}

/** Deletes an item with everything below it; returns its id in the bin, or null if the bin does not keep it. */
async function deleteOne(context: BinContext, principal: Principal, path: string): Promise<string | null> {
  const { database, store } = context;
  const { item } = database.read(() => findChangeable(context, principal, path));
  const target = { path, ifMatch: '*' };
  if (isFolder(item.type)) await deleteTreeInParts(context, principal, target);
  else await deleteAssetInParts(context, principal, target);
  return database.read(() => store.findDeletedItem(item.id)?.id ?? null);
}
