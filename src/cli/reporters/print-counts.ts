import { type EndedTest, isWarned } from '../../engine/run/outcome/test-report.ts';
import { printQuantity } from '../context/print-quantity.ts';

/** The test results in one line: `3 tests: 2 passed, 1 failed`; with warned and skipped ones only if there are any. */
export function printCounts(tests: readonly Pick<EndedTest, 'status' | 'rows'>[]): string {
  const count = (wanted: EndedTest['status']) => tests.filter(({ status }) => status === wanted).length;
  const [warned, skipped] = [tests.filter(isWarned).length, count('SKIPPED')];
  const counts = [
    `${count('PASSED') - warned} passed`,
    ...(warned === 0 ? [] : [`${warned} warned`]),
    `${count('FAILED')} failed`,
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  return `${printQuantity(tests.length, 'test')}: ${counts.join(', ')}`;
}
