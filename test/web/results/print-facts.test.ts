import { describe, expect, it } from 'vitest';
import { printShare } from '../../../web/components/results/grid/print-facts.ts';

describe('a share', () => {
  it.each([
    [0, 7, '0%'],
    [1, 8, '12.5%'],
    [1, 1_000_000, '<0.1%'],
    [1, 1_000, '0.1%'],
    [999_999, 1_000_000, '>99.9%'],
    [7, 7, '100%'],
  ])('of %d in %d is %s', (part, whole, printed) => {
    expect(printShare(part, whole)).toBe(printed);
  });
});
