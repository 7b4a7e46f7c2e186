import { elementAt, present } from '../../../invariants/must.ts';
import type { Span } from '../../text/span.ts';

const FIRST_ROOM = 64;
/** Numbers for each region: the start and end of its value, and those of the original `$name`. */
const WIDTH = 4;
/** Number of pieces after which they are joined, so that they do not need much more memory than their content. */
const MAX_PIECES = 4096;

/** The value of a parameter in the rendered source, which replaces `original`. */
export interface Region extends Span {
  readonly original: Span;
}

/** The positions of the replaced parameters of one source, ascending; includes empty values. */
export class Regions {
  #numbers = new Uint32Array(0);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Adds the next region: its value has `length` units from `start`, and replaces `original`. */
  add(start: number, length: number, original: Span): void {
    const at = this.#count * WIDTH;
    if (at === this.#numbers.length) {
      const grown = new Uint32Array(Math.max(FIRST_ROOM * WIDTH, at * 2));
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers.set([start, start + length, original.start, original.end], at);
    this.#count += 1;
  }

  /** The original span of the parameter value at `at`; null if the character is not part of a value. */
  find(at: number): Span | null {
    const next = this.#countEnded(at) * WIDTH;
    if (next === this.#count * WIDTH || elementAt(this.#numbers, next) > at) return null;
    return { start: elementAt(this.#numbers, next + 2), end: elementAt(this.#numbers, next + 3) };
  }

  /** The first value that starts at or after `at`, or only after it; null for none. */
  next(at: number, isAfter: boolean): Region | null {
    const next = this.#countUpTo(isAfter ? at : at - 1, 0) * WIDTH;
    if (next === this.#count * WIDTH) return null;
    const [start, end, first, last] = [0, 1, 2, 3].map((column) => elementAt(this.#numbers, next + column));
    return {
      start: present(start),
      end: present(end),
      original: { start: present(first), end: present(last) },
    };
  }

  /** The original offset of a character that is not part of a value. */
  toOriginal(at: number): number {
    const before = (this.#countEnded(at) - 1) * WIDTH;
    return before < 0 ? at : elementAt(this.#numbers, before + 3) + at - elementAt(this.#numbers, before + 1);
  }

  /** Whether a parameter at the original offset `at` was replaced. */
  hasOriginal(at: number): boolean {
    const next = this.#countUpTo(at, 3) * WIDTH;
    return next < this.#count * WIDTH && elementAt(this.#numbers, next + 2) <= at;
  }

  /** The number of values that end at or before `at`. */
  #countEnded(at: number): number {
    return this.#countUpTo(at, 1);
  }

  /** The number of regions whose number in a column is at most `at`. */
  #countUpTo(at: number, column: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (elementAt(this.#numbers, middle * WIDTH + column) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Builds a string from many small pieces. */
export class Pieces {
  readonly #joined: string[] = [];
  #waiting: string[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: string): void {
    this.#length += piece.length;
    this.#waiting.push(piece);
    if (this.#waiting.length >= MAX_PIECES) this.#flush();
  }

  join(): string {
    this.#flush();
    return this.#joined.join('');
  }

  #flush(): void {
    this.#joined.push(this.#waiting.join(''));
    this.#waiting = [];
  }
}
