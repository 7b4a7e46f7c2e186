/** The records of some rows, and each one's length in bytes; NULL has none. */
export interface StringRecords {
  readonly records: Uint8Array;
  readonly words: Uint32Array;
  readonly validity: Uint8Array | null;
  readonly lengths: Int32Array;
  /** The sum of the lengths, which may be beyond 32 bits each. */
  readonly total: number;
}
