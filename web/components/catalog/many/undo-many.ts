import type { QueryClient } from '@tanstack/react-query';
import { reloadCatalog } from '../../../api/catalog/catalog.ts';
import { type ChangedItem, changeItems, restoreItems } from '../../../api/catalog/catalog-many.ts';
import type { Outcome, Reporter } from '../../../api/catalog/transfer.ts';
import { notify, notifyFailure, notifyNote } from '../../notify.ts';
import { printCounted } from '../view/print-size.ts';
import { printMany } from './print-many.ts';

/** Restores items that were just deleted; undefined if the bin does not keep them. */
export function createUndoOfDeletion(client: QueryClient, changed: readonly ChangedItem[]) {
  const items = changed.flatMap(({ deleted_id: id, path }) => (id === null ? [] : [{ id, path }]));
  if (items.length === 0) return undefined;
  const work = (reporter: Reporter) => restoreItems(client, items, reporter);
  return createUndo(client, 'restored', items.length, work);
}

/** Moves items back to the folder that had them. */
export function createUndoOfMove(client: QueryClient, changed: readonly ChangedItem[], folder: string) {
  const paths = changed.flatMap(({ new_path }) => (new_path === null ? [] : [new_path]));
  const work = (reporter: Reporter) =>
    changeItems(client, paths, { parent_path: folder }, reporter, () => undefined);
  return createUndo(client, 'moved back', paths.length, work);
}

/** What a message offers: it works in the background, and another message says what was done. */
function createUndo(
  client: QueryClient,
  verb: string,
  total: number,
  work: (reporter: Reporter) => Promise<void>,
) {
  const run = async () => {
    const outcomes: Outcome[] = [];
    const { signal } = new AbortController();
    if (total > 1) notifyNote(`${printCounted(total, 'item')} will be ${verb}…`);
    try {
      const end = (outcome: Outcome) => outcomes.push(outcome);
      await work({ signal, setTotal: () => {}, begin: () => {}, end });
      const isWhole = outcomes.every(({ status }) => status === 'done');
      (isWhole ? notify : notifyFailure)(printMany(verb, outcomes, total));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      notifyFailure(`Not all items were ${verb}: ${reason}`);
    }
    await reloadCatalog(client);
  };
  return { label: 'Undo', run: () => void run() };
}
