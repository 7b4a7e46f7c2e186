import { describe, expect, it } from 'vitest';
import { toQuota } from '../../../src/engine/connection/contract/disk-limit.ts';
import { DiskError, readDisk } from '../../../src/workspace/limits/disk-plan.ts';
import { describeFreeSpace } from '../../../src/workspace/limits/disk-warnings.ts';

describe('an amount of disk space', () => {
  it.each([
    ['20GB', { bytes: 20e9 }],
    ['16MiB', { bytes: 16 * 1024 ** 2 }],
    [' 1.5 TB', { bytes: 1.5e12 }],
    ['50%', { share: 0.5 }],
    ['100%', { share: 1 }],
  ])('is read: %s', (text, limit) => {
    expect(readDisk(text)).toEqual(limit);
  });

  it.each([
    ['', 'it looks like 20GB'],
    ['20', 'it looks like 20GB'],
    ['-1GB', 'it looks like 20GB'],
    ['15MB', 'at least 16MiB'],
    ['0%', 'above 0%'],
    ['100.1%', 'at most 100%'],
  ])('is refused: %j', (text, reason) => {
    const read = () => readDisk(text);
    expect(read).toThrow(DiskError);
    expect(read).toThrow(reason);
  });

  it('is a part of what there is and what is free', () => {
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
