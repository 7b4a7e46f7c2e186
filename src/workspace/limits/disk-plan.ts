import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type DiskLimit, toQuota } from '../../engine/connection/contract/disk-limit.ts';
import type { Home } from '../home/home.ts';
import { parseAmount, printMegabytes } from './memory-plan.ts';

/** What each database may use where nobody has said so: half of its own size and what is free. */
export const DEFAULT_DISK: DiskLimit = { share: 0.5 };
/** An empty database with its log takes some of it. */
const MIN_BYTES = 16 * 1024 ** 2;

/** What is wrong with an amount of disk space, as an end of a sentence that begins with its name. */
export class DiskError extends Error {}

/** A limit of a text such as `20GB`, `512MiB` or `50%` of a file's size and what is free. Throws a DiskError. */
export function readDisk(text: string): DiskLimit {
  const amount = parseAmount(text);
  if (amount === null) throw new DiskError(`is ${text}: it looks like 20GB, 512MiB or 50%`);
  if (amount.unit === '%') {
    if (amount.value > 0 && amount.value <= 100) return { share: amount.value / 100 };
    throw new DiskError(`is ${text}: it is above 0% and at most 100%`);
  }
  if (amount.value < MIN_BYTES) throw new DiskError(`is ${text}: at least ${printMegabytes(MIN_BYTES)}`);
  return { bytes: amount.value };
}

/** How much the published files of each user of a home may take, and where it is kept whose they are. */
export function planPublished(
  { publish, published }: Home,
  limit: DiskLimit = DEFAULT_DISK,
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
