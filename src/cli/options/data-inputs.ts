import { globSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DataFormat, DataInput } from '../../workspace/api/workspace-api.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { checkAddress, checkEnding } from './foreign-names.ts';
import { cannotRead, checkInput, isDescriptor, openInput, sourceName } from './open-input.ts';
import { adviseSimilarFile } from './similar-file.ts';

interface Wanted {
  /** Undefined: derived from the names. */
  readonly format: DataFormat | undefined;
  /** Derives the format from a file's name. */
  readonly findFormat: (file: string) => DataFormat | undefined;
  /** Called with the size of each part that was read from a stream, in bytes. */
  readonly onRead: (bytes: number) => void;
}

interface Found {
  readonly inputs: readonly DataInput[];
  /** Files of folders that are not loaded, because their names have no data format. */
  readonly skipped: readonly string[];
}

interface Expanded {
  readonly names: readonly string[];
  readonly skipped: readonly string[];
}

/**
 * Resolves names, patterns and folders to files and pipes, each once. Throws a UsageError for a name without files, and
 * for inputs that cannot be loaded.
 */
export function findDataInputs(context: CliContext, given: readonly string[], wanted: Wanted): Found {
  const expanded = given.map((name) => expand(context, name, wanted));
  const names = expanded.flatMap((found) => found.names);
  const skipped = expanded.flatMap((found) => found.skipped);
  const once = new Map(names.map((name) => [toKey(context, name), name]));
  return { inputs: [...once.values()].map((name) => toInput(context, name, wanted)), skipped };
}

/** Whether a name is a folder. */
export function isFolder({ cwd }: CliContext, name: string): boolean {
  return statSync(path.resolve(cwd, name), { throwIfNoEntry: false })?.isDirectory() === true;
}

function toKey({ cwd }: CliContext, name: string): string {
  return isDescriptor(name) ? sourceName(name) : path.resolve(cwd, name);
}

function expand(context: CliContext, name: string, wanted: Wanted): Expanded {
  if (isDescriptor(name)) return { names: [name], skipped: [] };
  if (name === '')
    throw new UsageError('the name of a file is empty; to load the files of this folder, use `.`');
  checkAddress(name);
  if (wanted.format === undefined) checkEnding(name);
  if (isFolder(context, name)) return listFolder(context, name, wanted);
  if (exists(context, name)) return { names: [name], skipped: [] };
  const found = globSync(name, { cwd: context.cwd }).sort();
  if (found.length === 0) {
    throw new UsageError(
      `cannot read ${name}: there is no such file`,
      EXIT.failed,
      adviseSimilarFile(context, name),
    );
  }
  const files = found.filter((file) => !isFolder(context, file));
  if (files.length === 0)
    throw new UsageError(`${name} matches only folders: name files, for example '${name}/*.csv'`);
  return { names: files, skipped: [] };
}

function exists({ cwd }: CliContext, name: string): boolean {
  return globSync(name.replace(/[*?[\]{}()!]/g, '[$&]'), { cwd }).length > 0;
}

/** The data files in a folder, without subfolders. Names that start with `.` or `_` belong to other programs. */
function listFolder(context: CliContext, folder: string, { format, findFormat }: Wanted): Expanded {
  const names = readdirSync(path.resolve(context.cwd, folder))
    .filter((name) => !/^[._]/.test(name))
    .map((name) => path.join(folder, name))
    .filter((name) => !isFolder(context, name))
    .sort();
  const isWanted = (name: string) => {
    const promised = findFormat(name);
    return promised !== undefined && (format === undefined || promised === format);
  };
  const data = names.filter(isWanted);
  if (data.length > 0) return { names: data, skipped: names.filter((name) => !isWanted(name)) };
  const what = format ?? 'csv, parquet or json';
  const below = path.join(folder, '**', `*.${format ?? 'csv'}`);
  throw new UsageError(`${folder} has no ${what} files: to load those of subfolders, use '${below}'`);
}

function toInput(context: CliContext, name: string, { onRead }: Wanted): DataInput {
  const isFile = checkInput(context, name).isFile();
  if (isFile && !isDescriptor(name)) {
    const file = path.resolve(context.cwd, name);
    return { name, origin: file, path: file };
  }
  return { name: sourceName(name), read: () => count(openInput(context, name), name, onRead) };
}

async function* count(
  stream: NodeJS.ReadableStream,
  name: string,
  onRead: Wanted['onRead'],
): AsyncIterable<Uint8Array> {
  try {
    for await (const part of stream) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      onRead(bytes.length);
      yield bytes;
    }
  } catch (error) {
    throw cannotRead(name, error);
  }
}
