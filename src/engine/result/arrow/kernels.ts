import type { BytesVector } from '../columns/column.ts';
import { KERNELS_CODE } from './kernels-code.ts';

/** What `kernels.wat` exports. */
interface Compiled {
  readonly memory: WebAssembly.Memory;
  copyStrings(
    rows: number,
    starts: number,
    lengths: number,
    bytes: number,
    validity: number,
    bit: number,
    first: number,
    offsets: number,
    target: number,
  ): number;
  widen(rows: number, source: number, target: number): void;
}

/** Bytes of memory for the values of some rows; larger values are rarely worth two more copies. */
const MAX_BYTES = 512 * 1024;
/** Bytes that the code uses beyond a value. */
const BEYOND = 16;
const MAX_ROWS = 2048;
// Where the parts of some rows are in the memory.
const STARTS = 0;
const LENGTHS = STARTS + MAX_ROWS * 4;
const OFFSETS = LENGTHS + MAX_ROWS * 4;
const VALIDITY = OFFSETS + (MAX_ROWS + 1) * 4;
const BYTES = 32 * 1024;
const TARGET = BYTES + MAX_BYTES + BEYOND;

/** Compiled loops over the values of some rows, in memory that each call overwrites. */
class Kernels {
  readonly #compiled: Compiled;
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;

  constructor() {
    const code = new WebAssembly.Module(Buffer.from(KERNELS_CODE, 'base64'));
    this.#compiled = new WebAssembly.Instance(code).exports as unknown as Compiled;
    this.#bytes = new Uint8Array(this.#compiled.memory.buffer);
    this.#words = new Int32Array(this.#compiled.memory.buffer);
  }

  /**
   * Appends the values of the rows from `from` to before `to`, of a vector that `fits`, to the first `size` bytes of
   * `values`. Writes the start of each value and the end of the last one to `offsets`, and returns that end.
   */
  copyStrings(
    vector: BytesVector,
    from: number,
    to: number,
    values: Uint8Array,
    size: number,
    offsets: Int32Array,
  ): number {
    const { starts, lengths, validity, parts } = vector;
    const rows = to - from;
    this.#words.set(starts.subarray(from, to), STARTS / 4);
    this.#words.set(lengths.subarray(from, to), LENGTHS / 4);
    if (parts === undefined) this.#bytes.set(vector.bytes, BYTES);
    else parts.copy(this.#bytes, BYTES);
    if (validity !== null) this.#bytes.set(validity.subarray(0, (to + 7) >> 3), VALIDITY);
    const mask = validity === null ? 0 : VALIDITY;
    const end = this.#compiled.copyStrings(rows, STARTS, LENGTHS, BYTES, mask, from, size, OFFSETS, TARGET);
    offsets.set(this.#words.subarray(OFFSETS / 4, OFFSETS / 4 + rows + 1));
    values.set(this.#bytes.subarray(TARGET, TARGET + end - size), size);
    return end;
  }

  /** Writes 64-bit integers as 128-bit integers from byte `at` of `target` on. */
  widen(values: Uint8Array, target: Uint8Array, at: number): void {
    for (let from = 0; from < values.length; from += MAX_ROWS * 8) {
      const some = values.subarray(from, from + MAX_ROWS * 8);
      this.#bytes.set(some, BYTES);
      this.#compiled.widen(some.length / 8, BYTES, TARGET);
      target.set(this.#bytes.subarray(TARGET, TARGET + some.length * 2), at + from * 2);
    }
  }
}

let kernels: Kernels | null = null;

/** The kernels of this thread, compiled at the first call. */
export function loadKernels(): Kernels {
  kernels ??= new Kernels();
  return kernels;
}

/** Whether `copyStrings` can copy all rows of a vector. */
export function fits(vector: BytesVector): boolean {
  const { total = Number.POSITIVE_INFINITY, lengths, parts } = vector;
  if (total > MAX_BYTES || lengths.length > MAX_ROWS) return false;
  return (parts ?? vector.bytes).length <= MAX_BYTES;
}
