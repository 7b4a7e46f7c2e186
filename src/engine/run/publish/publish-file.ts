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

/** Writer options of a published file, with their defaults (docs/reference/publishing.md#files). */
interface FileOptions {
  readonly overwrite: boolean;
  readonly format: FileFormat;
}

/** A file during its publication: `write` writes a temporary file, `keep` moves it to its final path. */
export interface PublishedFile {
  write(connection: Connection, query: string, signal: AbortSignal): Promise<void>;
  keep(): void;
  discard(): void;
}

/**
 * Prepares a file below `root`; it is written in the folder `staging` if that is given. Throws a PublicationError for a
 * path outside `root`, an existing file without `overwrite`, or an invalid option; later if `quota` is exceeded.
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
    const message = `the file \`${publication.path}\` already exists: add \`:overwrite true\` to \`:options\` to replace it`;
    throw new PublicationError(message, 'path');
  }
  if (existsSync(file) && !statSync(file).isFile()) {
    throw new PublicationError(`\`${publication.path}\` is not a file, so it cannot be replaced`, 'path');
  }
  const folder = staging ?? path.dirname(file);
  const unfinished = nameUnfinished(folder);
  explain(notNull(publication.path), () => sweepUnfinished(folder));
  const limit = quota === null ? null : watchPublished(quota, root, file, unfinished);
  return {
    async write(connection, query, signal) {
      const writeSignal = limit === null ? signal : AbortSignal.any([signal, limit.signal]);
      try {
        await connection.publishing.writeFile(query, unfinished, options.format, writeSignal);
      } catch (error) {
        if (limit?.signal.aborted === true && !signal.aborted) throw limit.createFull();
        throw error;
      }
    },
    keep: () =>
      explain(notNull(publication.path), () => {
        limit?.record();
        moveToPlace(unfinished, file, options.overwrite);
      }),
    discard: () => {
      limit?.end();
      rmSync(unfinished, { force: true });
    },
  };
}

/** Another file with the name of a new file appeared while the new file was written. */
export class TakenError extends Error {}

/** Moves a file to its final path after it is completely on disk. Throws a TakenError if it must not replace a file. */
function moveToPlace(unfinished: string, file: string, overwrite: boolean): void {
  sync(unfinished);
  if (overwrite) renameSync(unfinished, file);
  else linkToNewName(unfinished, file);
  sync(path.dirname(file));
}

/** Uses a hard link, if the file system supports it: a rename would replace a file that appeared in the meantime. */
function linkToNewName(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new TakenError();
    renameSync(unfinished, file);
  }
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Converts errors of the file system to a PublicationError. */
function explain<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new PublicationError(`the file \`${name}\` cannot be written: ${error.code}`, 'path');
  }
}

/** Maximum bytes of a path below the folder for published files. It leaves room for the path of a restored backup. */
const MAX_PATH_BYTES = 1024;
/** Maximum bytes of a name, as in file systems. */
const MAX_NAME_BYTES = 255;
/** Characters that break lines and terminals, or that file systems change. */
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
    const message = `the path has ${bytes} bytes, more than the limit of ${MAX_PATH_BYTES}: use fewer folders or shorter names`;
    throw new PublicationError(message, 'path');
  }
  const long = relative.split(path.sep).find((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  if (long !== undefined) {
    const message = `a name in the path has ${Buffer.byteLength(long)} bytes, more than the limit of ${MAX_NAME_BYTES}: use a shorter name`;
    throw new PublicationError(message, 'path');
  }
}

/** Resolves a path below `root` and creates its folders; a link must not lead outside `root`. */
function resolveInside(root: string, relative: string): string {
  const outside = new PublicationError(
    `the path \`${relative}\` is outside the folder for published files`,
    'path',
  );
  if (path.isAbsolute(relative) || relative.includes('\0')) throw outside;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(relative)) {
    const message = `\`${relative}\` is a URL: write a path in the folder for published files`;
    throw new PublicationError(message, 'path');
  }
  if (relative.endsWith('/')) {
    throw new PublicationError(`the path \`${relative}\` names a folder: add a file name`, 'path');
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

/** The expected values of an option in words, and its parser, which returns undefined for an invalid value. */
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
const character: OptionType<string> = {
  expected: 'one ASCII character',
  accept: (value) => (typeof value === 'string' && /^[\t -~]$/.test(value) ? value : undefined),
};
const oneOrNone: OptionType<string> = {
  expected: `${character.expected} or an empty string`,
  accept: (value) => (value === '' ? value : character.accept(value)),
};

function among(...choices: readonly string[]): OptionType<string> {
  return {
    expected: `one of ${choices.join(', ')}`,
    accept: (value) => choices.find((choice) => choice === String(toText(value)).toLowerCase()),
  };
}

function readOptions({ type, options, connection }: Publication): FileOptions {
  if (connection !== null) {
    throw new PublicationError(
      `files have no connection \`${connection}\`: remove \`:connection\``,
      'connection',
    );
  }
  const read = <T>(name: string, fallback: T, { expected, accept }: OptionType<T>): T => {
    const value = options?.entries.get(name);
    if (value === undefined || value === null) return fallback;
    const option = accept(value);
    if (option !== undefined) return option;
    const valueText = isMap(value) ? 'a map' : `\`${toText(value)}\``;
    const message = `the option \`:${name}\` must be ${expected}, not ${valueText}`;
    throw new PublicationError(message, `options.${name}`);
  };
  const overwrite = read('overwrite', false, flag);
  if (type === 'parquet') {
    const compressions = among('snappy', 'gzip', 'zstd', 'lz4', 'brotli', 'uncompressed', 'none');
    const compression = read('compression', 'snappy', compressions);
    return {
      overwrite,
      format: { type, compression: compression === 'none' ? 'uncompressed' : compression },
    };
  }
  read('encoding', 'utf-8', among('utf-8', 'utf8'));
  const format: FileFormat = {
    type: 'csv',
    delimiter: read('delimiter', ',', character),
    nullValue: read('null_value', '', text),
    quote: read('quote_char', '', oneOrNone),
    header: read('header', false, flag),
    compression: read('compression', 'none', among('none', 'gzip', 'zstd')),
  };
  return { overwrite, format };
}
