import type { Warning } from '../../text/diagnostic.ts';
import type { Chunk, Column } from './column.ts';
import type { JsonNumbers } from './json-text.ts';
import type { Sink } from './sink.ts';
import type { Stats } from './stats.ts';

/**
 * Turns one result set into bytes: `start` once, `chunk` for each chunk, `end` once when the script has
 * ended well; warnings are for formats that have a place for them. A script without a result set calls `end` alone. A failed one never calls `end`, so that no
 * reader takes a part for the whole.
 */
export interface Encoder {
  start(columns: readonly Column[]): Promise<void>;
  chunk(chunk: Chunk): Promise<void>;
  end(stats: Stats, warnings?: readonly Warning[]): Promise<void>;
}

export type CreateEncoder = (sink: Sink, options: EncoderOptions) => Encoder;

export interface EncoderOptions {
  /** Rows that `table` prints before it only counts; other formats ignore it. */
  readonly tableRows?: number;
  /** Columns of the terminal, for `table`. */
  readonly width?: number;
  /** Whether `table` prints each row as lines of column and value. */
  readonly expanded?: boolean;
  /** In JSON, numbers of which a double may lose digits as they are (the default) or as strings (results 4). */
  readonly numbers?: JsonNumbers;
}
