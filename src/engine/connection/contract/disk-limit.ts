/** Bytes, or a share of the file's size plus the free space when the file is first opened. */
export type DiskLimit = { readonly bytes: number } | { readonly share: number };

/** Disk use and limit of a database, in bytes. */
export interface DiskUse {
  /** Name of the connection. */
  readonly name: string;
  readonly bytes: number;
  readonly quota: number;
}

/** The limit in bytes for files of `used` bytes on a disk with `free` bytes left. */
export function toQuota(limit: DiskLimit, used: number, free: number): number {
  return 'bytes' in limit ? limit.bytes : (used + free) * limit.share;
}
