import { type Entry, isFolder, readItem } from './catalog.ts';
import { findFree, toFileName, toFolderName } from './file-names.ts';
import { type Descendant, listBelow, type Outcome, type Reporter } from './transfer.ts';

/** The maximum of bytes in one archive: the browser keeps it in memory. */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Makes a ZIP file of a folder's scripts; with `chosen`, of these items of the folder. Rejects if there are too many, or
 * an item cannot be read.
 */
export async function zipFolder(
  folder: Pick<Entry, 'name' | 'path'>,
  reporter: Reporter,
  chosen?: readonly Entry[],
): Promise<Blob> {
  const { signal, setTotal, begin, end } = reporter;
  const below = chosen === undefined ? await listBelow(folder.path, signal) : await listAll(chosen, signal);
  const { Zip, ZipDeflate, ZipPassThrough } = await import('fflate');
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    if (error !== null) failure = error;
    else parts.push(new Uint8Array(chunk));
  });
  const files = nameFiles(toFolderName(folder.name), below);
  setTotal(below.length);
  let size = 0;
  for (const { entry } of below) {
    begin(entry.path);
    const content = isFolder(entry.type) ? '' : (await readItem(entry.path, signal)).data.content;
    const bytes = new TextEncoder().encode(content);
    size += bytes.length;
    if (size > MAX_BYTES)
      throw new Error('The scripts have more than 512 MB together. Download smaller folders.');
    const file = files.get(entry.path) ?? '';
    if (content !== undefined) {
      const part = isFolder(entry.type) ? new ZipPassThrough(`${file}/`) : new ZipDeflate(file, { level: 6 });
      part.mtime = entry.updated_at;
      zip.add(part);
      part.push(bytes, true);
    }
    end(toOutcome(entry, content));
  }
  zip.end();
  if (failure !== null) throw failure;
  return new Blob(parts, { type: 'application/zip' });
}

/** Some items, each folder before its contents. */
async function listAll(entries: readonly Entry[], signal: AbortSignal): Promise<readonly Descendant[]> {
  const all: Descendant[] = [];
  for (const entry of entries) {
    all.push({ entry, names: [entry.name] });
    if (isFolder(entry.type)) all.push(...(await listBelow(entry.path, signal)));
  }
  return all;
}

function toOutcome({ path }: Entry, content: string | undefined): Outcome {
  if (content !== undefined) return { name: path, status: 'done' };
  return { name: path, status: 'skipped', message: 'Items of this kind have no text' };
}

/** The path of each item in the archive, by its path in the catalog; unique without regard to case. */
function nameFiles(root: string, below: readonly Descendant[]): ReadonlyMap<string, string> {
  const used = new Set<string>();
  const paths = new Map<string, string>();
  for (const { entry } of below) {
    const parent = paths.get(entry.path.slice(0, -entry.name.length - 1)) ?? root;
    const name = isFolder(entry.type) ? toFolderName(entry.name) : toFileName(entry.name);
    const path = `${parent}/${findFree(name, (free) => used.has(`${parent}/${free}`.toLowerCase()))}`;
    used.add(path.toLowerCase());
    paths.set(entry.path, path);
  }
  return paths;
}
