import { free, join } from './blocks.ts';
import type { Rows } from './page.ts';

const NO_ROWS: Rows = { bytes: Buffer.alloc(0), start: 0, end: 0 };
/** A byte behind rows, which their reader may look at: a read behind all bytes makes compiled code slow permanently. */
const BEHIND = Buffer.alloc(1);

/** The start of a row that ends in later rows. */
export class RowStart {
  /** The start, and the rows behind it that do not suffice. */
  #kept: Rows[] = [];
  #size = 0;
  /** Bytes that make another attempt to read the row worthwhile: a long row is read a few times only. */
  #wanted = 0;

  /** Copies the start of a row. */
  keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#kept = [{ bytes: Buffer.from(bytes), start: 0, end: bytes.length }];
    this.#size = bytes.length;
    this.#wanted = 2 * bytes.length;
  }

  /** Puts the kept start before rows; returns none while they are too few for another attempt. */
  prepend(rows: Rows): Rows {
    const { start, end, isPartial = false } = rows;
    if (this.#kept.length === 0 && !isPartial) return rows;
    this.#kept.push(rows);
    this.#size += end - start;
    if (isPartial && this.#size < this.#wanted) return NO_ROWS;
    const bytes = join([...this.#kept.map((part) => part.bytes.subarray(part.start, part.end)), BEHIND]);
    for (const part of this.#kept) part.free?.();
    this.#kept = [];
    this.#size = 0;
    this.#wanted = 0;
    return { bytes, start: 0, end: bytes.length - 1, isPartial, free: () => free(bytes) };
  }
}
