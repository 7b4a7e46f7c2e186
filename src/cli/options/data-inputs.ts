import { globSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { elementAt } from '../../invariants/must.ts';
import type { DataInput, InputFormat } from '../../workspace/api/data-input.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { cannotRead, checkInput, isDescriptor, openInput, sourceName } from './open-input.ts';
import { adviseSimilarFile } from './similar-file.ts';

interface Wanted {
  /** Undefined: derived from the names. */
  readonly format: InputFormat | undefined;
  /** Derives the format from a file's name. */
  readonly findFormat: (file: string) => InputFormat | undefined;
  /** Called with the size of each part that was read from a stream, in bytes. */
  readonly onRead: (bytes: number) => void;
}

interface InputList {
  readonly inputs: readonly DataInput[];
  /** Files of folders that are not loaded, because their names have no data format. */
  readonly skipped: readonly string[];
  /** Files that were named more than once. */
  readonly repeated: readonly string[];
}

interface Expanded {
  readonly names: readonly string[];
  readonly skipped: readonly string[];
}

/**
 * Resolves names, patterns and folders to files and pipes, each once. Throws a UsageError for a name without files, and
 * for inputs that cannot be loaded.
 */
export function findDataInputs(context: CliContext, patterns: readonly string[], wanted: Wanted): InputList {
  const expanded = patterns.map((name) => expand(context, name, wanted));
  const names = expanded.flatMap((expansion) => expansion.names);
  const skipped = expanded.flatMap((expansion) => expansion.skipped);
  const once = Map.groupBy(names, (name) => toKey(context, name));
  const groups = [...once.values()].map((group) => ({ name: elementAt(group, 0), count: group.length }));
  return {
    inputs: groups.map(({ name }) => toInput(context, name, wanted)),
    skipped,
    repeated: groups.filter(({ count }) => count > 1).map(({ name }) => name),
  };
}

/** Whether a name is a folder. */
export function isDiskFolder({ cwd }: CliContext, name: string): boolean {
  return statSync(path.resolve(cwd, name), { throwIfNoEntry: false })?.isDirectory() === true;
}

function toKey({ cwd }: CliContext, name: string): string {
  return isDescriptor(name) ? sourceName(name) : path.resolve(cwd, name);
}

function expand(context: CliContext, name: string, wanted: Wanted): Expanded {
  if (isDescriptor(name)) return { names: [name], skipped: [] };
  if (name === '') throw new UsageError('the name of a file is empty: use `.` for this folder');
  checkAddress(name);
  if (wanted.format === undefined) checkEnding(name);
  if (isDiskFolder(context, name)) return listFolder(context, name, wanted);
  if (exists(context, name)) return { names: [name], skipped: [] };
  const matches = globSync(name, { cwd: context.cwd }).sort();
  if (matches.length === 0) {
    throw new UsageError(
      `cannot read ${name}: there is no such file`,
      EXIT.failed,
      adviseSimilarFile(context, name),
    );
  }
  const files = matches.filter((file) => !isDiskFolder(context, file));
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
    .filter((name) => !isDiskFolder(context, name))
    .sort();
  const isWanted = (name: string) => {
    const promised = findFormat(name);
    return promised !== undefined && (format === undefined || promised === format);
  };
  const data = names.filter(isWanted);
  if (data.length > 0) return { names: data, skipped: names.filter((name) => !isWanted(name)) };
  const what = format ?? 'csv, parquet, json or xlsx';
  const below = path.join(folder, '**', `*.${format ?? 'csv'}`);
  throw new UsageError(`${folder} has no ${what} files: to load those of subfolders, use '${below}'`);
}

function toInput(context: CliContext, name: string, { onRead }: Wanted): DataInput {
  const isFile = checkInput(context, name).isFile();
  if (isFile && !isDescriptor(name)) {
    return { name, path: path.resolve(context.cwd, name) };
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

const SHEET = 'save it as .xlsx first';
const UNPACK = 'unpack it first';
const CONVERT = 'convert it to csv, parquet or json first';
const decompress = (tool: string) => `decompress it first: ${tool} -dc FILE | quern load - --table NAME`;

/** Advice for files that cannot be loaded, by the ending of their names. */
const ADVICE: Readonly<Record<string, string>> = {
  xls: SHEET,
  xlsb: SHEET,
  ods: SHEET,
  numbers: SHEET,
  zip: UNPACK,
  '7z': UNPACK,
  rar: UNPACK,
  tar: UNPACK,
  tgz: UNPACK,
  bz2: decompress('bzip2'),
  xz: decompress('xz'),
  db: 'export its tables as csv first',
  sqlite: 'export its tables as csv first',
  sqlite3: 'export its tables as csv first',
  duckdb: 'add it as a connection with `quern connection create`',
  sql: 'run it with `quern sql --file FILE`',
  avro: CONVERT,
  orc: CONVERT,
  arrow: CONVERT,
  feather: CONVERT,
  xml: CONVERT,
  pdf: CONVERT,
};

const FETCH: Readonly<Record<string, (url: string) => string>> = {
  http: (url) => `download it first: curl -fsSL '${url}' | quern load - --table NAME`,
  https: (url) => `download it first: curl -fsSL '${url}' | quern load - --table NAME`,
  ftp: (url) => `download it first: curl -fsSL '${url}' | quern load - --table NAME`,
  s3: (url) => `copy it first: aws s3 cp '${url}' - | quern load - --table NAME`,
  gs: (url) => `copy it first: gcloud storage cat '${url}' | quern load - --table NAME`,
  file: () => 'use the plain path',
};

/** Throws a UsageError for a URL. */
function checkAddress(name: string): void {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(name)?.[1]?.toLowerCase();
  if (scheme === undefined) return;
  const fetch = FETCH[scheme] ?? (() => 'copy it to this machine first');
  throw new UsageError(`cannot load ${name}: only files and pipes are loaded; ${fetch(name)}`);
}

/** Throws a UsageError for a file whose name has a format that cannot be loaded. */
function checkEnding(name: string): void {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const advice = ADVICE[ending];
  if (advice !== undefined)
    throw new UsageError(
      `cannot load ${name}: a .${ending} file is not csv, parquet, json or xlsx; ${advice}`,
    );
}
