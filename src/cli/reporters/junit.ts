import type { RunOutcome, TestResult } from '../../workspace/workspace-api.ts';

/** JUnit's XML, one suite a package. */
export function printJunit(tests: readonly TestResult[], stats: RunOutcome['stats']): string {
  const suites = Map.groupBy(tests, (test) => test.package_name);
  const parts = [...suites].map(([name, own]) => printSuite(name, own));
  const counts = printCounts(tests, stats.duration_ms);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="quern" ${counts}>\n${parts.join('')}</testsuites>\n`;
}

function printSuite(name: string, tests: readonly TestResult[]): string {
  const duration = tests.reduce((sum, test) => sum + test.duration_ms, 0);
  const started = tests[0]!.started_at.slice(0, 19);
  const counts = `${printCounts(tests, duration)} skipped="0"`;
  const cases = tests.map(printCase).join('');
  return `  <testsuite name="${escapeXml(name)}" ${counts} timestamp="${started}">\n${cases}  </testsuite>\n`;
}

/** A test that could not run is an error, one with rows a failure. */
function printCase(test: TestResult): string {
  const head = `    <testcase name="${escapeXml(test.test_name)}" classname="${escapeXml(test.package_name)}" time="${toSeconds(test.duration_ms)}"`;
  if (test.status === 'PASSED') return `${head}/>\n`;
  const kind = isError(test) ? 'error' : 'failure';
  const body = escapeXml(`${test.file}:${test.line}:${test.column}\n${printSample(test)}`);
  const fault = `<${kind} message="${escapeXml(test.message)}" type="${kind}">${body}</${kind}>`;
  return `${head}>\n      ${fault}\n    </testcase>\n`;
}

function isError({ status, sample }: TestResult): boolean {
  return status === 'FAILED' && sample === null;
}

function printSample({ sample, diagnostics }: TestResult): string {
  if (sample === null) return diagnostics.map(({ frame }) => frame).join('\n');
  return [sample.columns, ...sample.rows]
    .map((row) => row.map((value) => value ?? 'NULL').join('\t'))
    .join('\n');
}

function printCounts(tests: readonly TestResult[], milliseconds: number): string {
  const errors = tests.filter(isError).length;
  const failures = tests.filter(({ status }) => status === 'FAILED').length - errors;
  return `tests="${tests.length}" failures="${failures}" errors="${errors}" time="${toSeconds(milliseconds)}"`;
}

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Text for XML, without the characters that XML cannot hold. */
function escapeXml(text: string): string {
  const held = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
  const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
  return held.replace(/[&<>"]/g, (character) => `&${names[character]};`).replace(/\n/g, '&#10;');
}
