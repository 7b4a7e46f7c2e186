import type { Stats } from '../../engine/result/columns/stats.ts';
import type { Subject } from '../../engine/run/outcome/errors.ts';
import type { TestResult } from '../../engine/run/outcome/test-report.ts';
import type { Published } from '../../engine/run/publish/publication-log.ts';
import type { Diagnostic, Warning } from '../../engine/text/diagnostic.ts';

/**
 * How one execution ended, as plain data, with its warnings, if there are any. `rows` is null when the script had no
 * result set.
 */
export type ExecutionOutcome = {
  readonly warnings?: readonly Warning[];
  /** What it has published, if anything, in that order. */
  readonly published?: readonly Published[];
} & (
  | {
      readonly status: 'done';
      readonly stats: Stats;
      readonly rows: number | null;
      /** Of an execution that ran tests, which then are its answer; null of any other. */
      readonly tests: readonly TestResult[] | null;
    }
  | {
      readonly status: 'failed';
      readonly stats: Stats;
      readonly fault: ExecutionFault;
      /** It ended before its turn came; its stats tell how long it waited. */
      readonly neverBegan?: true;
    }
);

/**
 * `sql`: the database refused a statement, at once or after its first rows; `script`: the text itself is
 * wrong; `gate`: a statement may not run in a sandbox; `parameter`: a parameter is malformed; `cancelled`,
 * `timeout`: stopped; `unreachable`, `login`, `locked`: no session could be opened; `selection`: no test, block or
 * environment of this name; `full`: no room on a disk; `quota`: the database may not grow any more; `conflict`: a publication lost a race; `limit`: a limit of the request; `output`: the sink failed;
 * `busy`: there is no place in the queue; `paused`: executions of the user have ended too many engine processes; `lost`: the process that ran it ended under it. Whoever asks again after
 * `busy`, `lost` or `conflict` may have luck.
 */
export type FaultCode =
  | 'sql'
  | 'script'
  | 'gate'
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

export interface ExecutionFault {
  readonly code: FaultCode;
  readonly message: string;
  /** Where in the author's text, when that is known. */
  readonly diagnostics: readonly Diagnostic[];
  /** The database still works although it was told to stop: only the end of the process ends it. */
  readonly stuck: boolean;
  /** What the fault is about, of those where a name says all (catalog 11). */
  readonly subject?: Subject;
  /** Seconds after which to ask again, when that is known. */
  readonly retryAfter?: number;
  /** What else whoever asked should know, in a sentence. */
  readonly note?: string;
}
