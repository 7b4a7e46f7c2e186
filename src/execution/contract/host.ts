import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { ExecutionOutcome } from './outcome.ts';
import type { Outlet } from './outlet.ts';
import type { ExecutionRequest } from './request.ts';

/** Runs executions, in this thread or in a separate process. */
export interface ExecutionHost {
  /**
   * Runs one request; writes the bytes of the answer to `outlet` as they arrive. Resolves with a failed outcome for
   * every error of a script, a database, a limit or the outlet; rejects only for an internal error. A request on a
   * semantic connection needs `translate`.
   */
  run(
    request: ExecutionRequest,
    outlet: Outlet,
    signal: AbortSignal,
    translate?: Translate,
  ): Promise<ExecutionOutcome>;
  close(): Promise<void>;
}
