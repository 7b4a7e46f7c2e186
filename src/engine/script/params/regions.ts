import { elementAt } from '../../../invariants/must.ts';
import type { Span } from '../../text/span.ts';

const FIRST_ROOM = 64;
/** Numbers for each region: where its value begins and ends, and where the author's `$name` does. */
const WIDTH = 4;
/** Pieces are joined when there are so many, so that they never take much more memory than their text. */
const MAX_PIECES = 4096;

/** Where parameters were replaced in one text; ascending, and empty values included. */
export class Regions {
  #numbers = new Uint32Array(0);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Adds the next one: its value of `length` units begins at `start`, and the author wrote `original`. */
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

  /** What the author wrote for the value that the character at `at` is part of; null where it is none. */
  find(at: number): Span | null {
    const next = this.#countEnded(at) * WIDTH;
    if (next === this.#count * WIDTH || elementAt(this.#numbers, next) > at) return null;
    return { start: elementAt(this.#numbers, next + 2), end: elementAt(this.#numbers, next + 3) };
  }

  /** Where the author wrote a character that is part of no value. */
  toOriginal(at: number): number {
    const before = (this.#countEnded(at) - 1) * WIDTH;
    return before < 0 ? at : elementAt(this.#numbers, before + 3) + at - elementAt(this.#numbers, before + 1);
  }

  /** Whether what the author wrote at `at` was replaced. */
  hasOriginal(at: number): boolean {
    const next = this.#countUpTo(at, 3) * WIDTH;
    return next < this.#count * WIDTH && elementAt(this.#numbers, next + 2) <= at;
  }

  /** How many values end at or before `at`. */
  #countEnded(at: number): number {
    return this.#countUpTo(at, 1);
  }

  /** How many regions have a number of at most `at` in one of their columns. */
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

/** A text that is put together of many small ones. */
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
