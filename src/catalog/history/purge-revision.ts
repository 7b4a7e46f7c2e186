import { setTimeout } from 'node:timers/promises';
import type { Principal } from '../../identity/principal/principal.ts';
import type { Database } from '../../store/database.ts';
import { toTimestamp } from '../../store/values/clock.ts';
import { takeTurn } from '../../turns/take-turn.ts';
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
 * again. Rejects with 404, with 422 for a folder or the current content, and with 503 while another process reads the
 * catalog for too long; then the text is deleted, and another call overwrites its remains.
 */
export async function purgeRevision(
  context: HistoryContext,
  principal: Principal,
  path: string,
  revision: number,
): Promise<void> {
  const longId = context.database.write(() => deleteText(context, principal, path, revision));
  if (longId !== null) await removeLong(context, longId);
  await overwriteRemains(context.database);
}

/** Returns the id of a long text that is not removed yet; else null. */
function deleteText(
  context: HistoryContext,
  principal: Principal,
  text: string,
  revision: number,
): string | null {
  const { item, path } = findManagedAsset(context, principal, text);
  const { row, isCurrent } = findRevision(context, item, revision);
  if (isCurrent) throw historyErrors.isCurrent(revision);
  if (row.purgedAt !== null) return null;
  context.audit.record(principal, {
    action: 'catalog.purge',
    object: `${printPath(path)} revision ${revision}`,
  });
  const purged = { at: toTimestamp(context.clock()), by: principal.userName };
  return context.store.purgeFormer(row.id, purged);
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
