import duckdb from '@duckdb/node-bindings';

/**
 * A private copy of the values of rows `from` to before `to`, each `width` bytes. The memory behind a vector
 * ends with its chunk's last row, so `to` may not be beyond it.
 */
export function readData(vector: duckdb.Vector, width: number, from: number, to: number): Uint8Array {
  return duckdb.vector_get_data(vector, to * width).subarray(from * width);
}

/** A private copy of the validity of these rows, from bit 0 on; null when all of them hold values. */
export function readValidity(vector: duckdb.Vector, from: number, to: number): Uint8Array | null {
  const mask = duckdb.vector_get_validity(vector, ((to + 63) >> 6) << 3) as Uint8Array | null;
  if (mask === null || from === 0) return mask;
  return shiftBits(mask, from, to - from);
}

/** Takes `count` bits from bit `from` on. */
function shiftBits(bits: Uint8Array, from: number, count: number): Uint8Array {
  const shifted = new Uint8Array((count + 7) >> 3);
  const shift = from & 7;
  for (let i = 0; i < shifted.length; i += 1) {
    const at = (from >> 3) + i;
    shifted[i] = (bits[at]! >> shift) | ((bits[at + 1] ?? 0) << (8 - shift));
  }
  return shifted;
}
