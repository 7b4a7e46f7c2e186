import type { ColumnType, ColumnValue, NestedVector } from '../columns/column.ts';
import { type BatchBody, GrowingBuffer } from './batch-body.ts';
import { ArrowLimitError, type ColumnWriter, fitStep, MAX_OFFSET, OFFSET } from './column-writer.ts';
import { toVector } from './to-vector.ts';
import { Validity } from './validity.ts';

/** One part of nested values, such as the elements of lists: its type and its writer. */
export interface TypedWriter {
  readonly type: ColumnType;
  readonly writer: ColumnWriter;
}

/** A row of a nested column: its parts in order, or its elements. */
type Row = readonly ColumnValue[] | null;

/** Writes structs: one value of each field in every row; all fields of a NULL row are NULL. */
export function createStructWriter(fields: readonly TypedWriter[]): ColumnWriter {
  return createNestedWriter(fields, null, (rows) =>
    fields.map((_, field) => rows.map((row) => row?.[field] ?? null)),
  );
}

/** Writes lists of `size` elements; all elements of a NULL row are NULL. */
export function createArrayWriter(element: TypedWriter, size: number): ColumnWriter {
  const nulls: Row = Array.from({ length: size }, () => null);
  return createNestedWriter([element], null, (rows) => [rows.flatMap((row) => row ?? nulls)]);
}

/** Writes lists of any length, and maps as lists of pairs. */
export function createListWriter(element: TypedWriter, column: string): ColumnWriter {
  return createNestedWriter([element], new ListOffsets(column), (rows) => [rows.flatMap((row) => row ?? [])]);
}

/** `split` converts rows to the values of each part. */
function createNestedWriter(
  parts: readonly TypedWriter[],
  offsets: ListOffsets | null,
  split: (rows: readonly Row[]) => readonly (readonly ColumnValue[])[],
): ColumnWriter {
  const validity = new Validity();
  return {
    get bytes() {
      return parts.reduce((sum, { writer }) => sum + writer.bytes, offsets?.bytes ?? 0);
    },
    fit: fitStep,
    append(vector, from, to) {
      const rows = (vector as NestedVector).values.slice(from, to) as readonly Row[];
      validity.append(vector.validity, from, to - from);
      offsets?.append(rows);
      split(rows).forEach((values, i) => {
        const { type, writer } = parts[i]!;
        writer.append(toVector(type, values), 0, values.length);
      });
    },
    take(body) {
      validity.take(body);
      offsets?.take(body);
      for (const { writer } of parts) writer.take(body);
    },
  };
}

/** The start of each list's elements among all elements. */
class ListOffsets {
  readonly #column: string;
  readonly #offsets = new GrowingBuffer();
  #rows = 0;
  #elements = 0;

  constructor(column: string) {
    this.#column = column;
  }

  get bytes(): number {
    return this.#rows * OFFSET;
  }

  append(rows: readonly Row[]): void {
    const end = this.#rows + rows.length + 1;
    const memory = this.#offsets.reserve((this.#rows + 1) * OFFSET, end * OFFSET);
    const offsets = new Int32Array(memory.buffer, memory.byteOffset, end);
    offsets[0] = 0;
    for (const row of rows) {
      this.#elements += row?.length ?? 0;
      this.#rows += 1;
      offsets[this.#rows] = this.#elements;
    }
    if (this.#elements > MAX_OFFSET) throw new ArrowLimitError(this.#column, 'its lists are too long.');
  }

  take(body: BatchBody): void {
    this.#offsets.take(body, (this.#rows + 1) * OFFSET);
    this.#rows = 0;
    this.#elements = 0;
  }
}
