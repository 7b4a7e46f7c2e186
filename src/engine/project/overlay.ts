import { elementAt } from '../../invariants/must.ts';
import type { Source } from '../text/source.ts';
import { remember } from './remember.ts';

/** An entry of a folder: a stored one has a revision, another one its text. */
export interface FolderEntry {
  readonly id: string;
  readonly name: string;
  readonly kind: 'folder' | 'script' | 'other';
  readonly revision?: number;
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
  const placement = new Placement(list, new Set(files.map(({ name }) => name)));
  for (const file of files) placement.place(base, file);
  return {
    listEntries: remember((id: string) => placement.listEntries(id)),
    findNew: (id) => placement.created.get(id) ?? null,
  };
}

class Placement {
  readonly created = new Map<string, NewFolder>();
  readonly #list: (id: string) => readonly FolderEntry[];
  readonly #paths: ReadonlySet<string>;
  /** The entries of changed folders by name. */
  readonly #changedFolders = new Map<string, Map<string, FolderEntry>>();

  constructor(list: (id: string) => readonly FolderEntry[], paths: ReadonlySet<string>) {
    this.#list = list;
    this.#paths = paths;
  }

  listEntries(id: string): readonly FolderEntry[] {
    const entries = this.#changedFolders.get(id);
    if (entries === undefined) return this.#list(id);
    return [...entries.values()].sort((left, right) => compareText(left.name, right.name));
  }

  place(base: string, { name: path, text }: Source): void {
    const parts = path.split('/');
    const name = elementAt(parts, -1);
    const folders = parts.slice(0, -1);
    let folder = base;
    for (const [depth, folderName] of folders.entries()) {
      folder = this.#enter(folder, folderName, parts.slice(0, depth + 1).join('/'));
    }
    const entries = this.#open(folder);
    const respelled = entries.get(respell(name));
    const isOtherSent = this.#paths.has([...folders, respell(name)].join('/'));
    const other = respelled?.kind === 'script' && !isOtherSent ? respelled : undefined;
    const existingEntry = entries.get(name) ?? other;
    if (existingEntry?.kind === 'folder') throw new OverlayError('is-a-folder', path);
    if (existingEntry?.kind === 'other' && name !== MANIFEST) throw new OverlayError('not-a-script', path);
    const kind = name === MANIFEST ? 'other' : 'script';
    const entry = {
      id: existingEntry?.id ?? `new/${path}`,
      name: existingEntry?.name ?? name,
      kind,
      text,
    } as const;
    entries.set(entry.name, entry);
  }

  #enter(folder: string, name: string, path: string): string {
    const entries = this.#open(folder);
    const entry = entries.get(name);
    if (entry?.kind === 'folder') return entry.id;
    if (entry !== undefined) throw new OverlayError('not-a-folder', path);
    // No stored id contains a slash.
    const id = `new/${path}`;
    this.created.set(id, { parent: folder, name });
    this.#changedFolders.set(id, new Map());
    entries.set(name, { id, name, kind: 'folder' });
    return id;
  }

  /** The entries of a folder that changes. */
  #open(id: string): Map<string, FolderEntry> {
    const entries =
      this.#changedFolders.get(id) ?? new Map(this.#list(id).map((entry) => [entry.name, entry]));
    this.#changedFolders.set(id, entries);
    return entries;
  }
}

/** The entry with a name; else the script or manifest whose name differs only by the ending `.sql`. */
export function findSpelled(entries: readonly FolderEntry[], name: string): FolderEntry | undefined {
  const exact = entries.find((entry) => entry.name === name);
  return exact ?? entries.find((entry) => entry.kind === 'script' && entry.name === respell(name));
}

function respell(name: string): string {
  return name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : `${name}${ENDING}`;
}

function compareText(left: string, right: string): number {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}
