import { elementAt } from '../../invariants/must.ts';
import type { Source } from '../text/source.ts';

/** An entry of a folder; the text of a stored script is read only when it is needed. */
export interface FolderEntry {
  readonly id: string;
  readonly name: string;
  readonly kind: 'folder' | 'script' | 'other';
  readonly text?: string;
}

/** A folder that exists only because of the files in it. */
interface NewFolder {
  readonly parent: string;
  readonly name: string;
}

/** Stored folders, with files that replace, or are added to, their scripts. */
export interface Overlay {
  listEntries(id: string): readonly FolderEntry[];
  /** Null for a stored folder. */
  findNew(id: string): NewFolder | null;
}

/** A file that cannot be placed, and the reason; `path` is the path of the file or of the entry in its way. */
export class OverlayError extends Error {
  readonly reason: 'not-a-folder' | 'is-a-folder' | 'not-a-script';
  readonly path: string;

  constructor(reason: OverlayError['reason'], path: string) {
    super(`${path}: ${reason}`);
    this.name = 'OverlayError';
    this.reason = reason;
    this.path = path;
  }
}

const MANIFEST = 'project.toml';
const ENDING = '.sql';

/**
 * Places files, named by their paths from the folder `base`, on stored folders. `list` lists the entries of a stored
 * folder. A file `x.sql` replaces the stored script `x`, and `x` replaces `x.sql`, unless both names are used.
 * Throws an OverlayError.
 */
export function createOverlay(
  base: string,
  files: readonly Source[],
  list: (id: string) => readonly FolderEntry[],
): Overlay {
  const placed = new Map<string, Map<string, FolderEntry>>();
  const created = new Map<string, NewFolder>();
  const listEntries = (id: string): readonly FolderEntry[] => {
    const stored = created.has(id) ? [] : list(id);
    const own = placed.get(id);
    if (own === undefined) return stored;
    const all = new Map([...stored, ...own.values()].map((entry) => [entry.name, entry]));
    return [...all.values()].sort((one, other) => compareText(one.name, other.name));
  };
  const place = (folder: string, entry: FolderEntry) => {
    const own = placed.get(folder) ?? new Map<string, FolderEntry>();
    placed.set(folder, own.set(entry.name, entry));
  };
  const enter = (folder: string, name: string, path: string): string => {
    const found = listEntries(folder).find((entry) => entry.name === name);
    if (found?.kind === 'folder') return found.id;
    if (found !== undefined) throw new OverlayError('not-a-folder', path);
    // No stored id contains a slash.
    const id = `new/${path}`;
    created.set(id, { parent: folder, name });
    place(folder, { id, name, kind: 'folder' });
    return id;
  };
  const names = new Set(files.map(({ name }) => name));
  for (const { name: path, text } of files) {
    const parts = path.split('/');
    const name = elementAt(parts, -1);
    const folders = parts.slice(0, -1);
    const folder = folders.reduce(
      (id, own, depth) => enter(id, own, parts.slice(0, depth + 1).join('/')),
      base,
    );
    const entries = listEntries(folder);
    const isOtherTaken = names.has([...folders, respell(name)].join('/'));
    const found = isOtherTaken ? entries.find((entry) => entry.name === name) : findSpelled(entries, name);
    if (found?.kind === 'folder') throw new OverlayError('is-a-folder', path);
    if (found?.kind === 'other' && name !== MANIFEST) throw new OverlayError('not-a-script', path);
    const kind = name === MANIFEST ? 'other' : 'script';
    place(folder, { id: found?.id ?? `new/${path}`, name: found?.name ?? name, kind, text });
  }
  return { listEntries, findNew: (id) => created.get(id) ?? null };
}

/** The entry with a name; else the script or manifest whose name differs only by the ending `.sql`. */
export function findSpelled(entries: readonly FolderEntry[], name: string): FolderEntry | undefined {
  const exact = entries.find((entry) => entry.name === name);
  return exact ?? entries.find((entry) => entry.kind === 'script' && entry.name === respell(name));
}

function respell(name: string): string {
  return name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : `${name}${ENDING}`;
}

function compareText(one: string, other: string): number {
  if (one < other) return -1;
  return one > other ? 1 : 0;
}
