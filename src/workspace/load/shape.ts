import type { CsvLayout } from '../../engine/run/load/read-files.ts';

/** The structure of a file, as the engine detects it. */
export interface Shape {
  readonly columns: readonly Column[];
  /** Only for CSV. */
  readonly layout?: CsvLayout;
}

interface Column {
  readonly name: string;
  /** Undefined for CSV. */
  readonly type?: string;
}

/** Finds a column by its name; case does not matter. */
export function findNamedColumn<Named extends { readonly name: string }>(
  columns: readonly Named[],
  name: string,
): Named | undefined {
  return columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
}

/** The columns of all shapes, each once, in their first order. */
export function mergeColumns(shapes: readonly Shape[]): readonly Column[] {
  const columns = new Map<string, Column>();
  for (const column of shapes.flatMap((shape) => shape.columns)) {
    const key = column.name.toLowerCase();
    if (!columns.has(key)) columns.set(key, column);
  }
  return [...columns.values()];
}
