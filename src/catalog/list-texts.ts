import { elementAt } from '../invariants/must.ts';
import { HUB_ROOT_ID, SHARED_ROOT_ID } from '../store/values/roots.ts';
import { isFolder, isText } from './asset.ts';
import type { CatalogContext } from './context.ts';
import { pathNotFound, tooManyItems } from './errors.ts';
import { parsePath, printPath } from './path.ts';
import type { Item } from './store.ts';

/** A stored text of the catalog. */
export interface StoredText {
  readonly id: string;
  readonly name: string;
  /** The path in the form of responses. */
  readonly path: string;
  /** Changes with the content; unique among all texts. */
  readonly revision: string;
  read(): string;
}

/** A text asset; or the texts below a folder, by their paths, without hidden items (names that start with a dot). */
export interface TextTree {
  /** The path in the form of responses. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly texts: readonly StoredText[];
}

/** The maximum of items below a folder. */
const MAX_ITEMS = 20_000;

/**
 * The texts at a path, without a permission check: the caller has checked the permission to use them. Never reads
 * `@Personal`, which is different for each user. Throws 404, and 422 for a folder with too many items.
 */
export function listTexts(context: CatalogContext, text: string): TextTree {
  return context.database.read(() => {
    const item = findItem(context, text);
    const path = printPath(parsePath(text));
    if (!isFolder(item.type)) {
      return { path, isFolder: false, texts: isText(item.type) ? [toText(context, item, path)] : [] };
    }
    const below = context.store.listBelow(item.id, MAX_ITEMS + 1);
    if (below.length > MAX_ITEMS) throw tooManyItems(path, MAX_ITEMS);
    const texts = below
      .filter(({ type }) => isText(type))
      .map((asset) => toText(context, asset, `${path}/${asset.path}`))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
    return { path, isFolder: true, texts };
  });
}

function findItem({ store }: CatalogContext, text: string): Item {
  const { namespace, names } = parsePath(text);
  if (namespace === '@Personal') throw pathNotFound(text);
  const chain = store.findChain(namespace === '@Shared' ? SHARED_ROOT_ID : HUB_ROOT_ID, names);
  const item = chain.length === names.length + 1 ? store.find(elementAt(chain, -1)) : undefined;
  if (item === undefined) throw pathNotFound(text);
  return item;
}

function toText(
  { database, store }: CatalogContext,
  { id, name, revision }: Pick<Item, 'id' | 'name' | 'revision'>,
  path: string,
): StoredText {
  const read = () => database.read(() => store.readContent(id) ?? '');
  return { id, name, path, revision: `${id} ${revision}`, read };
}
