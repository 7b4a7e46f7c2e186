import { constants, crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import type { Sink } from '../columns/sink.ts';
import { SheetLimitError } from './sheet-limits.ts';
import { MAX_UNPACKED, METHODS, SIGNATURES, SIZES } from './zip-format.ts';

/** The version that a reader needs for deflated files. */
const VERSION = 20;
/** The sizes follow the bytes, and names are UTF-8. */
const FLAGS = 0x0808;
/** 1 January 1980, the first date of the format: equal results have equal bytes. */
const DATE = 0x21;

/** A file of an archive that is complete. */
interface WrittenFile {
  readonly name: Buffer;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

/** An open file of an archive. */
export interface OpenFile extends Sink {
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the file; the next one can be opened then. */
  close(): Promise<void>;
}

/**
 * Writes a zip archive as a stream, one file after another. Its files have at most `maxBytes` before compression, so
 * that 32 bits hold every size: more are a SheetLimitError. Rejects as the sink does.
 */
export class ZipWriter {
  readonly #sink: Sink;
  readonly #files: WrittenFile[] = [];
  #room: number;
  #offset = 0;

  constructor(sink: Sink, maxBytes: number = MAX_UNPACKED) {
    this.#sink = sink;
    this.#room = maxBytes;
  }

  async open(text: string): Promise<OpenFile> {
    const name = Buffer.from(text);
    const offset = this.#offset;
    await this.#write(
      Buffer.concat([printHead(SIGNATURES.local, { name, crc: 0, packedSize: 0, size: 0 }), name]),
    );
    const packer = new Packer((bytes) => this.#write(bytes));
    let [crc, size] = [0, 0];
    return {
      write: async (bytes) => {
        this.#room -= bytes.length;
        if (this.#room < 0) throw SheetLimitError.ofBytes();
        crc = crc32(bytes, crc);
        size += bytes.length;
        await packer.write(bytes);
      },
      close: async () => {
        const packedSize = await packer.end();
        await this.#write(printDescriptor({ crc, packedSize, size }));
        this.#files.push({ name, crc, packedSize, size, offset });
      },
    };
  }

  /** Writes the list of files. */
  async end(): Promise<void> {
    const start = this.#offset;
    await this.#write(Buffer.concat(this.#files.map(printEntry)));
    const end = Buffer.alloc(SIZES.end);
    end.writeUInt32LE(SIGNATURES.end, 0);
    end.writeUInt16LE(this.#files.length, 8);
    end.writeUInt16LE(this.#files.length, 10);
    end.writeUInt32LE(this.#offset - start, 12);
    end.writeUInt32LE(start, 16);
    await this.#write(end);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.length;
    await this.#sink.write(bytes);
  }
}

/** Compresses bytes in the threads of Node.js. */
class Packer {
  readonly #deflate: DeflateRaw = createDeflateRaw({ level: constants.Z_BEST_SPEED, chunkSize: 128 * 1024 });
  readonly #sent: Promise<number>;

  constructor(send: (bytes: Uint8Array) => Promise<void>) {
    this.#sent = sendAll(this.#deflate, send);
    // The error surfaces to the caller of `write` or `end`.
    this.#sent.catch(() => undefined);
  }

  /** Resolves when the memory of the bytes can be used again. */
  async write(bytes: Uint8Array): Promise<void> {
    const taken = new Promise<void>((resolve, reject) => {
      this.#deflate.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    await Promise.race([taken, this.#sent]);
  }

  /** Resolves with the number of compressed bytes. */
  end(): Promise<number> {
    this.#deflate.end();
    return this.#sent;
  }
}

async function sendAll(deflate: DeflateRaw, send: (bytes: Uint8Array) => Promise<void>): Promise<number> {
  let size = 0;
  for await (const part of deflate) {
    const bytes: Uint8Array = part;
    size += bytes.length;
    await send(bytes);
  }
  return size;
}

type Head = Omit<WrittenFile, 'offset'>;

/** What the record before a file and the entry of the list share. */
function printHead(signature: number, { name, crc, packedSize, size }: Head): Buffer {
  const isEntry = signature === SIGNATURES.entry;
  const head = Buffer.alloc(isEntry ? SIZES.entry : SIZES.local);
  head.writeUInt32LE(signature, 0);
  if (isEntry) head.writeUInt16LE(VERSION, 4);
  const at = isEntry ? 6 : 4;
  head.writeUInt16LE(VERSION, at);
  head.writeUInt16LE(FLAGS, at + 2);
  head.writeUInt16LE(METHODS.deflated, at + 4);
  head.writeUInt16LE(DATE, at + 8);
  head.writeUInt32LE(crc, at + 10);
  head.writeUInt32LE(packedSize, at + 14);
  head.writeUInt32LE(size, at + 18);
  head.writeUInt16LE(name.length, at + 22);
  return head;
}

function printDescriptor({ crc, packedSize, size }: Pick<Head, 'crc' | 'packedSize' | 'size'>): Buffer {
  const descriptor = Buffer.alloc(SIZES.descriptor);
  descriptor.writeUInt32LE(SIGNATURES.descriptor, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeUInt32LE(packedSize, 8);
  descriptor.writeUInt32LE(size, 12);
  return descriptor;
}

function printEntry(file: WrittenFile): Buffer {
  const head = printHead(SIGNATURES.entry, file);
  head.writeUInt32LE(file.offset, 42);
  return Buffer.concat([head, file.name]);
}
