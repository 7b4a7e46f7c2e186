import { ByteWriter } from './byte-writer.ts';
import type { Column, Value } from './column.ts';
import type { Encoder } from './encoder.ts';
import { createJsonText, type ToJson } from './json-text.ts';
import { createReader } from './read-value.ts';
import type { Sink } from './sink.ts';

const LINE_END = 0x0a;

/**
 * One JSON object a row, each on a line of its own; a repeated column name gets `_2`, `_3`. Without a result
 * set it is empty.
 */
export function createNdjsonEncoder(sink: Sink): Encoder {
  const out = new ByteWriter(sink);
  let columns: readonly Column[] = [];
  let keys: readonly string[] = [];
  let writers: readonly ToJson[] = [];
  return {
    async start(shape) {
      columns = shape;
      keys = toUniqueNames(shape.map(({ name }) => name)).map((name) => JSON.stringify(name));
      writers = shape.map(({ type }) => createJsonText(type));
    },
    async chunk(chunk) {
      const readers = columns.map(({ type }, i) => createReader(type, chunk.vector(i)));
      for (let row = 0; row < chunk.rows; row += 1) {
        out.text(toObject(keys, writers, readers, row));
        out.byte(LINE_END);
        if (out.isFull) await out.flush();
      }
    },
    end: () => out.flush(),
  };
}

function toObject(
  keys: readonly string[],
  writers: readonly ToJson[],
  readers: readonly ((row: number) => Value)[],
  row: number,
): string {
  return `{${keys.map((key, i) => `${key}:${writers[i]!(readers[i]!(row))}`).join(',')}}`;
}

/** Names that tell all columns apart: of those that repeat, the later ones get the first free number from 2. */
function toUniqueNames(names: readonly string[]): readonly string[] {
  const all = new Set(names);
  const used = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 2; used.has(unique) || (unique !== name && all.has(unique)); count += 1) {
      unique = `${name}_${count}`;
    }
    used.add(unique);
    return unique;
  });
}
