import { hash } from 'node:crypto';
import type { Principal } from '../identity/principal/principal.ts';
import { type Content, mayBeLong } from './contents/content-store.ts';
import type { HistoryRow, HistorySource } from './contents/history-store.ts';
import type { CatalogContext } from './context.ts';
import type { Item } from './store.ts';

/** Properties of a content that is about to be stored. */
export interface PreparedContent {
  /** The id of a long content whose parts are already stored. */
  readonly longId?: string;
  /** Computed from the content if it is left out. */
  readonly sha256?: string;
  /** The revision of the asset that had this content. */
  readonly restoredFrom?: number;
}

/** A content to store, and whether it is the first one of an item that was created in the same transaction. */
type NextContent = PreparedContent & { readonly content: Content; readonly isFirst?: boolean };

/** The maximum size of an asset's former contents in total, in bytes of UTF-8. */
const MAX_HISTORY_BYTES = 64 * 1024 ** 2;

/**
 * Stores the content of an asset, whose row already has its next revision; the replaced content moves to the history. An
 * equal content changes nothing. The caller holds the transaction.
 */
export function storeContent(
  context: CatalogContext,
  principal: Principal,
  item: Item,
  { content, longId, sha256 = hashContent(content), restoredFrom, isFirst = false }: NextContent,
): void {
  const { store } = context;
  const bytes = countBytes(content);
  const current = isFirst ? undefined : store.findCurrent(item.id);
  if (current?.bytes === bytes && hashStored(context, item, current) === sha256) return;
  const limits = { count: context.findHistoryLimit(), bytes: MAX_HISTORY_BYTES };
  const write = () => {
    if (current !== undefined && limits.count > 0) store.keepFormer(item.id, current);
    if (longId === undefined) store.writeContent(item.id, content);
    else store.linkLong(item.id, longId);
  };
  // A short text is copied to the history; the parts of a long one stay where they are.
  if (current === undefined || mayBeLong(current.bytes)) write();
  else context.database.erase(write);
  const changed = restoredFrom === undefined ? 'updated' : 'restored';
  store.addRevision(item.id, {
    revision: item.revision,
    ordinal: (current?.ordinal ?? 0) + 1,
    createdAt: item.updatedAt,
    userId: principal.userId,
    userName: principal.userName,
    action: current === undefined ? 'created' : changed,
    source: findSource(principal),
    restoredFrom: restoredFrom ?? null,
    bytes,
    sha256,
  });
  if (current !== undefined) store.trimHistory(item.id, limits);
}

function hashContent(content: Content): string {
  return hash('sha256', content);
}

function countBytes(content: Content): number {
  return typeof content === 'string' ? Buffer.byteLength(content) : content.length;
}

/** The hash of a stored content; null if it is long and unknown. */
function hashStored({ store }: CatalogContext, { id }: Item, { sha256, bytes }: HistoryRow): string | null {
  if (sha256 !== null || mayBeLong(bytes)) return sha256;
  return hashContent(store.readContent(id) ?? '');
}

function findSource({ origin }: Principal): HistorySource {
  if (origin === undefined) return 'command-line';
  return origin.tokenId === null ? 'console' : 'api';
}
