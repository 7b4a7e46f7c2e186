import type { Principal } from '../../identity/principal/principal.ts';
import type { Versioned } from '../asset.ts';
import type { FolderBody } from '../item-body.ts';
import type { BinContext } from './context.ts';
import type { DeletedItemBody } from './deleted-body.ts';
import { type DeletedRange, findDeletedBody, listDeleted } from './list-deleted.ts';
import { removeDeleted, removeOverdue } from './remove-deleted.ts';
import { type RestorePlace, restoreDeleted } from './restore-deleted.ts';

/**
 * The bin of the catalog (docs/reference/bin.md). Each operation with an id throws a ServiceError 404
 * for an item that the caller does not see.
 */
export interface BinService {
  /** The items that the caller may restore, newest first. Throws 400 for an invalid limit. */
  list(principal: Principal, range?: DeletedRange): readonly DeletedItemBody[];
  /** The newest item with an id or a former path. */
  find(principal: Principal, idOrPath: string): DeletedItemBody;
  /** Moves an item back to the catalog. Throws the errors of a creation. */
  restore(principal: Principal, id: string, place?: RestorePlace): Versioned<FolderBody>;
  /** Deletes an item permanently. */
  delete(principal: Principal, id: string): Promise<void>;
  /** How many days the bin keeps deleted items; 0: they are deleted at once. */
  findDays(): number;
  /** Removes the items that the bin does not keep any more. */
  removeOverdue(): Promise<void>;
}

/** The bin of an open database. */
export function createBinService(context: BinContext): BinService {
  return {
    list: (principal, range = {}) => listDeleted(context, principal, range),
    find: (principal, idOrPath) => findDeletedBody(context, principal, idOrPath),
    restore: (principal, id, place = {}) => restoreDeleted(context, principal, id, place),
    delete: (principal, id) => removeDeleted(context, principal, id),
    findDays: () => context.findBinDays(),
    removeOverdue: () => removeOverdue(context),
  };
}
