import { checkLimit } from '../../identity/log-range.ts';
import type { Principal } from '../../identity/principal/principal.ts';
import type { Versioned } from '../asset.ts';
import type { DeletedItemBody } from '../bin/deleted-body.ts';
import type { Content } from '../contents/content-store.ts';
import type { HistoryRow } from '../contents/history-store.ts';
import type { AssetBody } from '../item-body.ts';
import type { HistoryContext } from './context.ts';
import { findAsset, findRevision, readRevisionText } from './find-revision.ts';
import { purgeRevision } from './purge-revision.ts';
import { restoreInParts, restoreRevision } from './restore-revision.ts';
import type { FullRevisionBody, RevisionBody } from './revision-body.ts';

/** The revisions of a history to return, newest first. */
interface RevisionRange {
  /** At most 1,000; 100 by default. */
  readonly limit?: number | undefined;
  /** Only revisions below this one. */
  readonly before?: number | undefined;
}

/**
 * The history of assets: each accepted content, readable by callers who may view the asset now. All throw `ServiceError`:
 * 404 for an asset that the caller may not view, and 422 for a folder.
 */
export interface HistoryService {
  /** Throws 400 for an invalid range. */
  list(principal: Principal, path: string, range?: RevisionRange): readonly RevisionBody[];
  /** A revision with its text. Throws 404 for a revision without one. */
  get(principal: Principal, path: string, revision: number): FullRevisionBody;
  /** Writes the text of a revision as the next content. Throws the errors of an update. */
  restore(
    principal: Principal,
    path: string,
    ifMatch: string | undefined,
    revision: number,
  ): Versioned<AssetBody<Content>>;
  /** Removes a former text permanently, as `purgeRevision` does. */
  purge(principal: Principal, path: string, revision: number): Promise<readonly DeletedItemBody[]>;
  /** The same for a server, which long contents do not block. */
  readonly served: {
    restore(
      principal: Principal,
      path: string,
      ifMatch: string | undefined,
      revision: number,
    ): Promise<Versioned<AssetBody<Content>>>;
  };
}

/** The histories of an open database. */
export function createHistoryService(context: HistoryContext): HistoryService {
  const { database } = context;
  return {
    list: (principal, path, { limit, before = Number.MAX_SAFE_INTEGER } = {}) => {
      const count = checkLimit(limit);
      return database.read(() => {
        const { id } = findAsset(context, principal, path).item;
        const current = context.store.findCurrent(id);
        const rows = context.store.listRevisions(id, before, count);
        return rows.map((row) => toRevisionBody(row, row.id === current?.id));
      });
    },
    get: (principal, path, revision) =>
      database.read(() => {
        const { item } = findAsset(context, principal, path);
        const target = findRevision(context, item, revision);
        const content = readRevisionText(context, item, target);
        return { ...toRevisionBody(target.row, target.isCurrent), data: { content } };
      }),
    restore: (principal, path, ifMatch, revision) =>
      restoreRevision(context, principal, { path, ifMatch }, revision),
    purge: (principal, path, revision) => purgeRevision(context, principal, path, revision),
    served: {
      restore: (principal, path, ifMatch, revision) =>
        restoreInParts(context, principal, { path, ifMatch }, revision),
    },
  };
}

/** Converts an entry of the history. */
function toRevisionBody(row: HistoryRow, isCurrent: boolean): RevisionBody {
  return {
    revision: row.revision,
    ordinal: row.ordinal,
    is_current: isCurrent,
    created_at: row.createdAt,
    user_id: row.userId,
    user_name: row.userName,
    action: row.action,
    source: row.source,
    restored_from: row.restoredFrom,
    bytes: row.bytes,
    sha256: row.sha256,
    purged_at: row.purgedAt,
    purged_by: row.purgedBy,
  };
}
