import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../invariants/narrow.ts';
import { createDiagnostic } from '../text/diagnostic.ts';
import type { Source } from '../text/source.ts';
import type { FileTree, SourceReading } from './file-tree.ts';

/** Maximum size of a script in bytes, as in the catalog (docs/reference/language.md#files-and-packages). */
const MAX_SIZE = 15 * 1024 ** 2;

/** The files of this machine. A folder is identified by its real path. An inaccessible file counts as missing. */
export const DISK: FileTree = { findFolder, isFile, listFolderNames, listScriptNames, readSource };

/** The real path of a folder; null if it does not exist or is inaccessible. */
function findFolder(folder: string): string | null {
  return findStats(folder)?.isDirectory() ? tryTo(() => realpathSync.native(folder)) : null;
}

/** Whether a path exists and is not a folder, after links are followed. Reading reports everything but plain files. */
function isFile(file: string): boolean {
  return findStats(file)?.isDirectory() === false;
}

/** The names of the folders in a folder, in code unit order; empty if it cannot be read. */
function listFolderNames(folder: string): readonly string[] {
  const isFolder = (name: string) => findStats(path.join(folder, name))?.isDirectory() ?? false;
  return listEntries(folder)
    .filter((entry) => entry.isDirectory() || (entry.isSymbolicLink() && isFolder(entry.name)))
    .map((entry) => entry.name)
    .sort();
}

/**
 * The names of the scripts in a folder, in code unit order: every `*.sql`
 * (docs/reference/language.md#files-and-packages) except hidden files, which editors and file managers create. Includes
 * pipes and devices, so that reading them reports an error.
 */
function listScriptNames(folder: string): readonly string[] {
  const isFolder = (name: string) => findStats(path.join(folder, name))?.isDirectory() ?? false;
  return listEntries(folder)
    .filter(({ name }) => name.endsWith('.sql') && !name.startsWith('.'))
    .filter((entry) => !entry.isDirectory() && !(entry.isSymbolicLink() && isFolder(entry.name)))
    .map((entry) => entry.name)
    .sort();
}

/**
 * Reads a file as UTF-8 and keeps its byte order mark; `name` is its name in messages. Returns an error if the file
 * cannot be read, is not a plain file, is a link that leads outside the folder `within`, is larger than 15 MB, or is
 * not UTF-8.
 */
function readSource(file: string, name: string, within: string | null): SourceReading {
  const bytes = readBytes(file, within);
  if (typeof bytes === 'string') return toError({ name, text: '' }, bytes);
  const text = bytes.toString('utf8');
  const bad = findBadByte(bytes, text);
  if (bad === null) return { source: { name, text } };
  const at = bytes.toString('utf8', 0, bad).length;
  return toError(
    { name, text },
    `the file is not UTF-8 text: byte ${bad + 1} is wrong; convert it first`,
    at,
  );
}

/** The bytes of a file, or an error message. */
function readBytes(file: string, within: string | null): Buffer | string {
  try {
    const real = realpathSync.native(file);
    if (within !== null && !isWithin(within, real)) {
      return `the file is a link that leads outside \`${within}\`: replace it with a copy of its target`;
    }
    return describeOther(statSync(real)) ?? readPlain(real);
  } catch (error) {
    return `the file cannot be read (${codeOf(error)})`;
  }
}

/** As `readBytes`, for a path without links. Does not block if a pipe or device has replaced the file. */
function readPlain(file: string): Buffer | string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(descriptor);
    if (stats.size > MAX_SIZE) return 'the file exceeds the limit of 15 MB';
    return describeOther(stats) ?? readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The error message for anything but a plain file; null for a plain file. */
function describeOther(stats: Stats): string | null {
  if (stats.isFile()) return null;
  const kind = stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : 'a device';
  return `this is ${kind}, not a plain file: remove or rename it`;
}

/** Offset of the first byte that is not UTF-8: the first difference after decoding and encoding; null if valid. */
function findBadByte(bytes: Buffer, text: string): number | null {
  if (!text.includes('\ufffd')) return null;
  const again = Buffer.from(text);
  if (again.equals(bytes)) return null;
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at++;
  return at;
}

function toError(source: Source, message: string, at = 0): SourceReading {
  return { error: createDiagnostic(source, { start: at, end: at + 1 }, message, 'file') };
}

function listEntries(folder: string): readonly Dirent[] {
  return tryTo(() => readdirSync(folder, { withFileTypes: true })) ?? [];
}

function findStats(file: string): Stats | null {
  return tryTo(() => statSync(file));
}

/** The result of a file system call; null if it throws. */
function tryTo<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch {
    return null;
  }
}

/** Whether a path is a folder or below it; both are absolute and without links. */
export function isWithin(folder: string, target: string): boolean {
  const relative = path.relative(folder, target);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
