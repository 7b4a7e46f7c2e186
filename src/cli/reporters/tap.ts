import type { TestResult } from '../../engine/run/outcome/test-report.ts';

/** Version 14 of the Test Anything Protocol. */
export function printTap(tests: readonly TestResult[]): string {
  const lines = tests.map((test, i) => {
    const name = `${test.package_name}.${test.test_name}`.replace(/[#\\]/g, '\\$&');
    if (test.status === 'PASSED') return `ok ${i + 1} - ${name}`;
    const details = { message: test.message, at: `${test.file}:${test.line}:${test.column}` };
    const yaml = Object.entries(details).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
    return [`not ok ${i + 1} - ${name}`, '  ---', ...yaml, '  ...'].join('\n');
  });
  return ['TAP version 14', `1..${tests.length}`, ...lines].map((line) => `${line}\n`).join('');
}
