import { printTestBody } from '../../workspace/api/test-body.ts';
import type { RunOutcome, TestResult } from '../../workspace/api/workspace-api.ts';

/** The test result of the interface (2.6). */
export function printJson(tests: readonly TestResult[], stats: RunOutcome['stats']): string {
  return printTestBody(tests, stats);
}
