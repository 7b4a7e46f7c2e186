/** The bits of a pass, and the different values of such a part. */
const [PASS, BUCKETS] = [13, 1 << 13];

/** Sort keys of two halves: `high` decides, then `low`. Only the lowest `bits` of each are used. */
interface Halves {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly bits: number;
}

/** The places of keys in their order; equal keys stay in their order. */
export function orderHalves({ high, low, bits }: Halves): Uint32Array {
  let from = Uint32Array.from({ length: high.length }, (_, i) => i);
  let to = new Uint32Array(high.length);
  for (const half of [low, high]) {
    for (let shift = 0; shift < bits; shift += PASS) {
      if (distribute(half, shift, from, to)) [from, to] = [to, from];
    }
  }
  return from;
}

/** Moves places into the order of one part of their keys; false if all keys have the same part. */
function distribute(half: Uint32Array, shift: number, from: Uint32Array, to: Uint32Array): boolean {
  const counts = new Uint32Array(BUCKETS);
  for (let i = 0; i < half.length; i += 1) {
    const bucket = ((half[i] ?? 0) >>> shift) & (BUCKETS - 1);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  if (counts.includes(half.length)) return false;
  let start = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const count = counts[bucket] ?? 0;
    counts[bucket] = start;
    start += count;
  }
  for (let i = 0; i < from.length; i += 1) {
    const place = from[i] ?? 0;
    const bucket = ((half[place] ?? 0) >>> shift) & (BUCKETS - 1);
    const at = counts[bucket] ?? 0;
    to[at] = place;
    counts[bucket] = at + 1;
  }
  return true;
}

/** The places of numbers in their order, NaN last; equal numbers stay in their order. */
export function orderNumbers(numbers: Float64Array): Uint32Array {
  const { length } = numbers;
  const [high, low] = [new Uint32Array(length), new Uint32Array(length)];
  const view = new DataView(new ArrayBuffer(8));
  for (let i = 0; i < length; i += 1) {
    const number = numbers[i] ?? 0;
    // Both zeros are equal, and so are all NaN.
    view.setFloat64(0, Number.isNaN(number) ? Number.NaN : number + 0);
    const [first, second] = [view.getInt32(0), view.getInt32(4)];
    // The bits of negative numbers are in the opposite order.
    high[i] = first < 0 ? ~first : first ^ 0x80000000;
    low[i] = first < 0 ? ~second : second;
  }
  return orderHalves({ high, low, bits: 32 });
}
