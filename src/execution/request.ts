import type { ConnectionSpec } from '../engine/connection/connection.ts';
import type { EncoderOptions } from '../engine/result/encoder.ts';
import type { FormatName } from '../engine/result/formats.ts';
import type { Params } from '../engine/script/params.ts';
import type { Source } from '../engine/text/source.ts';

/** Everything that one execution needs, as plain data that could be sent to another process. */
export interface ExecutionRequest {
  readonly id: string;
  /** Id of the user for whom it runs. */
  readonly owner: string;
  /** The text to run: a script, or ad-hoc SQL. */
  readonly source: Source;
  readonly params: Params;
  readonly connection: ConnectionSpec;
  readonly format: FormatName;
  readonly encoder: EncoderOptions;
  readonly limits: ExecutionLimits;
}

interface ExecutionLimits {
  /** Milliseconds until the work is stopped; null is no limit. */
  readonly timeoutMs: number | null;
  /** Rows of the answer; the query is stopped when they are reached. */
  readonly maxRows: number | null;
  /** Bytes of a first result set that other statements follow, and the folder where it waits. */
  readonly spoolBytes: number;
  readonly spoolDirectory: string;
}
