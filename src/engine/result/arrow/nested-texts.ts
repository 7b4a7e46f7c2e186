import { type Chunk, type Column, type ColumnType, isValid, type NestedVector } from '../columns/column.ts';
import { createJsonText } from '../columns/json-text.ts';
import { toTextVector } from './to-vector.ts';

const TEXT: ColumnType = { kind: 'text', label: 'STRING' };

/** The texts of nested columns in CSV and in JSON, which their values in Arrow do not determine. */
export interface NestedTexts {
  /** Two columns for each nested column: its text, and its JSON. */
  readonly columns: readonly Column[];
  toChunk(chunk: Chunk): Chunk;
}

/** Prepares the texts of nested columns; null without such columns. */
export function createNestedTexts(columns: readonly Column[]): NestedTexts | null {
  const nested = columns.flatMap(({ type }, index) =>
    isNested(type) ? [{ index, toJson: createJsonText(type) }] : [],
  );
  if (nested.length === 0) return null;
  return {
    columns: nested.flatMap(() => [
      { name: 'text', type: TEXT },
      { name: 'json', type: TEXT },
    ]),
    toChunk(chunk) {
      const rows = Array.from({ length: chunk.rows }, (_, row) => row);
      const vectors = nested.flatMap(({ index, toJson }) => {
        const { validity, values, texts } = chunk.vector(index) as NestedVector;
        const present = (row: number) => isValid(validity, row);
        return [
          toTextVector(rows.map((row) => (present(row) ? texts[row]! : null))),
          toTextVector(rows.map((row) => (present(row) ? toJson(values[row]!) : null))),
        ];
      });
      return { rows: chunk.rows, vector: (column) => vectors[column]! };
    },
  };
}

/** Whether the values of a type are nested vectors. */
export function isNested({ kind }: ColumnType): boolean {
  return kind === 'list' || kind === 'struct' || kind === 'map' || kind === 'union' || kind === 'variant';
}
