import { createReadStream, createWriteStream, statSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DataFormat } from '../../engine/run/load/read-files.ts';
import type { FileState } from '../../engine/run/load/write-table.ts';
import { present } from '../../invariants/must.ts';
import { codeOf, listKeys } from '../../invariants/narrow.ts';
import type { DataFile, DataInput, DataStream, InputFormat, LoadSettings } from '../api/data-input.ts';
import type { SheetFacts } from '../spreadsheets/convert-sheet.ts';
import { findInputFormat, toDataFormat } from '../spreadsheets/input-format.ts';
import { readSheet, toCsvSettings } from '../spreadsheets/read-sheet.ts';
import { checkNesting } from './check-nesting.ts';
import { cutFooter } from './cut-footer.ts';
import { loadErrors } from './errors.ts';
import { refuseChanged } from './failed-run.ts';
import { type Compression, type DetectedContent, findContent, HEAD_SIZE } from './find-content.ts';
import { createDecompressor, type InspectedFile, inspectFile } from './inspect-file.ts';

/** A file whose first bytes were read. */
export interface PreparedFile extends DataFile {
  readonly head: Buffer;
  /** The file of the caller, to see whether it changes; undefined for a stream. */
  readonly watched: WatchedFile | undefined;
  /** What the csv of a sheet does not say; undefined for other files. */
  readonly sheet?: SheetFacts | undefined;
}

/** A file, and what its system said of it before it was read. */
interface WatchedFile {
  readonly path: string;
  readonly state: string;
}

/** Files of one format that the database can read repeatedly. */
export interface PreparedInputs {
  /** Files with content. */
  readonly files: readonly PreparedFile[];
  /** Names of empty files. */
  readonly empty: readonly string[];
  readonly format: DataFormat;
  /** How the files are read. */
  readonly settings: LoadSettings;
  /** Undefined: derived from the name of each file. */
  readonly compression: Compression | 'uncompressed' | undefined;
}

interface Preparing {
  /** A folder of this load only, for the bytes of streams. */
  readonly folder: string;
  /** The home's temporary folder. */
  readonly tmp: string;
  /** Undefined: derived from the names, or from the content of streams without a name. */
  readonly format: InputFormat | undefined;
  readonly settings: LoadSettings;
  readonly signal: AbortSignal;
}

interface Inspected extends InspectedFile {
  readonly file: DataFile;
  readonly format: InputFormat;
  readonly sheet?: SheetFacts;
  readonly watched: PreparedFile['watched'];
}

function watchFile(file: string): WatchedFile {
  return { path: file, state: describeState(file) };
}

