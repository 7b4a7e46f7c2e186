import type { QueryClient } from '@tanstack/react-query';
import type { AssetChangeBody, AssetResponse, NewAssetBody } from '../../../src/server/catalog/schemas.ts';
import { type CatalogItem, itemQuery, readItem } from '../catalog/catalog.ts';
import { encodePath } from '../catalog/catalog-paths.ts';
import { ApiError, exchange } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/** An asset as a change returns it, with its ETag. */
export type SavedItem = Omit<CatalogItem, 'description'>;

/** What became of a text: it is saved, another user has changed or removed the script, or it may no longer be edited. */
type SaveOutcome =
  | { readonly kind: 'saved'; readonly item: SavedItem }
  | { readonly kind: 'conflict'; readonly item: CatalogItem }
  | { readonly kind: 'gone' | 'locked' };

interface Saving {
  readonly path: string;
  /** The revision that the text replaces. */
  readonly etag: string;
  readonly content: string;
}

/**
 * Saves the text of a script in the revision that the person has seen. A request whose response got lost counts as saved
 * if the script has this text now.
 */
export async function saveScript(client: QueryClient, saving: Saving): Promise<SaveOutcome> {
  const { path, etag, content } = saving;
  const { queryKey } = itemQuery(path);
  await client.cancelQueries({ queryKey });
  const outcome = await put(client, saving).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 404) return readLoss(path, () => ({ kind: 'locked' }));
    if (error.status === 412) {
      return readLoss(path, (item) => ({ kind: item.data.content === content ? 'saved' : 'conflict', item }));
    }
    throw error;
  });
  if ('item' in outcome)
    client.setQueryData<CatalogItem>(queryKey, (known) => known && { ...known, ...outcome.item });
  if (outcome.kind === 'saved' && outcome.item.etag !== etag)
    void client.invalidateQueries({ queryKey: ['catalog', 'revisions', path] });
  return outcome;
}

async function put(client: QueryClient, { path, etag, content }: Saving): Promise<SaveOutcome> {
  const body: AssetChangeBody = { content };
  const answer = await exchange<AssetResponse>(`catalog/assets/${encodePath(path)}`, {
    method: 'PUT',
    body,
    headers: { 'if-match': etag },
    csrfToken: getCsrfToken(client),
  });
  return { kind: 'saved', item: { ...answer.body, etag: answer.headers.get('etag') ?? '' } };
}

/** What became of a script that was not saved, by what it is now; without EDIT, saving answers as if it did not exist. */
async function readLoss(path: string, toOutcome: (item: CatalogItem) => SaveOutcome): Promise<SaveOutcome> {
  try {
    return toOutcome(await readItem(path, new AbortController().signal));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { kind: 'gone' };
    throw error;
  }
}

/** Where a new script goes. */
interface NewScript {
  readonly folder: string;
  readonly name: string;
  readonly content: string;
}

/** Saves a text as a new script. Rejects with 400 if the name is taken. */
export async function createScript(client: QueryClient, script: NewScript): Promise<CatalogItem> {
  const { folder, name, content } = script;
  const body: NewAssetBody = { parent_path: folder, name, content };
  const answer = await exchange<AssetResponse>('catalog/assets', {
    method: 'POST',
    body,
    csrfToken: getCsrfToken(client),
  });
  return { ...answer.body, description: '', etag: answer.headers.get('etag') ?? '' };
}
