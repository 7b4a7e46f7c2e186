import type { ConnectionKind, ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import type { Snapshot } from '../../engine/project/snapshot.ts';
import type { EncoderOptions } from '../../engine/result/columns/encoder.ts';
import type { FormatName } from '../../engine/result/formats.ts';
import type { JsonValue } from '../../engine/run/blocks/block-arguments.ts';
import type { PublishQuota } from '../../engine/run/publish/published-files.ts';
import type { TestSelection } from '../../engine/run/tests/select-tests.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { Diagnostic, Warning } from '../../engine/text/diagnostic.ts';
import type { Source } from '../../engine/text/source.ts';

/** Everything that one execution needs, as plain data that could be sent to another process. */
export interface ExecutionRequest {
  readonly id: string;
  /** Id of the user for whom it runs. */
  readonly owner: string;
  /** Id of the token with which it was asked for, if it was. */
  readonly token?: string | undefined;
  /** Id of the session of the console in which it was asked for, if it was. */
  readonly session?: string | undefined;
  /** Where it was asked for, for those who keep logs. */
  readonly origin?: { readonly address: string | null; readonly requestId: string | null } | undefined;
  /** What its caller calls it, such as the path of a script. */
  readonly name: string;
  readonly work: Work;
  readonly params: Params;
  readonly connection: ConnectionSpec;
  /** The name of the semantic connection whose SQL the texts are; `connection` is the one behind it. */
  readonly semantic?: string | undefined;
  readonly format: FormatName;
  readonly encoder: EncoderOptions;
  readonly limits: ExecutionLimits;
  /** What was found while it was put together. */
  readonly warnings?: readonly Warning[] | undefined;
  /** When its turn came, in nanoseconds since 1970, where that was in another process. */
  readonly started?: bigint | undefined;
}

/**
 * What to run: SQL as it stands, with its parameters replaced; a script or a block of a snapshot's root by its
 * name; tests of a snapshot; or nothing, but to examine it.
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
      readonly selection: TestSelection;
      readonly parallel: number;
      readonly failFast: boolean;
    }
  | Inspection;

/**
 * What is said about scripts without running them, for the connection's kind of database, as JSON. `diagnostics` are
 * what has been found already while packages were read; where there are any, there is no snapshot to check.
 */
export type Inspection =
  | { readonly kind: 'check'; readonly snapshot: Snapshot; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'compile'; readonly snapshot: Snapshot; readonly file: string };

/** SQL; `isGenerated`: nobody wrote the text, and what looks like a parameter in its strings is data. */
export interface SqlWork {
  readonly kind: 'sql';
  readonly source: Source;
  readonly isGenerated?: boolean | undefined;
}

export function isInspection(work: Work): work is Inspection {
  return work.kind === 'check' || work.kind === 'compile';
}

/** The kind of database whose dialect texts are in: Semantic SQL is PostgreSQL's (semantic SQL). */
export function findTextKind({
  connection,
  semantic,
}: Pick<ExecutionRequest, 'connection' | 'semantic'>): ConnectionKind {
  return semantic === undefined ? connection.kind : 'postgresql';
}

/** Stands for the connection of an inspection that names none. */
export const NO_CONNECTION: ConnectionSpec = { name: '', kind: 'duckdb', options: {}, overrides: {} };

interface ExecutionLimits {
  /** Milliseconds until the work is stopped; null is no limit. */
  readonly timeoutMs: number | null;
  /** Rows of the answer; the query is stopped when they are reached. */
  readonly maxRows: number | null;
  /** Bytes of a first result set that other statements follow, and the folder where it waits. */
  readonly spoolBytes: number;
  readonly spoolDirectory: string;
  /** Sessions that may be open at once on the connection; null is no limit. */
  readonly maxSessions: number | null;
  /** The folder below which files are published. */
  readonly publishDirectory: string;
  /** How much the files of one user there may take, and where it is kept whose they are; left out: any amount. */
  readonly publishQuota?: Omit<PublishQuota, 'owner'> | undefined;
}
