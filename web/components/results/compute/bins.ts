/** A bar of a histogram: the values from `from` to below `to` (the last one: to `to`), or one value. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Counts numbers by bars of the same width; the first bar begins at `start`. */
export class BinCounter {
  readonly #start: number;
  readonly #width: number;
  readonly #counts: number[];

  /** With the width 0, all numbers are in the only bar. */
  constructor(start: number, width: number, bars: number) {
    this.#start = start;
    this.#width = width;
    this.#counts = new Array<number>(bars).fill(0);
  }

  /** Counts a number; numbers beyond the ends, because of rounding, are in the first or the last bar. */
  add(value: number): void {
    const bar = this.#width === 0 ? 0 : Math.floor((value - this.#start) / this.#width);
    const at = Math.min(this.#counts.length - 1, Math.max(0, bar));
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  list(): readonly Bin[] {
    return this.#counts.map((count, at) => ({
      from: this.#start + at * this.#width,
      to: this.#start + (at + 1) * this.#width,
      count,
    }));
  }
}

/** Whether a value has a place in a histogram. */
export function isPlaced(value: number | null): value is number {
  return value !== null && Number.isFinite(value);
}
