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
import { isWithin } from './is-within.ts';

/** Most bytes that a script may have, as in the catalog (interface 4.2). */
const MAX_SIZE = 15 * 1024 ** 2;

/** The files of this machine; the real path of a folder tells it from others. What cannot be reached is not there. */
export const DISK: FileTree = { findFolder, isFile, listFolderNames, listScriptNames, readSource };

/** The real path of a folder; null when there is none, or none that can be reached. */
function findFolder(folder: string): string | null {
  return findStats(folder)?.isDirectory() ? tryTo(() => realpathSync.native(folder)) : null;
}

/** Whether there is anything but a folder at a path, be it by a link: reading it says whether it is a file. */
function isFile(file: string): boolean {
  return findStats(file)?.isDirectory() === false;
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
 * editors and file managers make. What is no plain file is one as well, so that reading it says so.
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
 * Reads a file as UTF-8 and keeps its byte order mark; `name` is what messages call it. It is a fault when it
 * cannot be read, is no plain file, is a link to outside of the folder `within`, is larger than 15 MB, or has bytes
 * that are no UTF-8.
 */
function readSource(file: string, name: string, within: string | null): SourceReading {
  const bytes = readBytes(file, within);
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
function readBytes(file: string, within: string | null): Buffer | string {
  try {
    const real = realpathSync.native(file);
    if (within !== null && !isWithin(within, real)) {
      return `the file is a link to outside of \`${within}\`: put a copy of what it leads to in its place`;
    }
    return describeOther(statSync(real)) ?? readPlain(real);
  } catch (error) {
    return `the file cannot be read (${codeOf(error)})`;
  }
}

/** As `readBytes`, of a path without links; does not wait where something else has taken the place of a file. */
function readPlain(file: string): Buffer | string {
  const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(opened);
    if (stats.size > MAX_SIZE) return 'the file exceeds the limit of 15 MB';
    return describeOther(stats) ?? readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** The sentence about what is no plain file; null for one. */
function describeOther(stats: Stats): string | null {
  if (stats.isFile()) return null;
  const kind = stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : 'a device';
  return `this is ${kind}, and not a plain file: remove it, or give it another name`;
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
