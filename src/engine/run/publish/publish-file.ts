import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { notNull, present } from '../../../invariants/must.ts';
import { codeOf } from '../../../invariants/narrow.ts';
import type { Connection, FileFormat } from '../../connection/contract/connection.ts';
import { type Publication, PublicationError } from '../../script/values/publication.ts';
import { isMap, toText, type Value } from '../../script/values/value.ts';
import { type PublishQuota, watchPublished } from './published-files.ts';
import { nameUnfinished, sweepUnfinished } from './unfinished-files.ts';

/** Writer options of a file that is published, with their defaults (language 6). */
interface FileOptions {
  readonly overwrite: boolean;
  readonly format: FileFormat;
}

/** A file that is being published: written aside with `write`, and put in its place with `keep`. */
export interface PublishedFile {
  write(connection: Connection, query: string, signal: AbortSignal): Promise<void>;
  keep(): void;
  discard(): void;
}

/**
 * Prepares a file below `root`, to be written in the folder `staging` if there is one. Throws a PublicationError for a
 * path that leaves `root`, a file that may not be replaced, an option that cannot be followed; later for more than `quota`.
 */
export function openPublishedFile(
  publication: Publication,
  root: string,
  staging: string | null,
  quota: PublishQuota | null,
): PublishedFile {
  const options = readOptions(publication);
  const file = explain(notNull(publication.path), () => resolveInside(root, notNull(publication.path)));
  if (!options.overwrite && existsSync(file)) {
    const message = `the file \`${publication.path}\` is there already: add \`:overwrite true\` to \`:options\` to replace it`;
    throw new PublicationError(message, 'path');
  }
  if (existsSync(file) && !statSync(file).isFile()) {
    throw new PublicationError(`\`${publication.path}\` is no file that could be replaced`, 'path');
  }
  const folder = staging ?? path.dirname(file);
  const aside = nameUnfinished(folder);
  explain(notNull(publication.path), () => sweepUnfinished(folder));
  const limit = quota === null ? null : watchPublished(quota, root, file, aside);
  return {
    async write(connection, query, signal) {
      const own = limit === null ? signal : AbortSignal.any([signal, limit.signal]);
      try {
        await connection.publishing.writeFile(query, aside, options.format, own);
      } catch (error) {
        if (limit?.signal.aborted === true && !signal.aborted) throw limit.createFull();
        throw error;
      }
    },
    keep: () =>
      explain(notNull(publication.path), () => {
        limit?.record();
        putInPlace(aside, file, options.overwrite);
      }),
    discard: () => {
      limit?.end();
      rmSync(aside, { force: true });
    },
  };
}

/** The name of a new file has been taken while it was written. */
export class TakenError extends Error {}

/** Gives a file its name when all of it is on the disk. Throws a TakenError for one that may not be replaced. */
function putInPlace(aside: string, file: string, overwrite: boolean): void {
  sync(aside);
  if (overwrite) renameSync(aside, file);
  else giveNewName(aside, file);
  sync(path.dirname(file));
}

