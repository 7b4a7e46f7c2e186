import { printCount } from '../context/print-count.ts';

/** The test results in one line: `3 tests: 2 passed, 1 failed`. */
export function printCounts(all: number, failed: number): string {
  return `${printCount(all, 'test')}: ${all - failed} passed, ${failed} failed`;
}
