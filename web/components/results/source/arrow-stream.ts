/** The bytes before the metadata of a message: a marker, and the length of the metadata. */
const PREFIX = 8;
/** The field of a message's metadata that contains the length of its body. */
const BODY_LENGTH = 3;

/** Splits an Arrow stream, which arrives in pieces of any size, into its messages. */
export class MessageSplitter {
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
