import type { Stats } from '../../result/columns/encoder.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import { printFindings, type RunFindings } from './target-report.ts';

/**
 * The result of one test (docs/reference/testing.md#results-as-json), with details that only the command line shows.
 */
export interface TestResult extends Stats {
  readonly package_name: string;
  readonly test_name: string;
  readonly status: 'PASSED' | 'FAILED';
  readonly message: string;
  /** `warn` for a test whose wrong rows only warn, or do not exceed its limit. */
  readonly severity: 'error' | 'warn';
  /** The number of wrong rows; null if the test could not run. */
  readonly rows: number | null;
  /** The table with the wrong rows; null if they are not kept. */
  readonly stored: string | null;
  /** The position of the test's declaration. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The first rows that make the test fail. */
  readonly sample: TestSample | null;
  /** The errors with their positions, if the test could not run. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The maximum of wrong rows that are kept of one test. */
export const MAX_KEPT_ROWS = 1_000_000;

/** The end of one test; only a build skips tests. */
export interface EndedTest extends Omit<TestResult, 'status'> {
  readonly status: TestResult['status'] | 'SKIPPED';
}

/** The end of one test of a build (docs/reference/build.md#report). */
export interface BuildTest extends EndedTest {
  /** The target or test whose failure is the reason of a skip. */
  readonly because: string | null;
}

export interface TestSample {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** How many tests ran, and how many of them failed. */
export interface TestCount {
  readonly total: number;
  readonly failed: number;
}

/** Whether a test has passed with wrong rows (docs/reference/checks.md#severity). */
export function isWarned({ status, rows }: Pick<EndedTest, 'status' | 'rows'>): boolean {
  return status === 'PASSED' && rows !== null && rows > 0;
}

export function countTests(results: readonly Pick<TestResult, 'status'>[]): TestCount {
  const failed = results.filter(({ status }) => status === 'FAILED').length;
  return { total: results.length, failed };
}

/**
 * Prints the body of a test result (docs/reference/testing.md#results-as-json): all tests of one execution, and its
 * targets and warnings if there are any.
 */
export function printTestBody(
  results: readonly TestResult[],
  stats: Stats,
  findings: RunFindings = {},
): string {
  const tests = results.map((result) => ({
    package_name: result.package_name,
    test_name: result.test_name,
    status: result.status,
    message: result.message,
    ...(isWarned(result) && { severity: result.severity, rows: result.rows }),
    started_at: result.started_at,
    finished_at: result.finished_at,
    duration_ms: result.duration_ms,
  }));
  const { total, failed } = countTests(results);
  const counts = { tests: total, passed: total - failed, failed };
  return `${JSON.stringify({ tests, stats: { ...counts, ...stats }, ...printFindings(findings) })}\n`;
}
