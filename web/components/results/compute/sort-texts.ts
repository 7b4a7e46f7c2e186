import { orderHalves } from './radix.ts';
import type { TextBytes } from './read-texts.ts';

/** The texts up to which comparisons are faster than keys. */
const FEW = 48;
/** The bits of half a key, and the bytes of a text that a key has at most. */
const [HALF, WINDOW] = [26, 16];

/** The places of texts in the order of their bytes; equal texts stay in their order. */
export function orderTexts(texts: TextBytes): Uint32Array {
  const places = Uint32Array.from({ length: texts.offsets.length - 1 }, (_, i) => i);
  orderRange(texts, places, 0);
  return places;
}

/** Orders places whose texts have the same first `depth` bytes. */
function orderRange(texts: TextBytes, places: Uint32Array, depth: number): void {
  if (places.length <= FEW) {
    places.sort((one, other) => compareFrom(texts, one, other, depth) || one - other);
    return;
  }
  const start = findDifference(texts, places, depth);
  const { high, low, width } = packKeys(texts, places, start);
  // All texts end here.
  if (width === 0) return;
  const order = orderHalves({ high, low, bits: HALF });
  const before = places.slice();
  for (let at = 0; at < order.length; at += 1) places[at] = before[order[at] ?? 0] ?? 0;
  for (let from = 0; from < order.length; ) {
    const first = order[from] ?? 0;
    let to = from + 1;
    while (to < order.length && isSame(high, low, first, order[to] ?? 0)) to += 1;
    if (to - from > 1 && isLonger(texts, places, from, to, start + width))
      orderRange(texts, places.subarray(from, to), start + width);
    from = to;
  }
}

function isSame(high: Uint32Array, low: Uint32Array, one: number, other: number): boolean {
  return high[one] === high[other] && low[one] === low[other];
}

function isLonger(texts: TextBytes, places: Uint32Array, from: number, to: number, depth: number): boolean {
  for (let at = from; at < to; at += 1) if (lengthOf(texts, places[at] ?? 0) > depth) return true;
  return false;
}

function lengthOf({ offsets }: TextBytes, place: number): number {
  return (offsets[place + 1] ?? 0) - (offsets[place] ?? 0);
}

function compareFrom(texts: TextBytes, one: number, other: number, depth: number): number {
  const { bytes, offsets } = texts;
  const [left, right] = [offsets[one] ?? 0, offsets[other] ?? 0];
  const [length, otherLength] = [lengthOf(texts, one), lengthOf(texts, other)];
  for (let at = depth; at < length && at < otherLength; at += 1) {
    const difference = (bytes[left + at] ?? 0) - (bytes[right + at] ?? 0);
    if (difference !== 0) return difference;
  }
  return length - otherLength;
}

/** The number of first bytes that all texts have in common. */
function findDifference(texts: TextBytes, places: Uint32Array, depth: number): number {
  const { bytes, offsets } = texts;
  const first = offsets[places[0] ?? 0] ?? 0;
  let common = lengthOf(texts, places[0] ?? 0);
  for (const place of places) {
    const start = offsets[place] ?? 0;
    common = Math.min(common, lengthOf(texts, place));
    let at = depth;
    while (at < common && bytes[start + at] === bytes[first + at]) at += 1;
    common = at;
  }
  return common;
}

interface Keys {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** The bytes of each text that are in its key. */
  readonly width: number;
}

/** Packs as many bytes after `start` as fit: those that occur have numbers in few bits, and the end of a text is 0. */
function packKeys(texts: TextBytes, places: Uint32Array, start: number): Keys {
  const { bytes, offsets } = texts;
  const numbers = numberBytes(texts, places, start);
  const most = numbers.reduce((highest, number) => Math.max(highest, number), 0);
  const bits = most === 0 ? 0 : 32 - Math.clz32(most);
  const each = bits === 0 ? 0 : Math.min(WINDOW / 2, Math.floor(HALF / bits));
  const [high, low] = [new Uint32Array(places.length), new Uint32Array(places.length)];
  for (let i = 0; i < places.length; i += 1) {
    const place = places[i] ?? 0;
    const end = offsets[place + 1] ?? 0;
    const at = (offsets[place] ?? 0) + start;
    high[i] = packBytes(bytes, numbers, bits, at, Math.min(end, at + each), each);
    low[i] = packBytes(bytes, numbers, bits, at + each, Math.min(end, at + 2 * each), each);
  }
  return { high, low, width: 2 * each };
}

/** Packs the numbers of at most `each` bytes, from `from` to `end`, into one number. */
function packBytes(
  bytes: Uint8Array,
  numbers: Uint16Array,
  bits: number,
  from: number,
  end: number,
  each: number,
): number {
  let key = 0;
  for (let at = from; at < end; at += 1) key = (key << bits) | (numbers[bytes[at] ?? 0] ?? 0);
  return key << (bits * (each - Math.max(0, end - from)));
}

/** Numbers the bytes that occur after `start`, in their order, from 1. */
function numberBytes(texts: TextBytes, places: Uint32Array, start: number): Uint16Array {
  const { bytes, offsets } = texts;
  const numbers = new Uint16Array(256);
  for (const place of places) {
    const from = (offsets[place] ?? 0) + start;
    const end = Math.min(offsets[place + 1] ?? 0, from + WINDOW);
    for (let at = from; at < end; at += 1) numbers[bytes[at] ?? 0] = 1;
  }
  let last = 0;
  for (let byte = 0; byte < numbers.length; byte += 1) {
    if (numbers[byte] !== 1) continue;
    last += 1;
    numbers[byte] = last;
  }
  return numbers;
}
