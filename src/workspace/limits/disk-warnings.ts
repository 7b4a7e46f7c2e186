import { statfsSync } from 'node:fs';
import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';

/** Thresholds for low disk space: less than 1 GB, or less than both a tenth of the disk and 10 GB. */
const MIN_FREE = 1e9;
const LITTLE_FREE = 10e9;
const LITTLE_SHARE = 0.1;
/** The share of its quota from which a database is nearly full. */
const NEARLY_FULL = 0.9;

/**
 * Warnings for administrators about the disk of a home and its databases; empty with enough space. They omit the names
 * of connections, because any user may read them.
 */
export function listDiskWarnings(folder: string, uses: readonly DiskUse[]): readonly string[] {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const free = describeFreeSpace(bavail * bsize, blocks * bsize);
  return [
    ...(free === null ? [] : [free]),
    ...uses.filter(isNearlyFull).map((use) => `a database, which the log names, ${describeUse(use)}`),
  ];
}

/** A warning about low disk space; null with enough space. Sizes are in bytes. */
export function describeFreeSpace(free: number, size: number): string | null {
  const isLittle = free < MIN_FREE || (free < LITTLE_FREE && free < size * LITTLE_SHARE);
  return isLittle ? `the disk has ${printGigabytes(free)} GB free of ${printGigabytes(size)} GB` : null;
}

function isNearlyFull({ bytes, quota }: DiskUse): boolean {
  return bytes >= quota * NEARLY_FULL;
}

function describeUse({ bytes, quota }: DiskUse): string {
  return `uses ${Math.floor((bytes / quota) * 100)} % of the disk space that it may use`;
}

/** Logs each nearly full database once, by its name. */
export function createUseLog(log: (line: string) => void): (uses: readonly DiskUse[]) => void {
  let known = new Set<string>();
  return (uses) => {
    const full = uses.filter(isNearlyFull);
    for (const use of full) if (!known.has(use.name)) log(`the database ${use.name} ${describeUse(use)}`);
    known = new Set(full.map(({ name }) => name));
  };
}

function printGigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
