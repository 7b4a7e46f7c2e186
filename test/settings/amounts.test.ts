import { describe, expect, it } from 'vitest';
import { findMemory, readDisk, readMemory } from '../../src/settings/amounts.ts';
import { SettingError } from '../../src/settings/setting.ts';

const GIB = 1024 ** 3;

describe('an amount of memory', () => {
  it.each([
    ['4GB', 4e9],
    ['4gb', 4e9],
    ['1.5 GiB', 1.5 * GIB],
    ['512MiB', GIB / 2],
    [' 100MB ', 100e6],
    ['0.01TB', 1e10],
    ['50%', 8 * GIB],
    ['12.5%', 2 * GIB],
    ['80%', Math.floor(12.8 * GIB)],
  ])('is read: %s', (text, bytes) => {
    expect(readMemory(text, { name: 'memory' }, 16 * GIB)).toBe(bytes);
  });

  it.each([
    ['', 'expected a value such as 4GB'],
    ['4', 'expected a value such as 4GB'],
    ['4 GBs', 'expected a value such as 4GB'],
    ['-4GB', 'expected a value such as 4GB'],
    ['4e9MB', 'expected a value such as 4GB'],
    ["4GB'; SET x", 'expected a value such as 4GB'],
    ['10MB', 'at least 64MiB'],
    ['0%', 'at least 64MiB'],
    ['81%', 'at most 80% of the memory, which is 16384MiB here'],
    ['13GiB', 'at most 80% of the memory'],
    ['999999999TB', 'at most 80% of the memory'],
  ])('is refused: %j', (text, reason) => {
    const read = () => readMemory(text, { name: 'memory' }, 16 * GIB);
    expect(read).toThrow(SettingError);
    expect(read).toThrow(reason);
  });

  it('is a part of what this machine has', () => {
    expect(readMemory('50%', { name: 'memory' })).toBe(Math.floor(findMemory() / 2));
  });
});

describe('an amount of disk space', () => {
  it.each([
    ['20GB', { bytes: 20e9 }],
    ['16MiB', { bytes: 16 * 1024 ** 2 }],
    [' 1.5 TB', { bytes: 1.5e12 }],
    ['50%', { share: 0.5 }],
    ['100%', { share: 1 }],
  ])('is read: %s', (text, limit) => {
    expect(readDisk(text, { name: 'disk' })).toEqual(limit);
  });

  it.each([
    ['', 'expected a value such as 20GB'],
    ['20', 'expected a value such as 20GB'],
    ['-1GB', 'expected a value such as 20GB'],
    ['15MB', 'at least 16MiB'],
    ['0%', 'above 0%'],
    ['100.1%', 'at most 100%'],
  ])('is refused: %j', (text, reason) => {
    const read = () => readDisk(text, { name: 'disk' });
    expect(read).toThrow(SettingError);
    expect(read).toThrow(reason);
  });
});
