import { countTargets, type TargetResult, toTargetEntry } from '../../engine/run/outcome/target-report.ts';
import { type BuildTest, isWarned } from '../../engine/run/outcome/test-report.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { printQuantity } from '../context/print-quantity.ts';

/** The targets and tests of a build that have ended. */
export interface BuildReport {
  readonly targets: readonly TargetResult[];
  readonly tests: readonly BuildTest[];
  readonly stats: ExecutionOutcome['stats'];
}

/** The report of a build or a plan in which nothing has changed. */
export const NOTHING_CHANGED = 'nothing has changed since it was published\n';

/** The counts of a build, in two lines (docs/reference/build.md#lines). */
export function printBuildCounts({ targets, tests }: BuildReport): string {
  if (targets.length + tests.length === 0) return NOTHING_CHANGED;
  const { total, published, failed, skipped } = countTargets(targets);
  const ended = countEnds(tests);
  return [
    `${printQuantity(total, 'target')}: ${published} published, ${failed} failed, ${skipped} skipped\n`,
    `${printQuantity(tests.length, 'test')}: ${ended.passed - ended.warned} passed, ${ended.warned} warned, ${ended.failed} failed, ${ended.skipped} skipped\n`,
  ].join('');
}

/** The report of a build as JSON (docs/reference/build.md#report). */
export function printBuildDocument({ targets, tests, stats }: BuildReport): string {
  const document = {
    targets: targets.map(toTargetEntry),
    tests: tests.map(printTestEntry),
    stats: { tests: tests.length, ...countEnds(tests), ...stats },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function printTestEntry(test: BuildTest) {
  const { file: _, line: __, column: ___, sample: ____, diagnostics: _____, ...entry } = test;
  return entry;
}

function countEnds(tests: readonly BuildTest[]) {
  const count = (wanted: BuildTest['status']) => tests.filter(({ status }) => status === wanted).length;
  return {
    passed: count('PASSED'),
    warned: tests.filter(isWarned).length,
    failed: count('FAILED'),
    skipped: count('SKIPPED'),
  };
}