/** What renames would replace what has come meanwhile; a link does not, where the file system has links. */
function giveNewName(aside: string, file: string): void {
  try {
    linkSync(aside, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new TakenError();
    renameSync(aside, file);
  }
}

function sync(file: string): void {
  const opened = openSync(file, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Says of what a file system refuses that it is about a published file. */
function explain<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new PublicationError(`the file \`${name}\` cannot be written: ${error.code}`, 'path');
  }
}

/** Most bytes of a file's path below the folder for published files: backups are restored elsewhere. */
const MAX_PATH_BYTES = 1024;
/** Most bytes of a name: what file systems take. */
const MAX_NAME_BYTES = 255;
/** What names would break lines and terminals with, or be changed by in a file system. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;

/** Throws a PublicationError for a path that is too long, or has names that cannot be shown. */
function checkNames(relative: string): void {
  const bad = UNPRINTABLE.exec(relative)?.[0];
  if (bad !== undefined) {
    const code = present(bad.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0');
    const message = `the path has the control character U+${code}: name the file without it`;
    throw new PublicationError(message, 'path');
  }
  const bytes = Buffer.byteLength(relative);
  if (bytes > MAX_PATH_BYTES) {
    const message = `the path has ${bytes} bytes, and may have ${MAX_PATH_BYTES}: use fewer folders or shorter names`;
    throw new PublicationError(message, 'path');
  }
  const long = relative.split(path.sep).find((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  if (long !== undefined) {
    const message = `a name in the path has ${Buffer.byteLength(long)} bytes, and may have ${MAX_NAME_BYTES}: use a shorter one`;
    throw new PublicationError(message, 'path');
  }
}

/** Where a path below `root` leads, its folders made; a link may not lead out of it. */
function resolveInside(root: string, relative: string): string {
  const outside = new PublicationError(
    `the path \`${relative}\` leaves the folder for published files`,
    'path',
  );
  if (path.isAbsolute(relative) || relative.includes('\0')) throw outside;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(relative)) {
    const message = `\`${relative}\` is an address: files are published into a folder, by their path in it`;
    throw new PublicationError(message, 'path');
  }
  if (relative.endsWith('/')) {
    throw new PublicationError(`the path \`${relative}\` is that of a folder: add the file's name`, 'path');
  }
  const file = path.resolve(root, relative);
  if (!isInside(root, file)) throw outside;
  checkNames(path.relative(root, file));
  mkdirSync(root, { recursive: true });
  let folder = path.dirname(file);
  while (!existsSync(folder)) folder = path.dirname(folder);
  const real = realpathSync(root);
  if (realpathSync(folder) !== real && !isInside(real, realpathSync(folder))) throw outside;
  mkdirSync(path.dirname(file), { recursive: true });
  return file;
}

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return (
    relative !== '' &&
    relative !== '..' &&
    !relative.startsWith(`..${path.sep}`) &&
    !path.isAbsolute(relative)
  );
}

/** What an option may be, in words, and its worth; undefined for what it cannot be. */
interface OptionType<T> {
  readonly expected: string;
  readonly accept: (value: Value) => T | undefined;
}

const flag: OptionType<boolean> = {
  expected: 'true or false',
  accept: (value) => (typeof value === 'boolean' ? value : undefined),
};
const text: OptionType<string> = {
  expected: 'a string',
  accept: (value) => (typeof value === 'string' ? value : undefined),
};
const one: OptionType<string> = {
  expected: 'one ASCII character',
  accept: (value) => (typeof value === 'string' && /^[\t -~]$/.test(value) ? value : undefined),
};
const oneOrNone: OptionType<string> = {
  expected: `${one.expected}, or empty for none`,
  accept: (value) => (value === '' ? value : one.accept(value)),
};

function among(...known: readonly string[]): OptionType<string> {
  return {
    expected: `one of ${known.join(', ')}`,
    accept: (value) => known.find((own) => own === String(toText(value)).toLowerCase()),
  };
}

function readOptions({ type, options, connection }: Publication): FileOptions {
  if (connection !== null) {
    throw new PublicationError(
      `there is no connection \`${connection}\` for files: leave \`:connection\` out`,
      'connection',
    );
  }
  const read = <T>(name: string, fallback: T, { expected, accept }: OptionType<T>): T => {
    const value = options?.entries.get(name);
    if (value === undefined || value === null) return fallback;
    const found = accept(value);
    if (found !== undefined) return found;
    const shown = isMap(value) ? 'a map' : `\`${toText(value)}\``;
    const message = `the option \`:${name}\` cannot be ${shown}: it is ${expected}`;
    throw new PublicationError(message, `options.${name}`);
  };
  const overwrite = read('overwrite', false, flag);
  if (type === 'parquet') {
    const known = among('snappy', 'gzip', 'zstd', 'lz4', 'brotli', 'uncompressed', 'none');
    const compression = read('compression', 'snappy', known);
    return {
      overwrite,
      format: { type, compression: compression === 'none' ? 'uncompressed' : compression },
    };
  }
  read('encoding', 'utf-8', among('utf-8', 'utf8'));
  const format: FileFormat = {
    type: 'csv',
    delimiter: read('delimiter', ',', one),
    nullValue: read('null_value', '', text),
    quote: read('quote_char', '', oneOrNone),
    header: read('header', false, flag),
    compression: read('compression', 'none', among('none', 'gzip', 'zstd')),
  };
  return { overwrite, format };
}
