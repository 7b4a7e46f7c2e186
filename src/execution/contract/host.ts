import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { ExecutionOutcome } from './outcome.ts';
import type { Outlet } from './outlet.ts';
import type { ExecutionRequest } from './request.ts';

/** Where executions run: in this thread, or in a process of their own. */
export interface ExecutionHost {
  /**
   * Runs one request; bytes of the answer go to `outlet` as they come. Resolves with a failed outcome for
   * whatever a script, a database, a limit or the outlet can do; rejects only for a bug. A request on a semantic
   * connection needs `translate`.
   */
  run(
    request: ExecutionRequest,
    outlet: Outlet,
    signal: AbortSignal,
    translate?: Translate,
  ): Promise<ExecutionOutcome>;
  close(): Promise<void>;
}
