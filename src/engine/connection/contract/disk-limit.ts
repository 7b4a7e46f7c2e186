/** Bytes, or a part of a file's size and what is free beside it, when it is first opened. */
export type DiskLimit = { readonly bytes: number } | { readonly share: number };

/** How much of the disk a database uses and may use, in bytes. */
export interface DiskUse {
  /** Of the connection. */
  readonly name: string;
  readonly bytes: number;
  readonly quota: number;
}

/** Bytes of a limit for files that take `used` bytes where `free` are left. */
export function toQuota(limit: DiskLimit, used: number, free: number): number {
  return 'bytes' in limit ? limit.bytes : (used + free) * limit.share;
}
