// What crosses from the server to the engine process: data alone, without rights to decide or files to find.
// Everything that needs the catalog or a secret was read before.

import type { ConnectionKind, ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import type { EnvironmentNames } from '../../engine/project/manifest.ts';
import type { Snapshot } from '../../engine/project/snapshot.ts';
import type { EncoderOptions } from '../../engine/result/columns/encoder.ts';
import type { FormatName } from '../../engine/result/formats.ts';
import type { BindInput } from '../../engine/run/blocks/bind-statement.ts';
import type { CanFailLimits } from '../../engine/run/outcome/can-fail-report.ts';
import type { NodeSelection } from '../../engine/script/graph/select.ts';
import type { JsonValue } from '../../engine/script/params/json-value.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { Diagnostic, Warning } from '../../engine/text/diagnostic.ts';
import type { Source } from '../../engine/text/source.ts';
import type { Lasting } from './lasting.ts';

/** Everything that one execution needs, as plain data that can be sent to another process. */
export interface ExecutionRequest {
  readonly id: string;
  /** Id of the user who runs it. */
  readonly owner: string;
  /** Id of the token of the request, if any. */
  readonly token?: string | undefined;
  /** Id of the console session of the request, if any. */
  readonly session?: string | undefined;
  /** Origin of the request, for logs. */
  readonly origin?: { readonly address: string | null; readonly requestId: string | null } | undefined;
  /** Display name, such as the path of a script. */
  readonly name: string;
  readonly work: Work;
  readonly params: Params;
  readonly connection: ConnectionSpec;
  /** How the environment names targets, and the one that targets outside the selection are read from. */
  readonly environment?:
    | {
        readonly names: EnvironmentNames | null;
        readonly deferred?: { readonly names: EnvironmentNames | null };
      }
    | undefined;
  /** Name of the semantic connection, if the SQL is Semantic SQL; `connection` is the connection that runs it. */
  readonly semantic?: string | undefined;
  /** Name of the semantic connection that a program has generated the SQL for. */
  readonly generatedFor?: string | undefined;
  readonly format: FormatName;
  readonly encoder: EncoderOptions;
  /** Whether the answer has every result set, not only the first; for a format that can hold several. */
  readonly sendsAll?: boolean | undefined;
  /**
   * Milliseconds for a test of the connection: the answer is the `ConnectionTestBody` of opening it and running the work,
   * whatever fails.
   */
  readonly testPatience?: number | undefined;
  /** Sends the result of every statement, as frames, instead of the answer. */
  readonly recording?: RecordingLimits | undefined;
  /** The interactive session that it belongs to; undefined: a new database session, which ends with the execution. */
  readonly lasting?: Lasting | undefined;
  readonly limits: ExecutionLimits;
  /** Warnings from the preparation of the request. */
  readonly warnings?: readonly Warning[] | undefined;
  /** When it left the queue, in nanoseconds since 1970, if it was queued in another process. */
  readonly started?: bigint | undefined;
}

/**
 * The work of an execution: one SQL text, with its parameters substituted; a script or block of the root package of a
 * snapshot, by name; tests of a snapshot, alone or with its targets; or an inspection, which runs nothing.
 */
export type Work =
  | SqlWork
  | { readonly kind: 'script'; readonly snapshot: Snapshot; readonly file: string }
  | {
      readonly kind: 'block';
      readonly snapshot: Snapshot;
      readonly block: string;
      readonly args: Readonly<Record<string, JsonValue>>;
    }
  | {
      readonly kind: 'tests';
      readonly snapshot: Snapshot;
      readonly selection: NodeSelection;
      readonly parallel: number;
      readonly failFast: boolean;
      readonly storeFailures?: string | undefined;
      readonly canFail?: CanFailLimits | undefined;
    }
  | {
      readonly kind: 'build';
      /** Whether targets are published, or only planned, with or without a session. */
      readonly mode: 'run' | 'plan' | 'offline';
      readonly snapshot: Snapshot;
      readonly selection: NodeSelection;
      readonly parallel: number;
      readonly failFast: boolean;
      readonly fullRefresh: boolean;
      readonly storeFailures?: string | undefined;
    }
  | Inspection;

/**
 * Static analysis of scripts for the connection's kind of database, with a JSON answer. `diagnostics` are errors from
 * reading the packages; if there are any, there is no snapshot to check. `file` is the only script to check, which is
 * part of the snapshot; null for folders.
 */
export type Inspection =
  | {
      readonly kind: 'check';
      readonly snapshot: Snapshot;
      readonly file: string | null;
      readonly diagnostics: readonly Diagnostic[];
      /** Maximum SQL whose syntax is checked for the connection, in bytes; undefined: none. */
      readonly maxSqlBytes?: number | undefined;
    }
  | { readonly kind: 'compile'; readonly snapshot: Snapshot; readonly file: string }
  | {
      readonly kind: 'symbols';
      readonly snapshot: Snapshot;
      readonly file: string;
      /** The paths of packages that the script can import. */
      readonly packages: readonly string[];
      /** The connection of its project; null without one. */
      readonly connection: string | null;
    };

/**
 * SQL. `isGenerated`: a program has generated it, so text like a parameter in its strings is data. `copied`: the rows of
 * its COPY FROM STDIN. `bind`: the values of its placeholders.
 */
export interface SqlWork {
  readonly kind: 'sql';
  readonly source: Source;
  readonly copied?: string | undefined;
  readonly isGenerated?: boolean | undefined;
  readonly bind?: BindInput | undefined;
}

export function isInspection(work: Work): work is Inspection {
  return work.kind === 'check' || work.kind === 'compile' || work.kind === 'symbols';
}

/** Returns the kind of database whose dialect the source uses; Semantic SQL uses PostgreSQL's (semantic SQL). */
export function findTextKind({
  connection,
  semantic,
}: Pick<ExecutionRequest, 'connection' | 'semantic'>): ConnectionKind {
  return semantic === undefined ? connection.kind : 'postgresql';
}

/** The name of the connection that the user has requested; null for an inspection, and for a test of a connection. */
export function findRequestedConnection({
  work,
  connection,
  semantic,
  generatedFor,
  testPatience,
}: Pick<ExecutionRequest, 'work' | 'connection' | 'semantic' | 'generatedFor' | 'testPatience'>):
  | string
  | null {
  return isInspection(work) || testPatience !== undefined
    ? null
    : (semantic ?? generatedFor ?? connection.name);
}

/** Placeholder for the connection of an inspection that names no connection. */
export const NO_CONNECTION: ConnectionSpec = { name: '', kind: 'duckdb', options: {}, overrides: {} };

/** The limits of recorded results. */
interface RecordingLimits {
  /** Maximum bytes of one result set as Arrow. */
  readonly maxBytes: number;
}

export interface ExecutionLimits {
  /** Milliseconds until the work is stopped; null: no limit. */
  readonly timeoutMs: number | null;
  /** Who sets that limit, for its error; undefined: unknown. */
  readonly timeoutSource?: string | undefined;
  /** Maximum rows of the answer; the query is stopped when they are reached. */
  readonly maxRows: number | null;
  /** Bytes of a first result set that is followed by other statements, and the folder where it is stored. */
  readonly spoolBytes: number;
  readonly spoolDirectory: string;
  /** Maximum open sessions on the connection; null: no limit. */
  readonly maxSessions: number | null;
  /** The folder below which files are published. */
  readonly publishDirectory: string;
  /** Maximum size of the files of one user there, in bytes; undefined: no limit. */
  readonly publishBytes?: number | undefined;
}
