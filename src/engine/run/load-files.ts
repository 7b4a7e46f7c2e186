import { quoteName, quoteText } from '../text/sql-quote.ts';

export type DataFormat = 'csv' | 'parquet' | 'json';

/** Settings for reading files; the engine detects undefined settings. */
export interface ReadSettings {
  /** Compression of every file; undefined: by each file's name. */
  readonly compression?: 'gzip' | 'zstd' | 'uncompressed' | undefined;
  /** The separator of the columns of csv: 1 to 4 bytes. */
  readonly delimiter?: string | undefined;
  /** The quote character of csv: one byte, or empty. */
  readonly quote?: string | undefined;
  /** Whether the first line of csv contains the names of the columns. */
  readonly header?: boolean | undefined;
  /** Strings of csv that mean NULL, besides the empty string. */
  readonly nulls?: readonly string[] | undefined;
  /** Types of columns by name; for json, of all columns. */
  readonly types?: Readonly<Record<string, string>> | undefined;
  /** Whether the table has the columns of all files, with NULL for columns that a file does not have. */
  readonly unionByName?: boolean | undefined;
}

/** Files of one format and their settings. */
export interface FilesToRead extends ReadSettings {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly format: DataFormat;
}

export interface FilesToLoad extends FilesToRead {
  /** `name` or `schema.name`. */
  readonly table: string;
  readonly replace: boolean;
}

/** Formats by file extension; `.gz` or `.zst` can follow each extension (not parquet). */
const FORMAT_OF_ENDING: Readonly<Record<string, DataFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  parquet: 'parquet',
  json: 'json',
  geojson: 'json',
  jsonl: 'json',
  ndjson: 'json',
};

/** The format that a file's extension indicates, or undefined. */
export function findDataFormat(file: string): DataFormat | undefined {
  const ending = /\.([a-z]+)(?:\.(?:gz|zst))?$/i.exec(file)?.[1]?.toLowerCase();
  return ending === undefined ? undefined : FORMAT_OF_ENDING[ending];
}

/** DuckDB statements that create a table from files; the last one lists its columns with their types. */
export function printLoad(load: FilesToLoad): string {
  const { schema, target } = printTarget(load.table);
  return [
    ...(schema === undefined ? [] : [`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)};`]),
    `CREATE ${load.replace ? 'OR REPLACE ' : ''}TABLE ${target} AS SELECT * FROM ${printReader(load)};`,
    `SELECT column_name, column_type, (SELECT count(*) FROM ${target}) AS row_count FROM (DESCRIBE ${target});`,
  ].join('\n');
}

/**
 * A query for the csv settings that DuckDB detects, one row for each file: index of the file, delimiter, quote, comment
 * (`(empty)` if unused), number of skipped lines, names of columns.
 */
export function printSniff(input: FilesToRead): string {
  const settings = printSettings({ ...input, types: undefined, unionByName: undefined }, CSV_SETTINGS);
  const select = 'Delimiter, Quote, Comment, SkipRows, list_transform(Columns, lambda c: c.name)';
  const queries = input.files.map(
    (file, at) => `SELECT ${at} AS file, ${select} FROM sniff_csv(${quotePath(file)}${settings})`,
  );
  return `${queries.join('\nUNION ALL ')}\nORDER BY file`;
}

/** A query for the columns that DuckDB finds in each file: index of the file, name, type. */
export function printDescribe(input: FilesToRead): string {
  const queries = input.files.map(
    (file, at) =>
      `SELECT ${at} AS file, column_name, column_type FROM (DESCRIBE SELECT * FROM ${printReader({ ...input, files: [file] })})`,
  );
  return queries.join('\nUNION ALL ');
}

/** A query that counts, for each text column, the values that start or end with a quote: name, count. */
export function printQuoteCount(table: string, columns: readonly string[]): string {
  const { target } = printTarget(table);
  const hasQuote = (name: string) => `${name} LIKE '"%' OR ${name} LIKE '%"'`;
  const queries = columns.map(
    (name) =>
      `SELECT ${quoteText(name)} AS name, count(*) AS values FROM ${target} WHERE ${hasQuote(quoteName(name))}`,
  );
  return queries.join('\nUNION ALL ');
}

