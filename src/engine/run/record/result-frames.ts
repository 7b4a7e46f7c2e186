import type { Column } from '../../result/columns/column.ts';

/** A statement as its author sees it. */
export interface RecordedStatement {
  /** The start of its text. */
  readonly text: string;
  /** What its comment, or else its block, calls it; null without both. */
  readonly title: string | null;
  /** Its position in the author's source, 1-based; null if it is not known. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

/** `rows` is a result set; `count` a number of changed rows; `none` a statement without a result. */
export type ResultKind = 'rows' | 'count' | 'none';

/**
 * The start of a frame. The frames of one execution are, for each recorded statement: `begin`; for a result set
 * `columns`, whose body is the schema of an Arrow stream, `batch` frames, whose bodies are its record batches, and before
 * them `texts` frames, whose bodies are record batches with the texts of nested columns; and `end`, which a failed
 * statement does not have. `omitted` counts the statements that ran and are not recorded. Times
 * are in ISO 8601.
 */
export type FrameHead =
  | { readonly kind: 'begin'; readonly statement: RecordedStatement; readonly startedAt: string }
  | { readonly kind: 'columns'; readonly columns: readonly Column[] }
  | { readonly kind: 'texts'; readonly rows: number }
  /** `rangeError` says why one of its values is outside the range of its Arrow type. */
  | { readonly kind: 'batch'; readonly rows: number; readonly rangeError: string | null }
  | {
      readonly kind: 'end';
      readonly result: ResultKind;
      /** Changed rows; null unless `result` is `count`. */
      readonly changed: number | null;
      readonly isTruncated: boolean;
      readonly endedAt: string;
    }
  | { readonly kind: 'omitted'; readonly count: number };

/** The length of the head in 4 bytes, and that of the body in 6. */
const PREFIX_BYTES = 10;
const BODY_BYTES = 6;

/** Prints the start of a frame; a body of `bodyBytes` bytes must follow it. */
export function printFrameHead(head: FrameHead, bodyBytes = 0): Uint8Array {
  const text = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(text.length, 0);
  prefix.writeUIntBE(bodyBytes, 4, BODY_BYTES);
  return Buffer.concat([prefix, text]);
}

/** A part of a frame: its head with the length of its body, or the next bytes of the body. */
export type FramePart =
  | { readonly kind: 'head'; readonly head: FrameHead; readonly bodyBytes: number }
  | { readonly kind: 'body'; readonly bytes: Uint8Array; readonly isLast: boolean };

/** Parses frames from bytes that are cut anywhere. Bodies are passed on as they arrive. */
export class FrameReader {
  /** The bytes of an incomplete prefix and head. */
  #start: Buffer = Buffer.alloc(0);
  /** Bytes of the current body that are still to come. */
  #remainingBytes = 0;

  *read(bytes: Uint8Array): Generator<FramePart, void> {
    for (let remaining = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length); remaining.length > 0; ) {
      if (this.#remainingBytes > 0) {
        const part = remaining.subarray(0, this.#remainingBytes);
        remaining = remaining.subarray(part.length);
        this.#remainingBytes -= part.length;
        yield { kind: 'body', bytes: part, isLast: this.#remainingBytes === 0 };
        continue;
      }
      const prefixLength = this.#findWanted();
      const part = remaining.subarray(0, prefixLength - this.#start.length);
      remaining = remaining.subarray(part.length);
      this.#start = Buffer.concat([this.#start, part]);
      if (this.#start.length < PREFIX_BYTES || this.#start.length < this.#findWanted()) continue;
      const head: FrameHead = JSON.parse(this.#start.toString('utf8', PREFIX_BYTES));
      this.#remainingBytes = this.#start.readUIntBE(4, BODY_BYTES);
      this.#start = Buffer.alloc(0);
      yield { kind: 'head', head, bodyBytes: this.#remainingBytes };
    }
  }

  /** The length of the prefix, with the head as soon as its length is known. */
  #findWanted(): number {
    if (this.#start.length < PREFIX_BYTES) return PREFIX_BYTES;
    return PREFIX_BYTES + this.#start.readUInt32BE(0);
  }
}
