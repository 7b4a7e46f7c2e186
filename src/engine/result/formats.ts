import type { CreateEncoder } from './encoder.ts';
import { createArrowEncoder } from './to-arrow.ts';
import { createCsvEncoder } from './to-csv.ts';
import { createJsonEncoder } from './to-json.ts';
import { createTableEncoder } from './to-table.ts';

export type FormatName = 'json' | 'csv' | 'arrow' | 'table' | 'parquet';

/** One way to write a result: `mediaType` is what HTTP calls it. */
export interface Format {
  readonly mediaType: string;
  /** Null: the engine writes it itself, to a file. */
  readonly create: CreateEncoder | null;
}

/** Every format; `table` is for terminals only. */
export const FORMATS: Readonly<Record<FormatName, Format>> = {
  json: { mediaType: 'application/json', create: createJsonEncoder },
  csv: { mediaType: 'text/csv', create: createCsvEncoder },
  arrow: { mediaType: 'application/vnd.apache.arrow.stream', create: createArrowEncoder },
  parquet: { mediaType: 'application/vnd.apache.parquet', create: null },
  table: { mediaType: 'text/plain', create: createTableEncoder },
};
