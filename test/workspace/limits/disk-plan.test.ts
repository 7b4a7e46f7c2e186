import { describe, expect, it } from 'vitest';
import { toQuota } from '../../../src/engine/connection/contract/disk-limit.ts';
import { describeFreeSpace } from '../../../src/workspace/limits/disk-warnings.ts';

describe('a limit of disk space', () => {
  it('is a share of the disk size and of the free space', () => {
    expect(toQuota({ share: 0.5 }, 30, 70)).toBe(50);
    expect(toQuota({ bytes: 20 }, 30, 70)).toBe(20);
  });
});

describe('little free space', () => {
  it.each([
    [0.9e9, 5e9, 'the disk has 0.9 GB free of 5.0 GB'],
    [9e9, 100e9, 'the disk has 9.0 GB free of 100.0 GB'],
    [9e9, 80e9, null],
    [11e9, 1000e9, null],
  ])('%d bytes free of %d', (free, size, warning) => {
    expect(describeFreeSpace(free, size)).toBe(warning);
  });
});
