import type { EncoderOptions } from '../../engine/result/columns/encoder.ts';
import type { FormatName } from '../../engine/result/formats.ts';
import type { CompiledStep } from '../../engine/script/compile.ts';
import type { GivenParams } from '../../engine/script/params/surplus-params.ts';
import type { Warning } from '../../engine/text/diagnostic.ts';
import type { Lasting } from '../../execution/contract/lasting.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { DataInput, InputFormat, LoadSettings } from './data-input.ts';
import type { Target } from './target.ts';

/** Parameters and connection of a run. */
export interface RunSettings extends GivenParams {
  /** Default: the environment's connection, else `duckdb`. */
  readonly connection?: string | undefined;
  /** The key of an environment of the project; default: its default environment. */
  readonly environment?: string | undefined;
  /** Connection parameters for this run only (docs/reference/connections.md#what-a-connection-allows). */
  readonly overrides: Readonly<Record<string, string>>;
}

/** A target with its parameters and its connection. */
export interface WorkRequest<Runnable extends Target> extends RunSettings {
  readonly target: Runnable;
}

/** A request to run a target, of a command or over HTTP (docs/reference/exec.md). */
export interface RunRequest<Runnable extends Target = Target> extends WorkRequest<Runnable> {
  readonly format: FormatName;
  readonly encoder?: EncoderOptions;
  /** Whether the answer has every result set, not only the first; for a format that can hold several. */
  readonly sendsAll?: boolean | undefined;
  /** Whether the results of all statements are recorded, as Arrow; only for asynchronous executions. */
  readonly recordsAll?: boolean;
  /** Whether it only reads, whatever its user may do on the connection: the SQL of a semantic query. */
  readonly isQuestion?: boolean;
  /** Whether its SQL was generated from a model of the catalog for a connection that has no model. */
  readonly isStored?: boolean;
  /** Whether text of the catalog runs without the restrictions of a server; only for the owner of a home. */
  readonly unrestricted?: boolean;
  /** The interactive session of a command that it belongs to. */
  readonly lasting?: Lasting | undefined;
  /** The key of the environment from which targets outside the selection are read; default: that of the run. */
  readonly defer?: string | undefined;
  readonly maxRows?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** Who sets `timeoutMs`, for its error; default: `--timeout`. */
  readonly timeoutSource?: string | undefined;
}

/** The steps of a run, in order, and the connection that it would use. */
export type PlanOutcome =
  | {
      readonly status: 'done';
      readonly connection: string;
      readonly overrides: Readonly<Record<string, string>>;
      readonly steps: readonly CompiledStep[];
      readonly warnings: readonly Warning[];
    }
  | Extract<ExecutionOutcome, { status: 'failed' }>;

/** Data and the tables to write from it, all or none; a missing schema is created. */
export interface LoadRequest {
  readonly tables: readonly {
    /** `name` or `schema.name`. */
    readonly table: string;
    readonly inputs: readonly DataInput[];
  }[];
  /** Undefined: derived from the file name, or from the content without a name. */
  readonly format: InputFormat | undefined;
  readonly settings: LoadSettings;
  /** What happens to an existing table: an error, replaced, or more rows. */
  readonly mode: 'create' | 'replace' | 'append';
  /** Whether nothing is written. */
  readonly isDryRun: boolean;
  /** Whether every file has its table. */
  readonly isEach: boolean;
  readonly connection: string;
}

/** A table that was loaded, or would be. */
export interface LoadedTable {
  readonly table: string;
  readonly rows: number;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Warnings about unexpected data, in sentences. */
  readonly warnings: readonly string[];
  /** The first rows, as text; only if nothing was written. */
  readonly head?: readonly (readonly (string | null)[])[];
}

export type LoadOutcome =
  | { readonly status: 'done'; readonly tables: readonly LoadedTable[] }
  | Pick<Extract<ExecutionOutcome, { status: 'failed' }>, 'status' | 'error'>;
