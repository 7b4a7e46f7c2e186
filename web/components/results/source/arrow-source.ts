import { type Table, tableFromIPC } from '@uwdata/flechette';
import { type TypeName, toTypeName } from '../../../../src/engine/result/columns/type-names.ts';
import { createSource } from './batch-source.ts';
import type { RowBatch } from './batch-values.ts';
import { toValueType } from './column-types.ts';
import type { ResultColumn, ResultSource } from './result-source.ts';

/** The rows and bytes after which a result is not read further. */
export interface SourceLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

/**
 * Decodes the Arrow stream of a result, while it arrives. `types` are the names of the columns' types that the server
 * reports; without them, they follow from the stream.
 */
export class ArrowDecoder {
  readonly #splitter = new MessageSplitter();
  readonly #limits: SourceLimits;
  readonly #types: readonly TypeName[];
  readonly #batches: RowBatch[] = [];
  #schema: Uint8Array | null = null;
  #columns: readonly ResultColumn[] | null = null;
  #rows = 0;
  #bytes = 0;

  constructor(limits: SourceLimits, types: readonly TypeName[] = []) {
    this.#limits = limits;
    this.#types = types;
  }

  /** Whether a limit is reached: further rows would need too much memory. */
  get isFull(): boolean {
    return this.#rows >= this.#limits.maxRows || this.#bytes >= this.#limits.maxBytes;
  }

  /** Adds bytes of the stream. */
  push(bytes: Uint8Array): void {
    const messages = this.#splitter.push(bytes);
    if (messages.length === 0) return;
    this.#schema ??= messages[0] ?? null;
    if (this.#schema === null) return;
    const batches = messages.filter((message) => message !== this.#schema);
    this.#bytes += batches.reduce((sum, { length }) => sum + length, 0);
    this.#add(tableFromIPC([this.#schema, ...batches], { useBigInt: true, useDecimalInt: true }));
  }

  #add(table: Table): void {
    this.#columns ??= table.schema.fields.map((field, i) => {
      const valueType = toValueType(field);
      return { name: field.name, type: this.#types[i] ?? toTypeName(valueType), valueType };
    });
    const count = table.children[0]?.data.length ?? 0;
    for (let at = 0; at < count; at += 1) {
      const columns = table.children.flatMap(({ data }) => data[at] ?? []);
      const [start, end] = [this.#rows, this.#rows + (columns[0]?.length ?? 0)];
      this.#batches.push({ start, end, columns });
      this.#rows = end;
    }
  }

  /** The rows so far; null before the columns are known. */
  get source(): ResultSource | null {
    const columns = this.#columns;
    if (columns === null) return null;
    return createSource(columns, this.#batches.slice(), this.#rows, this.#splitter.isEnded);
  }
}

/** The bytes before the metadata of a message: a marker, and the length of the metadata. */
const PREFIX = 8;
/** The field of a message's metadata that contains the length of its body. */
const BODY_LENGTH = 3;

/** Splits an Arrow stream, which arrives in pieces of any size, into its messages. */
class MessageSplitter {
  #parts: Uint8Array[] = [];
  #length = 0;
  /** The bytes that are needed before anything can be split. */
  #needed = PREFIX;
  #isEnded = false;

  /** Whether the end of the stream was read. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Adds bytes of the stream; returns the messages that are complete, each with its prefix and its body. */
  push(bytes: Uint8Array): readonly Uint8Array[] {
    if (bytes.length > 0) this.#parts.push(bytes);
    this.#length += bytes.length;
    if (this.#length < this.#needed) return [];
    const all = this.#join();
    const messages: Uint8Array[] = [];
    let at = 0;
    for (;;) {
      const size = measureMessage(all.subarray(at));
      this.#needed = size.needed;
      this.#isEnded ||= size.isEnd;
      if (size.isEnd || !size.isKnown || at + size.needed > all.length) break;
      messages.push(all.subarray(at, at + size.needed));
      at += size.needed;
    }
    this.#parts = [all.subarray(at)];
    this.#length = all.length - at;
    return messages;
  }

  #join(): Uint8Array {
    const [first] = this.#parts;
    // A view of multiples of 8 bytes needs memory that starts at one.
    if (first !== undefined && this.#parts.length === 1 && first.byteOffset % 8 === 0) return first;
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

interface MessageSize {
  /** The bytes of the message, or those that are needed to know its size. */
  readonly needed: number;
  readonly isKnown: boolean;
  readonly isEnd: boolean;
}

function measureMessage(bytes: Uint8Array): MessageSize {
  if (bytes.length < PREFIX) return { needed: PREFIX, isKnown: false, isEnd: false };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== 0xffffffff) throw new Error('The rows arrived damaged.');
  const metadata = view.getUint32(4, true);
  if (metadata === 0) return { needed: PREFIX, isKnown: true, isEnd: true };
  if (bytes.length < PREFIX + metadata) return { needed: PREFIX + metadata, isKnown: false, isEnd: false };
  return { needed: PREFIX + metadata + readBodyLength(view), isKnown: true, isEnd: false };
}

/** Reads the length from the metadata after the prefix: a table, whose fields are found through its list of offsets. */
function readBodyLength(view: DataView): number {
  const table = PREFIX + view.getUint32(PREFIX, true);
  const offsets = table - view.getInt32(table, true);
  const entry = 4 + 2 * BODY_LENGTH;
  const field = entry < view.getUint16(offsets, true) ? view.getUint16(offsets + entry, true) : 0;
  return field === 0 ? 0 : Number(view.getBigInt64(table + field, true));
}
