import { createArrowEncoder } from './arrow/to-arrow.ts';
import type { CreateEncoder } from './columns/encoder.ts';
import { createCsvEncoder, createTsvEncoder } from './text/to-csv.ts';
import { createJsonEncoder } from './text/to-json.ts';
import { createMarkdownEncoder } from './text/to-markdown.ts';
import { createNdjsonEncoder } from './text/to-ndjson.ts';
import { createTableEncoder } from './text/to-table.ts';
import { createXlsxEncoder } from './xlsx/to-xlsx.ts';

export type FormatName =
  | 'json'
  | 'ndjson'
  | 'csv'
  | 'tsv'
  | 'markdown'
  | 'arrow'
  | 'parquet'
  | 'xlsx'
  | 'table';

/** A format of results: `mediaType` is its name in HTTP. */
export interface Format {
  readonly mediaType: string;
  /** Null if the engine itself writes the format to a file. */
  readonly create: CreateEncoder | null;
}

/** Every format; only commands offer `tsv`, `markdown` and `table`. */
export const FORMATS: Readonly<Record<FormatName, Format>> = {
  json: { mediaType: 'application/json', create: createJsonEncoder },
  ndjson: { mediaType: 'application/x-ndjson', create: createNdjsonEncoder },
  csv: { mediaType: 'text/csv', create: createCsvEncoder },
  tsv: { mediaType: 'text/tab-separated-values', create: createTsvEncoder },
  markdown: { mediaType: 'text/markdown', create: createMarkdownEncoder },
  arrow: { mediaType: 'application/vnd.apache.arrow.stream', create: createArrowEncoder },
  parquet: { mediaType: 'application/vnd.apache.parquet', create: null },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    create: createXlsxEncoder,
  },
  table: { mediaType: 'text/plain', create: createTableEncoder },
};
