import type { AnswerFindings, Stats } from '../../result/columns/encoder.ts';
import type { Diagnostic, Warning } from '../../text/diagnostic.ts';

/** What a publication did with its object or file. */
export type TargetAction = 'create' | 'replace' | 'append' | 'merge' | 'history' | 'write';

/** The end of one target of a run (docs/reference/build.md#report). */
export interface TargetResult extends Stats {
  /** The table, view or file. */
  readonly name: string;
  readonly block: string;
  readonly package_name: string;
  readonly status: 'PUBLISHED' | 'FAILED' | 'SKIPPED';
  /** Null unless it was published. */
  readonly action: TargetAction | null;
  /** The total rows of a table; null if they were not counted. */
  readonly rows: number | null;
  /** Why it failed or was skipped. */
  readonly message: string | null;
  /** The target or test whose failure is the reason of a skip. */
  readonly because: string | null;
  /** The position of the block. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The errors with their positions, if it failed. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What a run has found out in addition to its rows or tests. */
export interface RunFindings {
  readonly targets?: readonly TargetResult[];
  readonly warnings?: readonly Warning[];
}

/** The findings of a run in documents (docs/reference/results.md#documents). */
export function printFindings({ targets = [], warnings = [] }: RunFindings): AnswerFindings {
  return {
    ...(targets.length > 0 && { targets: targets.map(toTargetEntry) }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** A target in documents (docs/reference/build.md#report). */
export function toTargetEntry({
  column: _,
  diagnostics: __,
  ...entry
}: TargetResult): Omit<TargetResult, 'column' | 'diagnostics'> {
  return entry;
}

/** How many targets ended in each way. */
export interface TargetCount {
  readonly total: number;
  readonly published: number;
  readonly failed: number;
  readonly skipped: number;
}

export function countTargets(results: readonly Pick<TargetResult, 'status'>[]): TargetCount {
  const count = (wanted: TargetResult['status']) => results.filter(({ status }) => status === wanted).length;
  return {
    total: results.length,
    published: count('PUBLISHED'),
    failed: count('FAILED'),
    skipped: count('SKIPPED'),
  };
}
