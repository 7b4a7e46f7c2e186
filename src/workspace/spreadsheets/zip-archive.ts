import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { MAX_UNPACKED, METHODS, SIGNATURES, SIZES } from '../../engine/result/xlsx/zip-format.ts';
import { sheetErrors } from './errors.ts';

/** A file in a zip archive. */
interface ZipEntry {
  readonly name: string;
  readonly isEncrypted: boolean;
  /** One of `METHODS`; others cannot be read. */
  readonly method: number;
  readonly crc: number;
  /** In bytes. */
  readonly packedSize: number;
  readonly size: number;
  /** Of the local header, from the start of the archive. */
  readonly offset: number;
}

/** The maximum size of the list of files, in bytes; a workbook has some dozens of files. */
const MAX_DIRECTORY = 4 * 1024 * 1024;
/** The size of a read, in bytes. */
const PART = 256 * 1024;

const MAX_COMMENT = 0xffff;
const [MAX_16, MAX_32] = [0xffff, 0xffffffff];

/** The files of a zip archive by their names; case does not matter. */
export class ZipArchive {
  readonly #entries = new Map<string, ZipEntry>();
  readonly #path: string;
  readonly #name: string;
  #unpacked = 0;

  private constructor(path: string, name: string) {
    this.#path = path;
    this.#name = name;
  }

  /** Reads the list of files. `name` is that of messages. Rejects with a ServiceError 422 for a damaged archive. */
  static async open(path: string, name: string): Promise<ZipArchive> {
    const archive = new ZipArchive(path, name);
    const file = await open(path);
    try {
      for (const entry of readEntries(await readDirectory(file))) {
        archive.#entries.set(entry.name.toLowerCase(), entry);
      }
    } catch (error) {
      if (error instanceof RangeError) throw sheetErrors.damaged(name, 'its end is missing');
      throw error;
    } finally {
      await file.close();
    }
    return archive;
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /**
   * The bytes of a file. Rejects with a ServiceError 422 for a damaged or encrypted file, and as soon as all parts have
   * more bytes than a workbook may have.
   */
  async *read(name: string, maxSize = MAX_UNPACKED): AsyncIterable<Buffer> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) throw sheetErrors.damaged(this.#name, `${name} is missing`);
    if (entry.isEncrypted) throw sheetErrors.encrypted(this.#name);
    if (entry.size > maxSize || this.#unpacked + entry.size > MAX_UNPACKED) this.#refuseSize(maxSize);
    let [size, sum] = [0, 0];
    for await (const part of this.#unpack(entry)) {
      size += part.length;
      if (size > entry.size) throw sheetErrors.damaged(this.#name, `${name} is longer than its list says`);
      sum = crc32(part, sum);
      yield part;
    }
    this.#unpacked += size;
    if (size !== entry.size || sum !== entry.crc) {
      throw sheetErrors.damaged(this.#name, `the checksum of ${name} differs`);
    }
  }

  #refuseSize(maxSize: number): never {
    throw sheetErrors.tooLarge(this.#name, Math.min(maxSize, MAX_UNPACKED));
  }

  async *#unpack(entry: ZipEntry): AsyncIterable<Buffer> {
    const start = await this.#findData(entry);
    if (entry.packedSize === 0) return;
    const end = start + entry.packedSize - 1;
    const packed = createReadStream(this.#path, { start, end, highWaterMark: PART });
    if (entry.method === METHODS.stored) return yield* packed;
    if (entry.method !== METHODS.deflated) {
      packed.destroy();
      throw sheetErrors.damaged(this.#name, `${entry.name} has an unknown compression`);
    }
    const plain = createInflateRaw({ chunkSize: PART });
    // An error is that of the stream that is read here.
    pipeline(packed, plain, () => {});
    try {
      yield* plain;
    } catch (error) {
      throw sheetErrors.damaged(this.#name, error instanceof Error ? error.message : String(error));
    } finally {
      packed.destroy();
    }
  }

  async #findData({ offset }: ZipEntry): Promise<number> {
    const file = await open(this.#path);
    try {
      const header = await readAt(file, offset, SIZES.local);
      return offset + SIZES.local + header.readUInt16LE(26) + header.readUInt16LE(28);
    } catch (error) {
      if (error instanceof RangeError) throw sheetErrors.damaged(this.#name, 'its end is missing');
      throw error;
    } finally {
      await file.close();
    }
  }
}

/** Bytes of a file; throws a RangeError at its end. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw new RangeError('end of the file');
  return buffer;
}

/** The list of files, at the end of an archive. Throws a RangeError if it is missing. */
async function readDirectory(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const length = Math.min(size, SIZES.end + MAX_COMMENT);
  const tail = await readAt(file, size - length, length);
  let at = tail.length - SIZES.end;
  while (at >= 0 && tail.readUInt32LE(at) !== SIGNATURES.end) at -= 1;
  if (at < 0) throw new RangeError('no list of files');
  let [bytes, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (start === MAX_32 || bytes === MAX_32 || tail.readUInt16LE(at + 10) === MAX_16) {
    const end = await readEnd64(file, size - length + at - SIZES.locator64);
    if (end !== undefined) [bytes, start] = end;
  }
  if (bytes > MAX_DIRECTORY) throw new RangeError('a long list of files');
  return readAt(file, start, bytes);
}

/** The size and the position of the list of an archive of more than 4 GB. */
async function readEnd64(file: FileHandle, position: number): Promise<[number, number] | undefined> {
  const locator = await readAt(file, position, SIZES.locator64);
  if (locator.readUInt32LE(0) !== SIGNATURES.locator64) return undefined;
  const end = await readAt(file, Number(locator.readBigUInt64LE(8)), SIZES.end64);
  if (end.readUInt32LE(0) !== SIGNATURES.end64) throw new RangeError('no list of files');
  return [Number(end.readBigUInt64LE(40)), Number(end.readBigUInt64LE(48))];
}

function* readEntries(directory: Buffer): Iterable<ZipEntry> {
  for (let at = 0; at + SIZES.entry <= directory.length; ) {
    const [named, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const nameEnd = at + SIZES.entry + (named ?? 0);
    const extraEnd = nameEnd + (extra ?? 0);
    yield {
      name: directory.toString('utf8', at + SIZES.entry, nameEnd),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) !== 0,
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      ...readSizes(directory, at, directory.subarray(nameEnd, extraEnd)),
    };
    at = extraEnd + (comment ?? 0);
  }
}

/** Sizes and the position; values that 32 bits do not hold are in the extra field 1. */
function readSizes(
  directory: Buffer,
  at: number,
  extra: Buffer,
): Pick<ZipEntry, 'packedSize' | 'size' | 'offset'> {
  const short = [24, 20, 42].map((field) => directory.readUInt32LE(at + field));
  let next = findField64(extra);
  const [size, packedSize, offset] = short.map((value) => {
    if (value !== MAX_32 || next === undefined) return value;
    const long = Number(extra.readBigUInt64LE(next));
    next += 8;
    return long;
  });
  return { size: size ?? 0, packedSize: packedSize ?? 0, offset: offset ?? 0 };
}

function findField64(extra: Buffer): number | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1) return at + 4;
  }
  return undefined;
}
