import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type DiskLimit, toQuota } from '../../engine/connection/contract/disk-limit.ts';
import type { Home } from '../home/home.ts';

/** The disk quota of published files per user of a home, and the record of their owners. */
export function planPublished(
  { publish, published }: Home,
  limit: DiskLimit,
): { readonly bytes: number; readonly ledger: string } {
  if ('bytes' in limit) return { bytes: limit.bytes, ledger: published };
  const { bavail, bsize } = statfsSync(publish);
  return { bytes: toQuota(limit, readTree(publish), bavail * bsize), ledger: published };
}

/** The size of all files below a folder, in bytes. */
function readTree(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}
