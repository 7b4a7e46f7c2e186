// What a command can do. A command does not know whether its home is open in a server: both sides implement these
// types.

import type { AssetBody, FolderBody, ItemBody, Versioned } from '../../catalog/asset.ts';
import type { Content } from '../../catalog/contents/content-store.ts';
import type { RevisionBody } from '../../catalog/history/revision-body.ts';
import type { HistoryService } from '../../catalog/history/service.ts';
import type { CatalogService, ServedContents } from '../../catalog/service.ts';
import type { ConnectionBody, KindBody } from '../../connections/record.ts';
import type { ConnectionService } from '../../connections/service.ts';
import type { EncoderOptions } from '../../engine/result/columns/encoder.ts';
import type { Sink } from '../../engine/result/columns/sink.ts';
import type { FormatName } from '../../engine/result/formats.ts';
import type { DataFormat } from '../../engine/run/load-files.ts';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import type { JsonValue } from '../../engine/script/params/json-value.ts';
import type { Params } from '../../engine/script/params/params.ts';
import type { GivenParams } from '../../engine/script/params/surplus-params.ts';
import type { Warning } from '../../engine/text/diagnostic.ts';
import type { ExecutionErrorCode, ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { QueryBody } from '../../query-log/query.ts';
import type { QueryTrail } from '../../query-log/query-trail.ts';
import type { AccountsApi } from './accounts-api.ts';
import type { Bound } from './bound.ts';
import type { DataInput, LoadSettings } from './data-input.ts';
import type { RunningBody } from './execution-body.ts';
import type { CompiledStep, ScriptsApi } from './scripts-api.ts';
import type { SemanticApi } from './semantic-api.ts';
import type { ScriptTarget, ServedTarget, Target } from './target.ts';

/**
 * Operations of one principal on one instance. The local workspace and the client of a server implement the same type,
 * so a command prints the same bytes with either.
 */
export interface WorkspaceApi {
  readonly catalog: CatalogApi;
  readonly history: HistoryApi;
  readonly connections: ConnectionsApi;
  readonly accounts: AccountsApi;
  readonly queries: QueriesApi;
  readonly executions: ExecutionsApi;
  /** The scripts of the catalog. */
  openScripts(): Promise<ScriptsApi>;
  /** Semantic models. */
  openSemantic(): Promise<SemanticApi>;
  /** Runs a script of the catalog or a source; bytes of the result go to `sink`. Throws a ServiceError. */
  run(request: RunRequest, sink: Sink, signal: AbortSignal): Promise<RunOutcome>;
  /** Plans a run as far as possible without its database, which is not opened. */
  plan(request: PlanRequest): Promise<PlanOutcome>;
  /** Loads data files into a table of a connection. Throws a ServiceError. */
  load(request: LoadRequest, signal: AbortSignal): Promise<LoadOutcome>;
  /** Stops running work and releases all resources; no method may be called afterwards. */
  close(): Promise<void>;
}

/** The query log of the home's server, newest first; rejects with a ServiceError or a HomeError. */
export type QueriesApi = Bound<QueryTrail>;

/** The catalog's operations for one principal (docs/reference/http-catalog.md); each rejects with a ServiceError. */
export type CatalogApi = Omit<Bound<CatalogService>, 'withScripts' | 'checkVisible' | 'locate'>;

/** The same on a server, which reads and writes long contents as bytes. */
export type ServedCatalogApi = Omit<CatalogApi, keyof ServedContents> & Bound<ServedContents>;

/** The history of assets for one principal; each rejects with a ServiceError. */
export type HistoryApi = Bound<HistoryService>;

/**
 * The connections for one principal (docs/reference/connections.md); each rejects with a ServiceError. In a body,
 * relative paths start at `folder`; without a folder they are refused.
 */
export type ConnectionsApi = Pick<
  Bound<ConnectionService, 'listKinds'>,
  'list' | 'get' | 'create' | 'replace' | 'delete' | 'listKinds' | 'listRefused'
>;

/** Running and waiting executions of one principal on the server of a home; for an administrator, of all users. */
export interface ExecutionsApi {
  /** Oldest first; null where no server runs. */
  list(): Promise<readonly RunningBody[] | null>;
  /** Rejects with a ServiceError: 404 where `list` does not show this id, 503 where no server runs. */
  cancel(id: string): Promise<void>;
}

export type {
  AssetBody,
  ConnectionBody,
  Content,
  DataInput,
  FolderBody,
  ItemBody,
  KindBody,
  LoadSettings,
  Params,
  QueryBody,
  RevisionBody,
  RunningBody,
  Versioned,
};
export type RunOutcome = ExecutionOutcome;
export type RunFormat = FormatName;
export type {
  DataFormat,
  ExecutionErrorCode,
  GivenParams,
  JsonValue,
  ScriptTarget,
  Target,
  TestResult,
  Warning,
};

/** Parameters and connection of a run. */
export interface RunSettings extends GivenParams {
  /** Default: the environment's connection, else `duckdb`. */
  readonly connection?: string | undefined;
  /** The key of an environment of the project; default: its default environment. */
  readonly environment?: string | undefined;
  /** Connection parameters for this run only (docs/reference/connections.md#what-a-connection-allows). */
  readonly overrides: Readonly<Record<string, string>>;
}

export interface RunRequest extends RunSettings {
  readonly target: Target;
  readonly format: RunFormat;
  readonly encoder?: EncoderOptions;
  readonly maxRows?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** Who sets `timeoutMs`, for its error; default: `--timeout`. */
  readonly timeoutSource?: string | undefined;
}

/** One request for an execution over HTTP (docs/reference/exec.md). */
export interface ServedRequest extends RunSettings {
  readonly target: ServedTarget;
  readonly format: RunFormat;
  readonly numbers: 'number' | 'string';
  /** Whether the results of all statements are recorded, as Arrow; only for asynchronous executions. */
  readonly recordsAll?: boolean;
}

export interface PlanRequest extends RunSettings {
  readonly target: ScriptTarget;
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
  | Extract<RunOutcome, { status: 'failed' }>;

/** Data and the table to create from it; a missing schema is created. */
export interface LoadRequest {
  readonly inputs: readonly DataInput[];
  /** Undefined: derived from the file name, or from the content without a name. */
  readonly format: DataFormat | undefined;
  readonly settings: LoadSettings;
  /** `name` or `schema.name`. */
  readonly table: string;
  readonly replace: boolean;
  readonly connection: string;
}

export type LoadOutcome =
  | {
      readonly status: 'done';
      readonly rows: number;
      readonly columns: readonly { readonly name: string; readonly type: string }[];
      /** Warnings about unexpected data, in sentences. */
      readonly warnings: readonly string[];
    }
  | Pick<Extract<RunOutcome, { status: 'failed' }>, 'status' | 'error'>;
