import type { EndedTest } from '../../engine/run/outcome/test-report.ts';
import { printQuantity } from '../context/print-quantity.ts';

/** The test results in one line: `3 tests: 2 passed, 1 failed`; with skipped ones only if there are any. */
export function printCounts(tests: readonly Pick<EndedTest, 'status'>[]): string {
  const count = (wanted: EndedTest['status']) => tests.filter(({ status }) => status === wanted).length;
  const skipped = count('SKIPPED');
  const counts = `${count('PASSED')} passed, ${count('FAILED')} failed`;
  return `${printQuantity(tests.length, 'test')}: ${counts}${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}
