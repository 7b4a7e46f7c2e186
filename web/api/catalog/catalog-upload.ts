import type { QueryClient } from '@tanstack/react-query';
import { type Entry, isFolder, listChildren, readItem } from './catalog.ts';
import { changeItem, createAsset, createFolder } from './catalog-changes.ts';
import { findFree, toAssetName } from './file-names.ts';
import type { ChosenFile } from './read-files.ts';
import { type Reporter, report } from './transfer.ts';

/** What to do with a file whose script exists. */
export type OnConflict = 'replace' | 'skip' | 'keep-both';

/** A file, the script that it becomes, and the script that has its path now. */
interface PlannedFile {
  readonly file: File;
  /** The path of the folder in the catalog. */
  readonly folder: string;
  readonly name: string;
  readonly existing: Entry | null;
}

/** What an upload will do. */
export interface UploadPlan {
  readonly files: readonly PlannedFile[];
  /** The folders to create, each after the folder around it. */
  readonly newFolders: readonly { readonly parent: string; readonly name: string }[];
  /** The children of the folders that exist, by path. */
  readonly children: ReadonlyMap<string, readonly Entry[]>;
}

/** The maximum bytes of a script (docs/reference/catalog.md#rules). */
const MAX_BYTES = 15 * 1024 * 1024;

/** Compares files with the catalog, below a folder. Rejects with the errors of a listing. */
export async function planUpload(
  root: string,
  chosen: readonly ChosenFile[],
  signal: AbortSignal,
): Promise<UploadPlan> {
  const children = new Map([[root, await listChildren(root, signal)]]);
  const newFolders = new Map<string, { readonly parent: string; readonly name: string }>();
  const files: PlannedFile[] = [];
  for (const { file, folders } of chosen) {
    let folder = root;
    for (const name of folders) {
      const parent = folder;
      folder = `${parent}/${name}`;
      if (children.has(folder) || newFolders.has(folder)) continue;
      const existing = children.get(parent)?.find((entry) => entry.name === name);
      if (existing !== undefined && isFolder(existing.type))
        children.set(folder, await listChildren(folder, signal));
      else newFolders.set(folder, { parent, name });
    }
    const name = toAssetName(file.name);
    const existing = children.get(folder)?.find((entry) => entry.name === name) ?? null;
    files.push({ file, folder, name, existing });
  }
  return { files, newFolders: [...newFolders.values()], children };
}

/** Stores the files of a plan one after the other; a file that fails does not stop the others. */
export async function upload(
  client: QueryClient,
  plan: UploadPlan,
  onConflict: OnConflict,
  reporter: Reporter,
): Promise<void> {
  const { files, newFolders, children } = plan;
  reporter.setTotal(files.length + newFolders.length);
  for (const { parent, name } of newFolders) {
    await report(`${parent}/${name}`, reporter, async () => {
      await createFolder(client, { parent_path: parent, name }, reporter.signal);
      return undefined;
    });
  }
  const used = new Set([...children.values()].flat().map(({ path }) => path));
  for (const planned of files) {
    await report(printPath(planned), reporter, () =>
      store(client, planned, onConflict, used, reporter.signal),
    );
  }
}

/** Stores a file; returns why it was skipped. */
async function store(
  client: QueryClient,
  { file, folder, name, existing }: PlannedFile,
  onConflict: OnConflict,
  used: Set<string>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (file.name.startsWith('.')) return 'Hidden file';
  if (existing !== null && onConflict === 'skip') return 'It exists already';
  const content = await readText(file);
  if (existing !== null && onConflict === 'replace') {
    if (isFolder(existing.type)) throw new Error('A folder has this name');
    const item = await readItem(existing.path, signal);
    await changeItem(client, item, { content }, signal);
    return undefined;
  }
  const free = findFree(name, (other) => used.has(`${folder}/${other}`));
  await createAsset(client, { parent_path: folder, name: free, content }, signal);
  used.add(`${folder}/${free}`);
  return undefined;
}

/** The text of a file, byte for byte, with a byte order mark if it has one. */
async function readText(file: File): Promise<string> {
  if (file.size > MAX_BYTES) throw new Error('Content exceeds the 15 MB size limit');
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error('The file is not text in UTF-8');
  }
}

/** The path of a file's script, for people. */
export function printPath({ folder, name }: PlannedFile): string {
  return `${folder}/${name}`;
}
