import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type DiskLimit, toQuota } from '../../engine/connection/contract/disk-limit.ts';
import type { Home } from '../home/home.ts';

/** The disk quota of the published files of each user of a home, in bytes. */
export function planPublished({ publish }: Home, limit: DiskLimit): number {
  if ('bytes' in limit) return limit.bytes;
  const { bavail, bsize } = statfsSync(publish);
  return toQuota(limit, readTree(publish), bavail * bsize);
}

/** The size of all files below a folder, in bytes. */
function readTree(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}
