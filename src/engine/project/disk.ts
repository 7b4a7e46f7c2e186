import { type Dirent, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { createDiagnostic } from '../text/diagnostic.ts';
import type { Source } from '../text/source.ts';
import type { FileTree, SourceReading } from './file-tree.ts';

/** Most bytes that a script may have, as in the catalog (interface 4.2). */
const LARGEST = 15 * 1024 ** 2;

/** The files of this machine; the real path of a folder tells it from others. What cannot be reached is not there. */
export const DISK: FileTree = { findFolder, isFile, listFolderNames, listScriptNames, readSource };

/** The real path of a folder; null when there is none, or none that can be reached. */
function findFolder(folder: string): string | null {
  return findStats(folder)?.isDirectory() ? tryTo(() => realpathSync.native(folder)) : null;
}

/** Whether there is a file at a path, be it by a link. */
function isFile(file: string): boolean {
  return findStats(file)?.isFile() ?? false;
}

/** The names of the folders in a folder, in code unit order; none when it cannot be read. */
function listFolderNames(folder: string): readonly string[] {
  const isFolder = (name: string) => findStats(path.join(folder, name))?.isDirectory() ?? false;
  return listEntries(folder)
    .filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && isFolder(entry.name)))
    .map((entry) => entry.name)
    .sort();
}

/**
 * The names of the scripts in a folder, in code unit order: every `*.sql` (language 1) but hidden ones, which
 * editors and file managers make. A link that leads nowhere is one, so that reading it says so.
 */
function listScriptNames(folder: string): readonly string[] {
  const isScript = (name: string) => findStats(path.join(folder, name))?.isFile() ?? true;
  return listEntries(folder)
    .filter(({ name }) => name.endsWith('.sql') && !name.startsWith('.'))
    .filter((entry) => entry.isFile() || (entry.isSymbolicLink() && isScript(entry.name)))
    .map((entry) => entry.name)
    .sort();
}

/**
 * Reads a file as UTF-8 and keeps its byte order mark; `name` is what messages call it. It is a fault when it
 * cannot be read, is larger than 15 MB, or has bytes that are no UTF-8.
 */
function readSource(file: string, name: string): SourceReading {
  const bytes = readBytes(file);
  if (typeof bytes === 'string') return toFault({ name, text: '' }, bytes);
  const text = bytes.toString('utf8');
  const bad = findBadByte(bytes, text);
  if (bad === null) return { source: { name, text } };
  const at = bytes.toString('utf8', 0, bad).length;
  return toFault(
    { name, text },
    `the file is not UTF-8 text: byte ${bad + 1} is wrong; convert it first`,
    at,
  );
}

/** The bytes of a file, or the sentence that says why not. */
function readBytes(file: string): Buffer | string {
  try {
    return statSync(file).size > LARGEST ? 'the file exceeds the limit of 15 MB' : readFileSync(file);
  } catch (error) {
    return `the file cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** Offset of the first byte that is not UTF-8: where decoding with replacement first differs; null for none. */
function findBadByte(bytes: Buffer, text: string): number | null {
  if (!text.includes('\ufffd')) return null;
  const again = Buffer.from(text);
  if (again.equals(bytes)) return null;
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at++;
  return at;
}

function toFault(source: Source, message: string, at = 0): SourceReading {
  return { fault: createDiagnostic(source, { start: at, end: at + 1 }, message, 'file') };
}

function listEntries(folder: string): readonly Dirent[] {
  return tryTo(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

function findStats(file: string): Stats | null {
  return tryTo(() => statSync(file));
}

/** What the file system answers, or null when it refuses. */
function tryTo<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
