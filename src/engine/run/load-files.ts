import { quoteName, quoteText } from '../text/sql-quote.ts';

export type DataFormat = 'csv' | 'parquet' | 'json';

export interface FilesToLoad {
  /** Absolute paths, all of one format and with the same columns. */
  readonly files: readonly string[];
  readonly format: DataFormat;
  /** `name` or `schema.name`. */
  readonly table: string;
  readonly replace: boolean;
}

/** File endings that say what is inside; each may also end in `.gz` or `.zst` (not parquet). */
const FORMAT_OF_ENDING: Readonly<Record<string, DataFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  parquet: 'parquet',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
};

const READER: Readonly<Record<DataFormat, string>> = {
  csv: 'read_csv',
  parquet: 'read_parquet',
  json: 'read_json',
};

/** The format that a file's name promises, or undefined. */
export function findDataFormat(file: string): DataFormat | undefined {
  const ending = /\.([a-z]+)(?:\.(?:gz|zst))?$/i.exec(file)?.[1]?.toLowerCase();
  return ending === undefined ? undefined : FORMAT_OF_ENDING[ending];
}

/** DuckDB's statements that make a table of files; the last one lists its columns with their types. */
export function printLoad({ files, format, table, replace }: FilesToLoad): string {
  const [name = '', schema] = table.split('.', 2).reverse();
  const target = schema === undefined ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;
  const list = files.map((file) => quoteText(escapeGlob(file))).join(', ');
  return [
    ...(schema === undefined ? [] : [`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)};`]),
    `CREATE ${replace ? 'OR REPLACE ' : ''}TABLE ${target} AS SELECT * FROM ${READER[format]}([${list}]);`,
    `SELECT column_name, column_type, (SELECT count(*) FROM ${target}) AS row_count FROM (DESCRIBE ${target});`,
  ].join('\n');
}

/** The engine's readers take every path for a pattern: a class of one character stands for itself. */
function escapeGlob(file: string): string {
  return file.replace(/[*?[]/g, (character) => `[${character}]`);
}
