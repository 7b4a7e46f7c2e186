import { readFileSync } from 'node:fs';

const EVERY_MS = 250;

/**
 * Reads the resident memory of a process four times a second, on systems with `/proc`, and calls `onOver` while it
 * exceeds `ceiling` bytes (null: never). Returns a function that ends this.
 */
export function watchMemory(pid: number, ceiling: number | null, onOver: () => void): () => void {
  if (ceiling === null) return () => {};
  const timer = setInterval(() => {
    if (readResident(pid) > ceiling) onOver();
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resident memory in bytes; 0 for a process that has ended. */
function readResident(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
