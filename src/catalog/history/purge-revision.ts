import { setTimeout } from 'node:timers/promises';
import type { Principal } from '../../identity/principal/principal.ts';
import type { Database } from '../../store/database.ts';
import { toTimestamp } from '../../store/values/clock.ts';
import { takeTurn } from '../../turns/take-turn.ts';
import type { DeletedItemBody } from '../bin/deleted-body.ts';
import { listDeletedWith } from '../bin/list-deleted.ts';
import { printPath } from '../path.ts';
import { removeLong } from '../write-in-parts.ts';
import type { HistoryContext } from './context.ts';
import { historyErrors } from './errors.ts';
import { findManagedAsset, findRevision } from './find-revision.ts';

/** How often, and after what pause in milliseconds, to try again while another process reads the catalog. */
const ATTEMPTS = 50;
const PAUSE_MS = 100;

/**
 * Removes a former text from the files of the catalog; its entry stays in the history. A purged revision can be purged
 * again. Returns the items of the bin with the same text, which stays there. Rejects with 404, with 422 for a folder or the current content, and with 503 while another process reads the
 * catalog for too long; then the text is deleted, and another call overwrites its remains.
 */
export async function purgeRevision(
  context: HistoryContext,
  principal: Principal,
  path: string,
  revision: number,
): Promise<readonly DeletedItemBody[]> {
  const { longId, sha256 } = context.database.write(() => deleteText(context, principal, path, revision));
  if (longId !== null) await removeLong(context, longId);
  await overwriteRemains(context.database);
  return sha256 === null ? [] : listDeletedWith(context, principal, sha256);
}

/** A text that is deleted: its hash, and the id of a long one that is not removed yet; null if they are unknown. */
interface DeletedText {
  readonly longId: string | null;
  readonly sha256: string | null;
}

function deleteText(
  context: HistoryContext,
  principal: Principal,
  text: string,
  revision: number,
): DeletedText {
  const { item, path } = findManagedAsset(context, principal, text);
  const { row, isCurrent } = findRevision(context, item, revision);
  if (isCurrent) throw historyErrors.isCurrent(revision);
  const { sha256 } = row;
  if (row.purgedAt !== null) return { longId: null, sha256 };
  context.audit.record(principal, {
    action: 'catalog.purge',
    object: `${printPath(path)} revision ${revision}`,
  });
  const purged = { at: toTimestamp(context.clock()), by: principal.userName };
  return { longId: context.store.purgeFormer(row.id, purged), sha256 };
}

async function overwriteRemains(database: Database): Promise<void> {
  for (const work of [database.rewriteIfSmall, database.emptyLog]) {
    await takeTurn();
    for (let attempt = 1; !work(); attempt += 1) {
      if (attempt === ATTEMPTS) throw historyErrors.remains();
      await setTimeout(PAUSE_MS);
    }
  }
}