function describeState(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.size} ${stats.mtimeNs} ${stats.ino}`;
}

/** Throws a FailedRun if a file has another size, time or identity than before it was read. */
export function checkUnchanged(files: readonly PreparedFile[]): void {
  const changed = files.filter(
    ({ watched }) => watched !== undefined && describeState(watched.path) !== watched.state,
  );
  if (changed.length > 0) throw refuseChanged(changed.map(({ name }) => name));
}

/** What the system says of the file that the database reads; undefined if it was removed. */
export function readFileState({ path: file }: PreparedFile): FileState | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && { path: file, size: stats.size, changedAt: stats.mtimeNs };
}

/**
 * Reads streams into files and detects the content of all files. Throws a ServiceError for data that cannot be loaded.
 */
export async function prepareInputs(
  inputs: readonly DataInput[],
  preparing: Preparing,
): Promise<PreparedInputs> {
  // Conflicting names are refused before anything is read.
  const promised = inputs.map((input) => findPromised(input, preparing.format));
  findOnly(promised.filter((format) => format !== undefined));
  const files: Inspected[] = [];
  for (const [at, input] of inputs.entries()) {
    const watched = 'path' in input ? watchFile(input.path) : undefined;
    const file = 'path' in input ? input : await spool(input, at, preparing);
    files.push({ ...(await inspect(file, promised[at], at, preparing)), watched });
  }
  const format = present(findOnly(files.map((one) => one.format)));
  checkSettings(format, preparing.settings);
  const full = files.filter(({ content }) => content.kind !== 'empty');
  const empty = files.filter(({ content }) => content.kind === 'empty');
  return {
    files: (full.length > 0 ? full : empty.slice(0, 1)).map(({ file, head, watched, sheet }) => ({
      ...file,
      head,
      watched,
      sheet,
    })),
    empty: empty.map(({ file }) => file.name),
    format: toDataFormat(format),
    settings: format === 'xlsx' ? toCsvSettings(preparing.settings) : preparing.settings,
    compression: findCompression(full),
  };
}

/** The requested format, or that of the name; undefined for a stream whose bytes determine it. */
function findPromised(input: DataInput, requested: InputFormat | undefined): InputFormat | undefined {
  const format = requested ?? findInputFormat(input.name);
  if (format === undefined && 'path' in input) throw loadErrors.unknownType(path.basename(input.name));
  return format;
}

function findOnly(formats: readonly InputFormat[]): InputFormat | undefined {
  if (new Set(formats).size > 1) throw loadErrors.mixedTypes();
  return formats[0];
}

function spool(input: Exclude<DataInput, DataFile>, at: number, { folder, tmp, signal }: Preparing) {
  return spoolStream(input, { file: path.join(folder, String(at)), folder: tmp }, signal);
}

async function inspect(
  original: DataFile,
  promised: InputFormat | undefined,
  at: number,
  { folder, settings, signal }: Preparing,
): Promise<Omit<Inspected, 'watched'>> {
  const { encoding, skipFooter } = settings;
  let [file, inspection] = [original, await inspectFile(original, signal)];
  if ((promised ?? formatOf(inspection.content)) === 'xlsx') {
    const target = path.join(folder, `${at}-sheet`);
    const start = {
      head: inspection.head,
      isCompressed: inspection.compression !== null,
    };
    const sheet = await readSheet(file, start, { settings, target }, signal);
    const written = await inspectFile(sheet.file, signal);
    return { ...written, file: sheet.file, format: 'xlsx', sheet: sheet.facts };
  }
  if (encoding !== undefined && promised !== 'parquet') {
    const target = path.join(folder, `${at}-text`);
    file = await transcodeFile(original, { ...inspection, encoding, target }, signal);
    inspection = await inspectFile(file, signal);
  }
  const format = promised ?? formatOf(inspection.content);
  if (skipFooter !== undefined && format === 'csv') {
    const target = path.join(folder, `${at}-rows`);
    await cutFooter({ ...inspection, path: file.path, lines: skipFooter, target }, signal);
    file = { ...file, path: target };
    inspection = await inspectFile(file, signal);
  }
  checkContent(file.name, format, inspection);
  if (format === 'json') await checkNesting(file, inspection.compression, signal);
  return { ...inspection, file, format };
}

/** The settings that apply to each format. */
const SETTINGS_OF: Readonly<Record<InputFormat, readonly (keyof LoadSettings)[]>> = {
  csv: [
    'delimiter',
    'quote',
    'header',
    'encoding',
    'nulls',
    'types',
    'unionByName',
    'decimal',
    'thousands',
    'dateFormat',
    'timestampFormat',
    'skip',
    'skipFooter',
    'fillShort',
    'allText',
  ],
  json: ['encoding', 'types', 'unionByName', 'dateFormat', 'timestampFormat', 'allText'],
  parquet: ['unionByName'],
  xlsx: [
    'header',
    'nulls',
    'types',
    'unionByName',
    'decimal',
    'thousands',
    'dateFormat',
    'timestampFormat',
    'skip',
    'skipFooter',
    'allText',
    'sheet',
  ],
};

function checkSettings(format: InputFormat, settings: LoadSettings): void {
  const keys = listKeys(settings).filter((key) => settings[key] !== undefined);
  const wrong = keys.find((key) => !SETTINGS_OF[format].includes(key));
  if (wrong !== undefined) throw loadErrors.settingOfOther(toFlag(wrong), format);
}

function toFlag(setting: string): string {
  return setting === 'nulls' ? 'null' : setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function formatOf(content: DetectedContent): InputFormat {
  return content.kind === 'data' ? content.format : 'csv';
}

function checkContent(name: string, format: InputFormat, { content, compression }: InspectedFile): void {
  if (content.kind === 'foreign') throw loadErrors.foreign(name, content.what, content.advice);
  if (content.kind === 'data' && content.format === 'xlsx') throw loadErrors.otherType(name, 'xlsx');
  const isParquet = content.kind === 'data' && content.format === 'parquet';
  if (isParquet && compression !== null) throw loadErrors.packedParquet(name);
  if (isParquet && format !== 'parquet') throw loadErrors.otherType(name, 'parquet');
  if (isParquet || format !== 'parquet') return;
  throw content.kind === 'empty' ? loadErrors.emptyParquet(name) : loadErrors.notParquet(name);
}

/**
 * The database derives the compression from file names; files that differ from their names must all have the same one.
 */
function findCompression(files: readonly Inspected[]): PreparedInputs['compression'] {
  const kinds = new Set(files.map(({ compression }) => compression ?? 'uncompressed'));
  const [only] = kinds;
  if (kinds.size === 1) return only;
  const wrong = files.find(({ file, compression }) => endingOf(file.path) !== compression);
  if (wrong !== undefined) throw loadErrors.mixedCompression(wrong.file.name);
  return undefined;
}

function endingOf(file: string): Compression | null {
  if (/\.gz$/i.test(file)) return 'gzip';
  return /\.zst$/i.test(file) ? 'zstd' : null;
}

/** Error codes of the system for a file that cannot grow. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/**
 * Reads a stream to its end into a new file (0600); errors about disk space name `folder`. Throws a ServiceError: 400
 * as soon as the first bytes show data that cannot be loaded, because the stream may be endless; 422 where it cannot be
 * read, or the disk is full.
 */
async function spoolStream(
  { name, read }: DataStream,
  { file, folder }: { readonly file: string; readonly folder: string },
  signal: AbortSignal,
): Promise<DataFile> {
  let size = 0;
  async function* count(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const part of source) {
      size += part.length;
      yield part;
    }
  }
  try {
    const source = count(checkHead(name, read()));
    await pipeline(source, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    if (NO_ROOM.includes(codeOf(error) ?? '')) throw loadErrors.noRoom(name, folder, size);
    if (!signal.aborted && error instanceof Error && 'syscall' in error) {
      throw loadErrors.unreadable(name, error.message);
    }
    throw error;
  }
  return { name, path: file };
}

async function* checkHead(name: string, source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of source) {
    if (size < HEAD_SIZE) {
      parts.push(part);
      size += part.length;
      if (size >= HEAD_SIZE) refuseForeign(name, Buffer.concat(parts));
    }
    yield part;
  }
  if (size < HEAD_SIZE) refuseForeign(name, Buffer.concat(parts));
}

function refuseForeign(name: string, head: Uint8Array): void {
  const content = findContent(head);
  if (content.kind === 'foreign') throw loadErrors.foreign(name, content.what, content.advice);
}

interface Transcoding extends Pick<InspectedFile, 'compression' | 'head'> {
  readonly encoding: string;
  /** The new file, 0600. */
  readonly target: string;
}

/** Converts a text file of another encoding to uncompressed UTF-8. Throws a ServiceError 422 for invalid bytes. */
async function transcodeFile(
  file: DataFile,
  { encoding, compression, head, target }: Transcoding,
  signal: AbortSignal,
): Promise<DataFile> {
  const decoder = new TextDecoder(chooseByteOrder(encoding, head), { fatal: true });
  async function* decode(source: AsyncIterable<Uint8Array>): AsyncIterable<string> {
    for await (const part of source) yield decoder.decode(part, { stream: true });
    yield decoder.decode();
  }
  const bytes = createReadStream(file.path, { highWaterMark: 1024 * 1024 });
  const plain = compression === null ? new PassThrough() : createDecompressor(compression);
  try {
    await pipeline(bytes, plain, decode, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    if (error instanceof TypeError) throw loadErrors.otherEncoding(file.name, encoding);
    throw error;
  }
  return { ...file, path: target };
}

/** The name `utf-16` means little-endian, unless the file has another byte order mark. */
function chooseByteOrder(encoding: string, head: Buffer): string {
  const isBig = /^utf-?16$/i.test(encoding) && head[0] === 0xfe && head[1] === 0xff;
  return isBig ? 'utf-16be' : encoding;
}
