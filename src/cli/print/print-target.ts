import type { TargetResult } from '../../engine/run/outcome/target-report.ts';
import { printCount } from '../../invariants/print-count.ts';

/** The line of a target (docs/reference/build.md#lines). */
export function printTargetLine(
  target: Pick<TargetResult, 'name' | 'status' | 'action' | 'rows' | 'message' | 'duration_ms'>,
): string {
  const { name, status, action, rows, message, duration_ms: duration } = target;
  if (status !== 'PUBLISHED') return `${status === 'FAILED' ? 'FAILED' : 'skipped'} ${name}: ${message}`;
  const count = rows === null ? [] : [`${printCount(rows)} ${rows === 1 ? 'row' : 'rows'}`];
  return `published ${name} (${[action, ...count, `${(duration / 1000).toFixed(1)} s`].join(', ')})`;
}
