import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/**
 * The id of a process that holds a write lock on the database or its shared memory, if the system reports it
 * (Linux, own processes); undefined otherwise. Never throws.
 */
export function findLockHolder(file: string): number | undefined {
  try {
    const names = [file, `${file}-shm`];
    const inodes = new Set(names.map((name) => statSync(name, { throwIfNoEntry: false })?.ino));
    return findWriters(readFileSync('/proc/locks', 'utf8'), inodes).find((pid) => hasOpen(pid, names));
  } catch {
    return undefined;
  }
}

/** A line of /proc/locks: `1: POSIX  ADVISORY  WRITE 1234 08:01:5678 120 120`. */
function findWriters(locks: string, inodes: ReadonlySet<number | undefined>): number[] {
  const lines = locks.matchAll(/^\d+: POSIX +\S+ +WRITE (\d+) \w+:\w+:(\d+) /gm);
  return [...lines]
    .filter(([, , inode]) => inodes.has(Number(inode)))
    .map(([, pid]) => Number(pid))
    .filter((pid) => pid !== process.pid);
}

/** The same number may be an inode of another disk: only a process that has the file open counts. */
function hasOpen(pid: number, names: readonly string[]): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((fd) => names.includes(readlinkSync(`${folder}/${fd}`)));
}
