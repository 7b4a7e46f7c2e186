import { isFolder } from '../../../api/catalog/catalog.ts';
import { getName, getParentPath } from '../../../api/catalog/catalog-paths.ts';
import type { ItemRow, TreeRow } from './tree-rows.ts';

/** What a key does in the tree (WAI-ARIA tree pattern): the row to go to, or a folder to open or close. */
type KeyAction =
  | { readonly kind: 'go'; readonly path: string }
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'close'; readonly path: string };

/** The index of an item's row; -1 if it is not visible. */
export function findRow(rows: readonly TreeRow[], path: string): number {
  return rows.findIndex((row) => row.kind === 'item' && row.entry.path === path);
}

/** The action of a key on the row at `index`; null for keys without one. */
export function findKeyAction(rows: readonly TreeRow[], index: number, key: string): KeyAction | null {
  const row = rows[index];
  const act = MOVES[key];
  const target = act?.(rows, index);
  if (act !== undefined) return target === undefined ? null : { kind: 'go', path: target.entry.path };
  if (row?.kind !== 'item') return null;
  const { path, type } = row.entry;
  if (key === 'ArrowRight' && isFolder(type) && !row.isOpen) return { kind: 'open', path };
  if (key === 'ArrowRight' && row.isOpen) return toChild(rows[index + 1], row);
  if (key === 'ArrowLeft' && row.isOpen) return { kind: 'close', path };
  if (key === 'ArrowLeft' && row.level > 1) return { kind: 'go', path: getParentPath(path) };
  return null;
}

type Move = (rows: readonly TreeRow[], index: number) => ItemRow | undefined;

/** The rows that a page key skips. */
const PAGE = 10;

const MOVES: Readonly<Record<string, Move>> = {
  ArrowDown: (rows, index) => findItem(rows, index + 1, 1),
  ArrowUp: (rows, index) => findItem(rows, index - 1, -1),
  PageDown: (rows, index) => findItem(rows, Math.min(index + PAGE, rows.length - 1), -1),
  PageUp: (rows, index) => findItem(rows, Math.max(index - PAGE, 0), 1),
  Home: (rows) => findItem(rows, 0, 1),
  End: (rows) => findItem(rows, rows.length - 1, -1),
};

/** The next row with an item, from an index in a direction. */
function findItem(rows: readonly TreeRow[], from: number, step: 1 | -1): ItemRow | undefined {
  for (let at = from; at >= 0 && at < rows.length; at += step) {
    const row = rows[at];
    if (row?.kind === 'item') return row;
  }
  return undefined;
}

function toChild(next: TreeRow | undefined, parent: ItemRow): KeyAction | null {
  const isChild = next?.kind === 'item' && next.level === parent.level + 1;
  return isChild ? { kind: 'go', path: next.entry.path } : null;
}

/**
 * The path of the next item after `index` whose name starts with the typed text, without regard to case. Starts again
 * at the top. A single letter goes on to the next item; further letters may stay at the current one.
 */
export function findByTyping(rows: readonly TreeRow[], index: number, typed: string): string | null {
  const wanted = typed.toLowerCase();
  const start = typed.length > 1 ? index : index + 1;
  for (let step = 0; step < rows.length; step += 1) {
    const row = rows[(Math.max(0, start) + step) % rows.length];
    if (row?.kind === 'item' && matches(row.entry.path, wanted)) return row.entry.path;
  }
  return null;
}

/** Namespaces are found without their `@`, too. */
function matches(path: string, wanted: string): boolean {
  const name = getName(path).toLowerCase();
  return name.startsWith(wanted) || (name === path.toLowerCase() && name.startsWith(`@${wanted}`));
}
