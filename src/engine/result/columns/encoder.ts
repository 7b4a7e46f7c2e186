import type { Warning } from '../../text/diagnostic.ts';
import type { Chunk, Column } from './column.ts';
import type { JsonNumbers } from './json-text.ts';
import type { Sink } from './sink.ts';

/** The times of an execution (docs/reference/results.md#documents): ISO 8601 in UTC; `duration_ms` is an integer. */
export interface Stats {
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_ms: number;
}

/** What a document has after its rows; a field without entries is absent. */
export interface AnswerFindings {
  /** The entries of targets (docs/reference/build.md#report). */
  readonly targets?: readonly object[];
  readonly warnings?: readonly Warning[];
}

/**
 * Encodes one result set as bytes: `start` once, `chunk` for each chunk, `end` once after the script has succeeded.
 * Formats that can contain findings print them. A script without a result set only calls `end`. A failed script never
 * calls `end`, so that readers notice the incomplete result.
 */
export interface Encoder {
  start(columns: readonly Column[]): Promise<void>;
  chunk(chunk: Chunk): Promise<void>;
  end(stats: Stats, findings?: AnswerFindings): Promise<void>;
}

export type CreateEncoder = (sink: Sink, options: EncoderOptions) => Encoder;

export interface EncoderOptions {
  /** Maximum rows that `table` prints; it counts the others. Other formats ignore it. */
  readonly tableRows?: number;
  /** Columns of the terminal, for `table`. */
  readonly width?: number;
  /** Whether `table` prints each row as lines of column and value. */
  readonly expanded?: boolean;
  /** Whether CSV and TSV begin with the names of the columns (default). */
  readonly header?: boolean;
  /** Whether CSV begins with the bytes that tell spreadsheet programs that it is UTF-8. */
  readonly bom?: boolean;
  /** Whether CSV has `'` before texts that spreadsheet programs would read as formulas. */
  readonly escapeFormulas?: boolean;
  /**
   * How JSON encodes numbers that a double cannot represent exactly: as numbers (default) or strings
   * (docs/reference/results.md#numbers-as-strings).
   */
  readonly numbers?: JsonNumbers;
}
