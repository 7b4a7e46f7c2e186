import { readFileSync } from 'node:fs';

const EVERY_MS = 250;

/**
 * Looks at the resident memory of a process, where there is `/proc`, four times a second, and calls `onOver` while
 * it is above `ceiling` bytes (null: never); returns what ends it.
 */
export function watchMemory(pid: number, ceiling: number | null, onOver: () => void): () => void {
  if (ceiling === null) return () => {};
  const timer = setInterval(() => {
    if (readResident(pid) > ceiling) onOver();
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Bytes; none of a process that is gone. */
function readResident(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
