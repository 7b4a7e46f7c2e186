import type { QueryClient } from '@tanstack/react-query';
import type {
  ItemChangesBody,
  ItemOutcomesResponse,
  RestoredItemsBody,
  RestoreOutcomesResponse,
} from '../../../src/server/catalog/many-items.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';
import { type Entry, isFolder, listChildren } from './catalog.ts';
import { copyItem } from './catalog-copy.ts';
import { joinPath } from './catalog-paths.ts';
import { findFree } from './file-names.ts';
import { type Reporter, report } from './transfer.ts';

/** The number of items that the server changes in one request. */
const AT_ONCE = 500;

/** One change of several items. */
export type SharedItemChange = Omit<ItemChangesBody, 'paths'>;

/** An item that was changed: where it is now, and its id in the bin. */
export type ChangedItem = ItemOutcomesResponse['data'][number];

/** The items of a folder with some names. */
export async function listEntries(path: string, names: readonly string[], signal: AbortSignal) {
  const wanted = new Set(names);
  return (await listChildren(path, signal)).filter(({ name }) => wanted.has(name));
}

/**
 * Moves or deletes items; `onChanged` gets those that were changed. The person can cancel between two requests, so that
 * everything that was changed is reported.
 */
export async function changeItems(
  client: QueryClient,
  paths: readonly string[],
  change: SharedItemChange,
  reporter: Reporter,
  onChanged: (items: readonly ChangedItem[]) => void,
): Promise<void> {
  reporter.setTotal(paths.length);
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    reporter.signal.throwIfAborted();
    const some = paths.slice(start, start + AT_ONCE);
    reporter.begin(some[0] ?? '');
    const body: ItemChangesBody = { paths: some, ...change };
    const { data } = await request<ItemOutcomesResponse>('manage/items/changes', toPost(client, body));
    onChanged(data.filter(({ done }) => done));
    for (const item of data) reporter.end(toOutcome(item.path, item));
  }
}

/** Restores items of the bin to their former places. */
export async function restoreItems(
  client: QueryClient,
  items: readonly { readonly id: string; readonly path: string }[],
  reporter: Reporter,
): Promise<void> {
  reporter.setTotal(items.length);
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const some = items.slice(start, start + AT_ONCE);
    const body: RestoredItemsBody = { ids: some.map(({ id }) => id) };
    const { data } = await request<RestoreOutcomesResponse>('manage/deleted/restore', toPost(client, body));
    for (const [at, outcome] of data.entries()) reporter.end(toOutcome(some[at]?.path ?? '', outcome));
  }
}

function toOutcome(
  name: string,
  { done, message }: { readonly done: boolean; readonly message: string | null },
) {
  return done
    ? ({ name, status: 'done' } as const)
    : ({ name, status: 'failed', message: message ?? '' } as const);
}

function toPost(client: QueryClient, body: object) {
  return { method: 'POST', body, csrfToken: getCsrfToken(client) } as const;
}

/** Copies items to a folder; one that cannot be copied does not stop the others. */
export async function copyItems(
  client: QueryClient,
  entries: readonly Entry[],
  folder: string,
  reporter: Reporter,
): Promise<void> {
  const used = new Set((await listChildren(folder, reporter.signal)).map(({ name }) => name));
  reporter.setTotal(entries.length);
  for (const entry of entries) {
    await report(entry.path, reporter, async () => {
      const isThere = entry.path === joinPath(folder, entry.name);
      const name = isThere ? findFree(`${entry.name} copy`, (other) => used.has(other)) : entry.name;
      used.add(name);
      let skipped: string | undefined;
      const inner: Reporter = {
        ...reporter,
        setTotal: () => {},
        end: ({ status, message }) => {
          if (status === 'skipped') skipped = message;
        },
      };
      await copyItem(client, entry, { folder, name }, inner);
      return isFolder(entry.type) ? undefined : skipped;
    });
  }
}
