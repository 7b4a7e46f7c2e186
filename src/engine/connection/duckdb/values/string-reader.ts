import type { StringRecords } from './decoder.ts';
import { READ_STRINGS_CODE } from './read-strings-code.ts';

/** What `read-strings.wat` exports. */
interface Compiled {
  readonly memory: WebAssembly.Memory;
  read(
    rows: number,
    records: number,
    validity: number,
    record: number,
    position: number,
    lengths: number,
    starts: number,
    runs: number,
    sums: number,
  ): number;
}

/** Bytes of a string record. */
export const RECORD = 16;
/** Records that are read at a time: those of a chunk. A list can contain more of them. */
const MAX_ROWS = 2048;
// Where the parts of some records are in the memory.
const RECORDS = 0;
const LENGTHS = RECORDS + MAX_ROWS * RECORD;
const STARTS = LENGTHS + MAX_ROWS * 4;
const RUNS = STARTS + MAX_ROWS * 4;
const SUMS = RUNS + MAX_ROWS * 8;
const VALIDITY = SUMS + 16;

/** Reads string records by compiled code, in memory that each call overwrites. */
class StringReader {
  readonly #read: Compiled['read'];
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #sums: Float64Array;

  constructor() {
    const code = new WebAssembly.Module(Buffer.from(READ_STRINGS_CODE, 'base64'));
    const { memory, read } = new WebAssembly.Instance(code).exports as unknown as Compiled;
    this.#read = read;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
    this.#sums = new Float64Array(memory.buffer, SUMS, 2);
  }

  /** Reads all records of some rows. */
  read(records: Uint8Array, validity: Uint8Array | null): StringRecords {
    const rows = records.length / RECORD;
    const lengths = new Int32Array(rows);
    const starts = new Int32Array(rows);
    const runs: Int32Array[] = [];
    let [total, end] = [0, records.length];
    for (let from = 0; from < rows; from += MAX_ROWS) {
      const to = Math.min(from + MAX_ROWS, rows);
      this.#bytes.set(records.subarray(from * RECORD, to * RECORD), RECORDS);
      if (validity !== null) this.#bytes.set(validity.subarray(from >> 3, (to + 7) >> 3), VALIDITY);
      const mask = validity === null ? 0 : VALIDITY;
      const count = this.#read(to - from, RECORDS, mask, from, end, LENGTHS, STARTS, RUNS, SUMS);
      lengths.set(this.#words.subarray(LENGTHS / 4, LENGTHS / 4 + to - from), from);
      starts.set(this.#words.subarray(STARTS / 4, STARTS / 4 + to - from), from);
      if (count > 0) runs.push(this.#words.slice(RUNS / 4, RUNS / 4 + count * 2));
      total += this.#sums[0]!;
      end = this.#sums[1]!;
    }
    return { records, validity, lengths, starts, runs, end, total };
  }
}

let reader: StringReader | null = null;

/** The reader of this thread; compiled at the first call. */
export function loadStringReader(): StringReader {
  reader ??= new StringReader();
  return reader;
}
