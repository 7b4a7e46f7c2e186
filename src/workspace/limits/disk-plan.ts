import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type DiskLimit, toQuota } from '../../engine/connection/contract/disk-limit.ts';
import type { Home } from '../home/home.ts';

/** How much the published files of each user of a home may take, and where it is kept whose they are. */
export function planPublished(
  { publish, published }: Home,
  limit: DiskLimit,
): { readonly bytes: number; readonly ledger: string } {
  if ('bytes' in limit) return { bytes: limit.bytes, ledger: published };
  const { bavail, bsize } = statfsSync(publish);
  return { bytes: toQuota(limit, readTree(publish), bavail * bsize), ledger: published };
}

/** Bytes of all files below a folder. */
function readTree(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}
