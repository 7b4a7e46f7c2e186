import type { ResultSource } from '../source/result-source.ts';
import type { SortKey } from './sort-keys.ts';

/** A value and the number of its rows. */
export interface ValueCount {
  readonly text: string;
  readonly count: number;
}

/** The maximum different values to count, and the UTF-16 units of their texts. */
const MAX_DISTINCT = 100_000;
const MAX_TEXT = 16 * 1024 * 1024;
const MAX_TOP = 6;
/** The UTF-16 units of a value to show. */
export const MAX_SHOWN = 200;

/** Counts different values up to a limit. */
export class ValueCounter {
  readonly #counts = new Map<SortKey, { readonly row: number; count: number }>();
  #text = 0;
  #isOver = false;

  get distinct(): number | null {
    return this.#isOver ? null : this.#counts.size;
  }

  add(key: SortKey, row: number): void {
    if (this.#isOver) return;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    this.#counts.set(key, { row, count: 1 });
    if (typeof key === 'string') this.#text += key.length;
    this.#isOver = this.#counts.size > MAX_DISTINCT || this.#text > MAX_TEXT;
    if (this.#isOver) this.#counts.clear();
  }

  /** The values that occur most often; none if all values are different. */
  listTop(source: ResultSource, column: number): readonly ValueCount[] {
    const sorted = [...this.#counts.values()].toSorted((one, other) => other.count - one.count);
    if ((sorted[0]?.count ?? 0) < 2) return [];
    return sorted.slice(0, MAX_TOP).map(({ row, count }) => ({
      text: source.getText(row, column, MAX_SHOWN) ?? '',
      count,
    }));
  }
}
