import type { Chunk, ColumnType, FixedVector, Vector } from '../../result/columns/column.ts';
import { DatabaseError } from '../contract/connection.ts';

/** One column of some rows, as text in the server's messages; row `i` is `bytes[starts[i] .. + lengths[i]]`. */
export interface TextField {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  /** -1 for NULL. */
  readonly lengths: Int32Array;
  readonly rows: number;
  readonly validity: Uint8Array | null;
}

/** Decodes a column of text. */
export interface TextDecoder {
  readonly type: ColumnType;
  /** Throws an UnreadableError for text that is not of this type. */
  readonly decode: (field: TextField) => Vector;
}

/** The text of one value. */
export function readFieldText({ bytes, starts, lengths }: TextField, row: number): string {
  const { buffer, byteOffset } = bytes;
  return Buffer.from(buffer, byteOffset + starts[row]!, lengths[row]!).toString('utf8');
}

/** The error of a value that cannot be read; `problem` continues a sentence that begins with the column. */
export class UnreadableError extends DatabaseError {
  readonly problem: string;

  constructor(problem: string, column = 'A column') {
    super('late', `${column} ${problem}`);
    this.problem = problem;
  }
}

/** The error for a value that does not match its declared type. */
export function createUnreadable(text: string, what: string): UnreadableError {
  const excerpt = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return new UnreadableError(
    `has the value \`${excerpt}\`, which cannot be read as ${what}: cast it to text`,
  );
}

/** A decoder whose errors name the column. */
export function nameColumn(name: string, { type, decode }: TextDecoder): TextDecoder {
  const named = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw error instanceof UnreadableError
        ? new UnreadableError(error.problem, `The column "${name}"`)
        : error;
    }
  };
  return {
    type,
    decode(field) {
      const vector = named(() => decode(field));
      if (vector.kind !== 'nested') return vector;
      return {
        kind: 'nested',
        validity: vector.validity,
        get values() {
          return named(() => vector.values);
        },
        get texts() {
          return named(() => vector.texts);
        },
      };
    },
  };
}

/** Text, JSON and bytes that need no conversion. */
export function createTextDecoder(type: ColumnType): TextDecoder {
  return {
    type,
    decode: ({ bytes, starts, lengths, rows, validity }) => ({
      kind: 'bytes',
      validity,
      bytes,
      starts: starts.slice(0, rows),
      lengths: withoutNulls(lengths.slice(0, rows), validity),
    }),
  };
}

/** NULL has no bytes. */
function withoutNulls(lengths: Int32Array, validity: Uint8Array | null): Int32Array {
  if (validity === null) return lengths;
  for (let row = 0; row < lengths.length; row += 1) if (lengths[row]! < 0) lengths[row] = 0;
  return lengths;
}

type NumberArray = Int8Array | Int16Array | Int32Array | Float32Array | Float64Array | BigInt64Array;

/** Values of a fixed width; `read` parses the text of one value. */
export function createFixedDecoder<A extends NumberArray>(
  type: ColumnType,
  Values: new (rows: number) => A,
  read: (field: TextField, row: number) => A[number],
): TextDecoder {
  return {
    type,
    decode(field) {
      const values = new Values(field.rows);
      for (let row = 0; row < field.rows; row += 1) {
        if (field.lengths[row]! >= 0) values[row] = read(field, row);
      }
      return toFixed(values, field);
    },
  };
}

export function toFixed(values: NumberArray, { validity }: TextField): FixedVector {
  return { kind: 'fixed', validity, data: new Uint8Array(values.buffer) };
}

/** Maximum rows of a chunk. */
export const MAX_ROWS = 2048;
/** Maximum bytes of the rows of a chunk, after which it ends. */
export const MAX_BYTES = 4 * 1024 * 1024;

/** Positions of the values of some rows in the received bytes. */
export class RowPlaces {
  readonly #decoders: readonly TextDecoder[];
  /** Start of each value, by column and row; written by the row reader. */
  readonly starts: readonly Int32Array[];
  /** Length of each value; -1 for NULL, which `setNull` records. */
  readonly lengths: readonly Int32Array[];
  readonly #validity: (Uint8Array | null)[];

  constructor(decoders: readonly TextDecoder[]) {
    this.#decoders = decoders;
    this.starts = decoders.map(() => new Int32Array(MAX_ROWS));
    this.lengths = decoders.map(() => new Int32Array(MAX_ROWS));
    this.#validity = decoders.map(() => null);
  }

  setNull(column: number, row: number): void {
    this.#validity[column] ??= new Uint8Array(MAX_ROWS / 8).fill(0xff);
    this.#validity[column]![row >> 3]! &= ~(1 << (row & 7));
  }

  /** Forgets the NULLs of a row that is not complete. */
  forget(row: number): void {
    for (const validity of this.#validity) if (validity !== null) validity[row >> 3]! |= 1 << (row & 7);
  }

  /** Makes a chunk of the first `rows`, and starts the next one. */
  decode(buffer: Buffer, rows: number): Chunk {
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
    const vectors: readonly Vector[] = this.#decoders.map((decoder, column) => {
      const validity = this.#validity[column]!;
      this.#validity[column] = null;
      return decoder.decode({
        bytes,
        starts: this.starts[column]!,
        lengths: this.lengths[column]!,
        rows,
        validity,
      });
    });
    return { rows, vector: (column) => vectors[column]! };
  }
}
