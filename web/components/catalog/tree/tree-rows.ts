import { type Entry, isFolder } from '../../../api/catalog/catalog.ts';

/** A row of the tree: an item, or the state of an open folder. */
export type TreeRow = ItemRow | StateRow;

/** An item with its place among its siblings (WAI-ARIA). */
export interface ItemRow {
  readonly kind: 'item';
  readonly entry: Entry;
  /** The namespaces have level 1. */
  readonly level: number;
  readonly position: number;
  readonly setSize: number;
  readonly isOpen: boolean;
}

/** The row below an open folder whose children are not shown. */
interface StateRow {
  readonly kind: 'loading' | 'empty' | 'failed';
  /** The path of the folder. */
  readonly path: string;
  readonly level: number;
  readonly message: string;
}

/** The children of a folder, as far as they are known. */
export interface Children {
  readonly data: readonly Entry[] | undefined;
  readonly error: Error | null;
}

/** The visible rows, from the namespaces down. `childrenOf` returns undefined for folders that are not loaded. */
export function listRows(
  isOpen: (path: string) => boolean,
  childrenOf: (path: string) => Children | undefined,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (path: string, level: number): void => {
    const children = childrenOf(path);
    if (children?.data === undefined) {
      rows.push(toStateRow(path, level, children?.error ?? null));
      return;
    }
    if (children.data.length === 0) rows.push({ kind: 'empty', path, level, message: 'Empty folder' });
    for (const [at, entry] of children.data.entries()) {
      const open = isFolder(entry.type) && isOpen(entry.path);
      const setSize = children.data.length;
      rows.push({ kind: 'item', entry, level, position: at + 1, setSize, isOpen: open });
      if (open) add(entry.path, level + 1);
    }
  };
  add('', 1);
  return rows;
}

function toStateRow(path: string, level: number, error: Error | null): StateRow {
  if (error === null) return { kind: 'loading', path, level, message: 'Loading…' };
  return { kind: 'failed', path, level, message: error.message };
}
