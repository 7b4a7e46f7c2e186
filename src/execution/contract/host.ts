import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { AskOwner } from '../../engine/run/publish/ask-owner.ts';
import type { ExecutionOutcome } from './outcome.ts';
import type { Outlet } from './outlet.ts';
import type { ExecutionRequest } from './request.ts';

/** What an execution asks where the catalog is open. */
export interface CatalogAccess {
  /** Undefined for a request that is not on a semantic connection. */
  readonly translate?: Translate | undefined;
  /** Undefined: the files that the execution publishes have no owners. */
  readonly askOwner?: AskOwner | undefined;
}

/** Runs executions, in this thread or in a separate process. */
export interface ExecutionHost {
  /**
   * Runs one request; writes the bytes of the answer to `outlet` as they arrive. Resolves with a failed outcome for
   * every error of a script, a database, a limit or the outlet; rejects only for an internal error. A request on a
   * semantic connection needs the translation of its statements.
   */
  run(
    request: ExecutionRequest,
    outlet: Outlet,
    signal: AbortSignal,
    access?: CatalogAccess,
  ): Promise<ExecutionOutcome>;
  /** Ends the database session of an interactive session: its transaction is rolled back. Never rejects. */
  endSession(id: string): Promise<void>;
  close(): Promise<void>;
}
