import path from 'node:path';
import type { Source } from '../text/source.ts';
import type { FileTree } from './file-tree.ts';

/** The root folder of a memory tree; nothing exists outside it. */
export const MEMORY_ROOT = path.resolve('/bundle');

interface Folder {
  readonly folders: string[];
  readonly files: Map<string, Source>;
}

/**
 * Creates a tree of files in memory, by their paths relative to `MEMORY_ROOT`. Each path must be unique, and must not
 * be a folder at the same time.
 */
export function createMemoryTree(files: readonly Source[]): FileTree {
  const folders = new Map<string, Folder>();

  function addFolder(at: string): Folder {
    const folder = folders.get(at);
    if (folder !== undefined) return folder;
    const newFolder: Folder = { folders: [], files: new Map() };
    folders.set(at, newFolder);
    if (at !== path.dirname(at)) addFolder(path.dirname(at)).folders.push(path.basename(at));
    return newFolder;
  }

  addFolder(MEMORY_ROOT);
  for (const source of files) {
    const file = path.join(MEMORY_ROOT, source.name);
    addFolder(path.dirname(file)).files.set(path.basename(file), source);
  }
  const findFile = (file: string) => folders.get(path.dirname(file))?.files.get(path.basename(file));
  return {
    findFolder: (folder) => (folders.has(folder) ? folder : null),
    isFile: (file) => findFile(file) !== undefined,
    listFolderNames: (folder) => folders.get(folder)?.folders.toSorted() ?? [],
    listScriptNames: (folder) =>
      [...(folders.get(folder)?.files.keys() ?? [])]
        .filter((name) => name.endsWith('.sql') && !name.startsWith('.'))
        .sort(),
    readSource(file, name) {
      const source = findFile(file);
      if (source === undefined) throw new Error(`there is no file ${file} in memory`);
      return { source: { name, text: source.text } };
    },
  };
}
