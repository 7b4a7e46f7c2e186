import type { ResultSource } from '../source/result-source.ts';
import { forEachIndex, type Pace } from './pace.ts';
import { orderNumbers } from './radix.ts';
import { readTexts } from './read-texts.ts';
import { compareKeys, createKeyReader, createNestedReader, type OrderKey } from './sort-keys.ts';
import { orderTexts } from './sort-texts.ts';

/** The order of the rows by one column. */
export interface RowOrder {
  readonly column: number;
  readonly isDescending: boolean;
}

/** The rows that are sorted at once, before they are merged. */
const RUN = 2_048;

/** Sorts rows by a column; equal ones stay in their order, and NULL is last in both directions. */
export async function sortRows(
  source: ResultSource,
  rows: Uint32Array,
  { column, isDescending }: RowOrder,
  pace: Pace,
): Promise<Uint32Array> {
  // In the opposite order of rows, equal ones are in their order again when the result is turned.
  const given = isDescending ? rows.toReversed() : rows;
  const { present, absent, order } =
    orderTextRows(source, given, column) ?? (await orderKeys(source, given, column, pace));
  const sorted = new Uint32Array(rows.length);
  order.forEach((position, at) => {
    sorted[isDescending ? order.length - 1 - at : at] = present[position] ?? 0;
  });
  sorted.set(isDescending ? absent.toReversed() : absent, order.length);
  return sorted;
}

/** The rows with a value, their order, and the rows that are NULL. */
interface OrderedRows {
  readonly present: ArrayLike<number>;
  readonly absent: Uint32Array;
  readonly order: Uint32Array;
}

function orderTextRows(source: ResultSource, rows: Uint32Array, column: number): OrderedRows | null {
  const texts = readTexts(source, rows, column);
  return texts === null ? null : { ...texts, order: orderTexts(texts) };
}

async function orderKeys(
  source: ResultSource,
  rows: Uint32Array,
  column: number,
  pace: Pace,
): Promise<OrderedRows> {
  const read = createNestedReader(source, column) ?? createKeyReader(source, column);
  const keys: OrderKey[] = [];
  const [present, absent]: [number[], number[]] = [[], []];
  await forEachIndex(rows.length, pace, (at) => {
    const row = rows[at] ?? 0;
    const key = read(row);
    if (key === null) {
      absent.push(row);
    } else {
      keys.push(key);
      present.push(row);
    }
  });
  const numbers = toNumbers(keys);
  const order =
    numbers === null
      ? await sortPositions(keys.length, (one, other) => compareKeys(keys[one] ?? 0, keys[other] ?? 0), pace)
      : orderNumbers(numbers);
  return { present, absent: Uint32Array.from(absent), order };
}

/** Compares the keys at two positions. */
type Compare = (one: number, other: number) => number;

/** Keys that are all numbers that a double holds; null if one is something else. */
function toNumbers(keys: readonly OrderKey[]): Float64Array | null {
  const numbers = new Float64Array(keys.length);
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at];
    const number = typeof key === 'bigint' ? toSafeNumber(key) : key;
    if (typeof number !== 'number') return null;
    numbers[at] = number;
  }
  return numbers;
}

function toSafeNumber(key: bigint): number | null {
  const number = Number(key);
  return Number.isSafeInteger(number) ? number : null;
}

/** Sorts the numbers below `count`: short runs first, which are then merged in pairs. */
async function sortPositions(count: number, compare: Compare, pace: Pace): Promise<Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, i) => i);
  let to = new Uint32Array(count);
  for (let start = 0; start < count; start += RUN) {
    from.subarray(start, start + RUN).sort(compare);
    const turn = pace();
    if (turn !== undefined) await turn;
  }
  for (let width = RUN; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      await mergeRuns(from, to, { start, middle: start + width, end: start + 2 * width }, compare, pace);
    }
    [from, to] = [to, from];
  }
  return from;
}

interface Runs {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

async function mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  { start, middle, end }: Runs,
  compare: Compare,
  pace: Pace,
): Promise<void> {
  const last = Math.min(end, from.length);
  const turn = Math.min(middle, from.length);
  let [left, right] = [start, turn];
  await forEachIndex(last - start, pace, (i) => {
    const one = from[left] ?? 0;
    const other = from[right] ?? 0;
    const takesLeft = right >= last || (left < turn && compare(one, other) <= 0);
    to[start + i] = takesLeft ? one : other;
    if (takesLeft) left += 1;
    else right += 1;
  });
}
