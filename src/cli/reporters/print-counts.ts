import { printQuantity } from '../context/print-quantity.ts';

/** The test results in one line: `3 tests: 2 passed, 1 failed`. */
export function printCounts(all: number, failed: number): string {
  return `${printQuantity(all, 'test')}: ${all - failed} passed, ${failed} failed`;
}