/** A text column of a table, and a type that its values may have. */
export interface TypeGuess {
  readonly name: string;
  readonly type: string;
}

/**
 * A query that counts the values of columns which do not have a type: name, type, number of values, number of odd values,
 * number of distinct odd values, and one of them. NULL is not counted. `maxRows` limits the rows that it reads.
 */
export function printOddCount(table: string, guesses: readonly TypeGuess[], maxRows?: number): string {
  const { target } = printTarget(table);
  const source = maxRows === undefined ? target : `(FROM ${target} LIMIT ${maxRows})`;
  const queries = guesses.map(({ name, type }) => {
    const value = quoteName(name);
    const odd = `FILTER (WHERE ${value} IS NOT NULL AND TRY_CAST(${value} AS ${type}) IS NULL)`;
    return (
      `SELECT ${quoteText(name)} AS name, ${quoteText(type)} AS type, count(${value}) AS values, count(*) ${odd} AS odd, ` +
      `count(DISTINCT ${value}) ${odd} AS distinct_odd, min(${value}) ${odd} AS example FROM ${source}`
    );
  });
  return queries.join('\nUNION ALL ');
}

function printTarget(table: string): { readonly schema: string | undefined; readonly target: string } {
  const [name = '', schema] = table.split('.', 2).reverse();
  return {
    schema,
    target: schema === undefined ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`,
  };
}

type Printers = readonly ((readSettings: ReadSettings) => string | undefined)[];

const COMPRESSION = ({ compression }: ReadSettings) =>
  compression === undefined ? undefined : `compression = ${quoteText(compression)}`;
const UNION = ({ unionByName }: ReadSettings) => (unionByName ? 'union_by_name = true' : undefined);

const CSV_SETTINGS: Printers = [
  COMPRESSION,
  ({ delimiter }) => (delimiter === undefined ? undefined : `delim = ${quoteText(delimiter)}`),
  ({ quote }) => (quote === undefined ? undefined : `quote = ${quoteText(quote)}`),
  ({ header }) => (header === undefined ? undefined : `header = ${header}`),
  ({ nulls }) =>
    nulls === undefined ? undefined : `nullstr = [${['', ...nulls].map(quoteText).join(', ')}]`,
  ({ types }) => (types === undefined ? undefined : `types = ${printTypes(types)}`),
  UNION,
];

const READERS: Readonly<Record<DataFormat, { readonly name: string; readonly settings: Printers }>> = {
  // Detects types from all files, not only from the first ones.
  csv: { name: 'read_csv', settings: [...CSV_SETTINGS, () => 'files_to_sniff = -1'] },
  parquet: { name: 'read_parquet', settings: [UNION] },
  json: {
    name: 'read_json',
    settings: [
      COMPRESSION,
      UNION,
      ({ types }) => (types === undefined ? undefined : `columns = ${printTypes(types)}`),
      // With a sample, a key that only other rows have would be an error.
      () => 'sample_size = -1, maximum_sample_files = 9223372036854775807',
    ],
  },
};

function printReader(input: FilesToRead): string {
  const { name, settings } = READERS[input.format];
  return `${name}([${input.files.map(quotePath).join(', ')}]${printSettings(input, settings)})`;
}

function printSettings(readSettings: ReadSettings, printers: Printers): string {
  const settingTexts = printers.map((print) => print(readSettings)).filter((text) => text !== undefined);
  return settingTexts.map((text) => `, ${text}`).join('');
}

function printTypes(types: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(types).map(([name, type]) => `${quoteText(name)}: ${quoteText(type)}`);
  return `{${pairs.join(', ')}}`;
}

/** The engine's readers treat every path as a pattern; a class of one character matches only itself. */
function quotePath(file: string): string {
  return quoteText(file.replace(/[*?[]/g, (character) => `[${character}]`));
}
