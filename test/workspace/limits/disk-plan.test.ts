import { describe, expect, it } from 'vitest';
import { toQuota } from '../../../src/engine/connection/contract/disk-limit.ts';
import { isLittle } from '../../../src/workspace/limits/disk-warnings.ts';

describe('a limit of disk space', () => {
  it('is a share of the disk size and of the free space', () => {
    expect(toQuota({ share: 0.5 }, 30, 70)).toBe(50);
    expect(toQuota({ bytes: 20 }, 30, 70)).toBe(20);
  });
});

describe('free space is low or not', () => {
  it.each([
    [0.9e9, 5e9, true],
    [9e9, 100e9, true],
    [9e9, 80e9, false],
    [11e9, 1000e9, false],
  ])('%d bytes free of %d', (free, size, expected) => {
    expect(isLittle(free, size)).toBe(expected);
  });
});
