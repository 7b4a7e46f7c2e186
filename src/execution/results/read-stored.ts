import { type FileHandle, open } from 'node:fs/promises';
import { PREFIX_BYTES } from '../../engine/result/arrow/message.ts';
import { createNestedTexts, isNested } from '../../engine/result/arrow/nested-texts.ts';
import {
  type Metadata,
  readBatch,
  readMetadata,
  readMetadataLength,
} from '../../engine/result/arrow/read-batch.ts';
import { toTextVector } from '../../engine/result/arrow/to-vector.ts';
import type { Chunk, Column, ColumnType, Vector } from '../../engine/result/columns/column.ts';
import { createReader } from '../../engine/result/columns/read-value.ts';
import type { FileRange, StoredResult } from './recorded-results.ts';

/** How nested values are written: as CSV and tables do, or as JSON does. */
export type NestedStyle = 'text' | 'json';

/** The columns of a stored result as text formats write them: texts or JSON stand for nested values. */
export function toWrittenColumns(columns: readonly Column[], style: NestedStyle): readonly Column[] {
  return columns.map((column) =>
    isNested(column.type) ? { ...column, type: toWrittenType(column.type, style) } : column,
  );
}

const JSON_LABELS = { list: 'ARRAY', struct: 'STRUCT', map: 'MAP' } as const;

function toWrittenType({ kind }: ColumnType, style: NestedStyle): ColumnType {
  if (style === 'text') return { kind: 'text', label: 'STRING' };
  const isPlain = kind === 'list' || kind === 'struct' || kind === 'map';
  return isPlain ? { kind: 'json', label: JSON_LABELS[kind] } : { kind: 'json' };
}

/** Reads the rows of a stored result, for the columns of `toWrittenColumns`. */
export async function* readStored(
  { columns, stream, texts }: StoredResult,
  style: NestedStyle,
): AsyncGenerator<Chunk, void> {
  const nested = new NestedReader(columns, texts, style);
  try {
    for await (const { metadata, body } of readMessages(stream)) {
      const chunk = readBatch(metadata, body, columns);
      const vectors = await nested.take(chunk.rows);
      yield { rows: chunk.rows, vector: (column) => vectors.get(column) ?? chunk.vector(column) };
    }
  } finally {
    await nested.close();
  }
}

/** Reads the texts of nested columns, as many rows at a time as the caller has. */
class NestedReader {
  /** The index of each nested column, and the texts that are read and not taken. */
  readonly #columns: readonly { readonly index: number; readonly texts: (string | null)[] }[];
  readonly #shape: readonly Column[];
  readonly #messages: AsyncGenerator<Message, void>;
  readonly #offset: number;

  constructor(columns: readonly Column[], texts: FileRange, style: NestedStyle) {
    this.#columns = columns.flatMap(({ type }, index) => (isNested(type) ? [{ index, texts: [] }] : []));
    this.#shape = createNestedTexts(columns)?.columns ?? [];
    this.#messages = readMessages(texts);
    this.#offset = style === 'text' ? 0 : 1;
  }

  /** The vectors of the next rows, by column. */
  async take(rows: number): Promise<ReadonlyMap<number, Vector>> {
    while (this.#columns.some(({ texts }) => texts.length < rows)) await this.#read();
    return new Map(this.#columns.map(({ index, texts }) => [index, toTextVector(texts.splice(0, rows))]));
  }

  /** Closes the file of the texts. */
  async close(): Promise<void> {
    await this.#messages.return();
  }

  async #read(): Promise<void> {
    const { value: message } = await this.#messages.next();
    if (message === undefined) throw new Error('the texts of a stored result end early');
    const chunk = readBatch(message.metadata, message.body, this.#shape);
    this.#columns.forEach(({ texts }, at) => {
      const column = at * 2 + this.#offset;
      const read = createReader({ kind: 'text', label: 'STRING' }, chunk.vector(column));
      for (let row = 0; row < chunk.rows; row += 1) texts.push(read(row) as string | null);
    });
  }
}

/** A record batch. */
interface Message {
  readonly metadata: Metadata;
  readonly body: Uint8Array;
}

/** The record batches of an Arrow stream, or of a part of one without its schema. */
async function* readMessages({ file, start, end }: FileRange): AsyncGenerator<Message, void> {
  if (end <= start) return;
  const handle = await open(file, 'r');
  try {
    for (let at = start; at < end; ) {
      const length = readMetadataLength(await readExactly(handle, at, PREFIX_BYTES));
      if (length === 0) return;
      const metadata = readMetadata(await readExactly(handle, at + PREFIX_BYTES, length));
      at += PREFIX_BYTES + length;
      if (metadata.isBatch) yield { metadata, body: await readExactly(handle, at, metadata.bodyLength) };
      at += metadata.bodyLength;
    }
  } finally {
    await handle.close();
  }
}

async function readExactly(handle: FileHandle, position: number, length: number): Promise<Uint8Array> {
  // Typed arrays need aligned memory, which is not shared with other buffers.
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw new Error('a stored result ends early');
    done += bytesRead;
  }
  return bytes;
}
