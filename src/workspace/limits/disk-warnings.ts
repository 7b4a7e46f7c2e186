import { statfsSync } from 'node:fs';
import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';

/** Thresholds for low disk space: less than 1 GB, or less than both a tenth of the disk and 10 GB. */
const MIN_FREE = 1e9;
const LITTLE_FREE = 10e9;
const LITTLE_SHARE = 0.1;
/** The share of its quota from which a database is nearly full. */
const NEARLY_FULL = 0.9;

/**
 * Warnings about the disk of a home and its databases; empty with enough space. They omit sizes and the names of
 * connections, because anyone may read them.
 */
export function listDiskWarnings(folder: string, uses: readonly DiskUse[]): readonly string[] {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return [
    ...(isLittle(bavail * bsize, blocks * bsize)
      ? ['the disk is almost full: `quern admin check` shows its free space']
      : []),
    ...uses.filter(isNearlyFull).map(() => 'a database, which the log names, almost exceeds its disk limit'),
  ];
}

/**
 * Whether the free space of a disk is low. Sizes are in bytes.
 *
 * @internal
 */
export function isLittle(free: number, size: number): boolean {
  return free < MIN_FREE || (free < LITTLE_FREE && free < size * LITTLE_SHARE);
}

function isNearlyFull({ bytes, quota }: DiskUse): boolean {
  return bytes >= quota * NEARLY_FULL;
}

/** Logs each nearly full database once, by its name. */
export function createUseLog(log: (line: string) => void): (uses: readonly DiskUse[]) => void {
  let known = new Set<string>();
  return (uses) => {
    const full = uses.filter(isNearlyFull);
    for (const { name, bytes, quota } of full) {
      const share = Math.floor((bytes / quota) * 100);
      if (!known.has(name)) log(`the database ${name} uses ${share} % of the disk space that it may use`);
    }
    known = new Set(full.map(({ name }) => name));
  };
}
