import type { Stats } from '../../engine/result/columns/encoder.ts';
import type { ErrorSubject } from '../../engine/run/outcome/errors.ts';
import type { StatementTally } from '../../engine/run/outcome/statement-count.ts';
import type { TargetResult } from '../../engine/run/outcome/target-report.ts';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import type { Diagnostic, Warning } from '../../engine/text/diagnostic.ts';
import type { LastingOutcome } from './lasting.ts';

/**
 * The result of one execution, as plain data, with its warnings, if any. `rows` is null when the script had no result
 * set.
 */
export type ExecutionOutcome = {
  readonly warnings?: readonly Warning[];
  /** The targets that it has published or tried to publish, if any, in the order of their ends. */
  readonly targets?: readonly TargetResult[];
  /** The schemas that it has created for targets, if any. */
  readonly schemas?: readonly string[];
  /** For an execution of an interactive session. */
  readonly lasting?: LastingOutcome;
} & (
  | {
      readonly status: 'done';
      readonly stats: Stats;
      readonly rows: number | null;
      /** Number of further result sets, which are not in the answer. */
      readonly others?: number;
      /** Results of tests, which replace the answer; null if the execution ran no tests. */
      readonly tests: readonly TestResult[] | null;
    }
  | {
      readonly status: 'failed';
      readonly stats: Stats;
      readonly error: ExecutionError;
      /** The statements before the error; undefined if the execution did not begin. */
      readonly statements?: StatementTally;
      /** It ended while it was queued; its stats contain the time in the queue. */
      readonly neverBegan?: true;
    }
);

/**
 * `sql`: the database rejected a statement, at once or after its first rows; `script`: the script is invalid; `gate`: a
 * statement may not run in a sandbox; `level`: a statement needs USE, and the user has READ; `parameter`: a parameter is malformed; `cancelled`, `timeout`: stopped;
 * `unreachable`, `login`, `locked`: no session could be opened; `selection`: no test, block or environment of this
 * name; `full`: the disk is full; `quota`: the database has reached its size limit; `conflict`: a concurrent
 * publication has won; `limit`: a limit of the request; `output`: the sink failed; `busy`: the queue is full; `paused`:
 * executions of the user have ended too many engine processes; `lost`: the process that ran it has ended. A retry may
 * succeed after `busy`, `lost` or `conflict`.
 */
export type ExecutionErrorCode =
  | 'sql'
  | 'script'
  | 'gate'
  | 'level'
  | 'parameter'
  | 'cancelled'
  | 'timeout'
  | 'unreachable'
  | 'login'
  | 'locked'
  | 'full'
  | 'quota'
  | 'conflict'
  | 'limit'
  | 'selection'
  | 'output'
  | 'busy'
  | 'paused'
  | 'lost';

export interface ExecutionError {
  readonly code: ExecutionErrorCode;
  readonly message: string;
  /** Positions in the author's source, if known. */
  readonly diagnostics: readonly Diagnostic[];
  /** The database still works although a stop was requested; only the end of the process stops it. */
  readonly stuck: boolean;
  /**
   * The block, test or other object that the error concerns, if a name identifies it (docs/reference/exec.md#bodies).
   */
  readonly subject?: ErrorSubject;
  /** Seconds to wait before a retry, if known. */
  readonly retryAfter?: number;
  /** Additional advice for the caller, in one sentence. */
  readonly note?: string;
}
