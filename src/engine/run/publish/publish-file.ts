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
import type { AskOwner, FileStep } from './ask-owner.ts';
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
  /** Rejects with the reason of `signal` if that is aborted before the file has its path. */
  keep(signal: AbortSignal): Promise<void>;
  discard(): void;
}

/** Where files are published, and how many of them. */
export interface FilePlaces {
  /** The folder for published files. */
  readonly directory: string;
  /** The folder for unfinished files; null: the folder of the final file. */
  readonly staging: string | null;
  /** The disk quota of the user's files; null: no limit. */
  readonly quota: PublishQuota | null;
  readonly askOwner: AskOwner;
}

/** The last steps are taken, even if the run is cancelled meanwhile. */
const NEVER = new AbortController().signal;

/**
 * Prepares a file that a block of the script with a name publishes. Rejects with a PublicationError for a path outside
 * the folder, an existing file without `overwrite` or of another owner, or an invalid option; `write` and `keep` reject
 * with one if the quota is exceeded or the owner changes.
 */
export async function openPublishedFile(
  publication: Publication,
  script: string,
  { directory, staging, quota, askOwner }: FilePlaces,
  signal: AbortSignal,
): Promise<PublishedFile> {
  const options = readOptions(publication);
  const name = notNull(publication.path);
  const file = explain(name, () => resolveInside(directory, name));
  if (!options.overwrite && existsSync(file)) {
    const message = `the file \`${name}\` already exists: add \`:overwrite true\` to \`:options\` to replace it`;
    throw new PublicationError(message, 'path');
  }
  if (existsSync(file) && !statSync(file).isFile()) {
    throw new PublicationError(`\`${name}\` is not a file, so it cannot be replaced`, 'path');
  }
  const owned = { path: explain(name, () => printRealPath(directory, file)), script };
  const take = async (step: FileStep, until: AbortSignal) => {
    const answer = await askOwner(step, until);
    if (answer.status === 'refused') throw new PublicationError(answer.message, 'path');
    return answer.usedBytes;
  };
  const checkOwner = (until: AbortSignal) => take({ ...owned, step: 'check' }, until);
  const usedBytes = await checkOwner(signal);
  const folder = staging ?? path.dirname(file);
  const unfinished = nameUnfinished(folder);
  explain(name, () => sweepUnfinished(folder));
  const limit = quota === null ? null : watchPublished(quota, owned.path, usedBytes, unfinished);
  return {
    async write(connection, query, until) {
      const writeSignal = limit === null ? until : AbortSignal.any([until, limit.signal]);
      try {
        await connection.publishing.writeFile(query, unfinished, options.format, writeSignal);
      } catch (error) {
        if (limit?.signal.aborted === true && !until.aborted) throw limit.createFull();
        throw error;
      }
    },
    async keep(until) {
      const inode = explain(name, () => makeDurable(unfinished));
      limit?.check(await checkOwner(until));
      try {
        await take({ ...owned, step: 'claim', inode }, until);
        // The right to publish may have been lost since the last statement.
        until.throwIfAborted();
        explain(name, () => moveToPlace(unfinished, file, options.overwrite));
      } catch (error) {
        await take({ ...owned, step: 'withdraw', inode }, NEVER);
        throw error;
      }
      await take({ ...owned, step: 'keep', inode }, NEVER);
      explain(name, () => sync(path.dirname(file)));
    },
    discard: () => {
      limit?.end();
      rmSync(unfinished, { force: true });
    },
  };
}

/** The path of a file from the folder for published files, without links to folders. */
function printRealPath(directory: string, file: string): string {
  const real = path.join(realpathSync(path.dirname(file)), path.basename(file));
  return path.relative(realpathSync(directory), real).split(path.sep).join('/');
}

/** Writes a file to the disk completely; returns its inode. */
function makeDurable(file: string): string {
  sync(file);
  return statSync(file, { bigint: true }).ino.toString();
}

/** Another file with the name of a new file appeared while the new file was written. */
export class TakenError extends Error {}

/** Moves a file to its final path. Throws a TakenError if it must not replace a file. */
function moveToPlace(unfinished: string, file: string, overwrite: boolean): void {
  if (overwrite) renameSync(unfinished, file);
  else linkToNewName(unfinished, file);
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
