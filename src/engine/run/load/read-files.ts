import { elementAt, present } from '../../../invariants/must.ts';
import { quoteName, quoteText } from '../../text/sql-quote.ts';

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
  /** Lines of csv before the header or the first row. */
  readonly skip?: number | undefined;
  /** Whether missing values at the end of a line of csv are NULL. */
  readonly fillShort?: boolean | undefined;
}

/** Files of one format and their settings. */
export interface FilesToRead extends ReadSettings {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly format: DataFormat;
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

/** The layout of a csv file, as the engine detects it; null: not used. */
export interface CsvLayout {
  readonly delimiter: string;
  readonly quote: string | null;
  readonly escape: string | null;
  readonly comment: string | null;
  /** Lines before the first row or header. */
  readonly skipped: number;
  readonly hasHeader: boolean;
  readonly names: readonly string[];
}

/**
 * A query for the csv layouts that DuckDB detects, one row for each file: index of the file, delimiter, quote, escape,
 * comment (`(empty)` if unused), number of skipped lines, whether there is a header, names of columns. `isWhole`: from all
 * rows, not only the first ones.
 */
export function printSniff(input: FilesToRead, isWhole: boolean): string {
  const settings = printSettings({ ...input, types: undefined, unionByName: undefined }, CSV_SETTINGS);
  const select =
    'Delimiter, Quote, Escape, Comment, SkipRows, HasHeader, list_transform(Columns, lambda c: c.name)';
  const whole = isWhole ? ', sample_size = -1' : '';
  const queries = input.files.map(
    (file, at) => `SELECT ${at} AS file, ${select} FROM sniff_csv(${quotePath(file)}${settings}${whole})`,
  );
  return `${queries.join('\nUNION ALL ')}\nORDER BY file`;
}

/** A relation with the rows of csv files; every column is text. Files of one layout are read together. */
export function printCsvTexts(input: FilesToRead, layouts: readonly CsvLayout[]): string {
  const groups = Map.groupBy(input.files.keys(), (at) => JSON.stringify(layouts[at]));
  const queries = [...groups.values()].map((files) => {
    const layout = present(layouts[elementAt(files, 0)]);
    const paths = files.map((at) => quotePath(elementAt(input.files, at)));
    return `SELECT * FROM read_csv([${paths.join(', ')}]${printLayout(input, layout)})`;
  });
  return `(${queries.join('\nUNION ALL BY NAME ')})`;
}

function printLayout(input: FilesToRead, layout: CsvLayout): string {
  const settings = {
    ...input,
    delimiter: layout.delimiter,
    quote: layout.quote ?? '',
    header: layout.hasHeader,
    skip: layout.skipped,
    types: undefined,
    unionByName: undefined,
  };
  // The keys of an object would put names of digits first.
  const columns = printPairs(layout.names.map((name) => [name, 'VARCHAR']));
  const parallel = input.fillShort ? ', parallel = false' : '';
  return (
    `${printSettings(settings, CSV_SETTINGS)}, auto_detect = false, escape = ${quoteText(layout.escape ?? '')}, ` +
    `comment = ${quoteText(layout.comment ?? '')}, columns = ${columns}${parallel}`
  );
}

/** A query for the columns that DuckDB finds in groups of files: index of the group, name, type. */
export function printDescribe(input: FilesToRead, groups: readonly (readonly string[])[]): string {
  const queries = groups.map(
    (files, at) =>
      `SELECT ${at} AS part, column_name, column_type FROM (DESCRIBE SELECT * FROM ${printReader({ ...input, types: undefined, files })})`,
  );
  return queries.join('\nUNION ALL ');
}

/** A query for the full names of types. */
export function printTypeNames(types: readonly string[]): string {
  return `SELECT ${types.map((type, at) => `typeof(CAST(NULL AS ${type})) AS t${at}`).join(', ')}`;
}

/** The parts of a table name in SQL. */
export function printTableName(table: string): {
  readonly schema: string | undefined;
  readonly target: string;
} {
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
  ({ skip }) => (skip === undefined ? undefined : `skip = ${skip}`),
  ({ fillShort }) => (fillShort ? 'null_padding = true' : undefined),
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

/** A relation with the rows of files, in the types that DuckDB detects. */
export function printReader(input: FilesToRead): string {
  const { name, settings } = READERS[input.format];
  return `${name}([${input.files.map(quotePath).join(', ')}]${printSettings(input, settings)})`;
}

function printSettings(readSettings: ReadSettings, printers: Printers): string {
  const settingTexts = printers.map((print) => print(readSettings)).filter((text) => text !== undefined);
  return settingTexts.map((text) => `, ${text}`).join('');
}

function printTypes(types: Readonly<Record<string, string>>): string {
  return printPairs(Object.entries(types));
}

function printPairs(pairs: readonly (readonly [string, string])[]): string {
  return `{${pairs.map(([name, type]) => `${quoteText(name)}: ${quoteText(type)}`).join(', ')}}`;
}

/** The engine's readers treat every path as a pattern; a class of one character matches only itself. */
function quotePath(file: string): string {
  return quoteText(file.replace(/[*?[]/g, (character) => `[${character}]`));
}
