import type { Stats } from '../../result/columns/stats.ts';
import type { Diagnostic, Warning } from '../../text/diagnostic.ts';

/** What one test came to (interface 2.6), and what only the command line shows of it. */
export interface TestResult extends Stats {
  readonly package_name: string;
  readonly test_name: string;
  readonly status: 'PASSED' | 'FAILED';
  readonly message: string;
  /** Where the test is declared. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The first rows of those that should not be there. */
  readonly sample: TestSample | null;
  /** What is wrong, where the author wrote it, if the test could not run. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface TestSample {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The body of the interface's test result (2.6), of all tests of one execution, with the warnings, if there are any. */
export function printTestBody(
  results: readonly TestResult[],
  stats: Stats,
  warnings: readonly Warning[] = [],
): string {
  const tests = results.map((result) => ({
    package_name: result.package_name,
    test_name: result.test_name,
    status: result.status,
    message: result.message,
    started_at: result.started_at,
    finished_at: result.finished_at,
    duration_ms: result.duration_ms,
  }));
  const failed = tests.filter(({ status }) => status === 'FAILED').length;
  const counts = { tests: tests.length, passed: tests.length - failed, failed };
  return `${JSON.stringify({ tests, stats: { ...counts, ...stats }, ...(warnings.length > 0 ? { warnings } : {}) })}\n`;
}
