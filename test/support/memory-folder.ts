import { readFileSync, statfsSync } from 'node:fs';

const FOLDER = '/dev/shm';
/** The minimum of free bytes: the databases, homes and results of several tests at the same time. */
const LEAST_FREE = 8 * 1024 ** 3;

/** A folder in memory where tests can write and run files; undefined on a machine without one or with little memory. */
export function findMemoryFolder(): string | undefined {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === FOLDER);
    const [, , type, options = ''] = mount?.split(' ') ?? [];
    const { bavail, bsize } = statfsSync(FOLDER);
    const isUsable = type === 'tmpfs' && !/\b(?:ro|noexec)\b/.test(options) && bavail * bsize >= LEAST_FREE;
    return isUsable ? FOLDER : undefined;
  } catch {
    return undefined;
  }
}
