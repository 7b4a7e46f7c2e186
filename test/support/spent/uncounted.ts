import { readTreeWork } from '../processes.ts';

/** Of processes that ended without a parent that waited for them, in hundredths of a second. */
let uncounted = 0;

/**
 * Remembers the processor time of a process and its descendants, right before a signal ends all of them at once: then no
 * parent adds up that of its children.
 */
export function countBeforeKill(pid: number): void {
  uncounted += readTreeWork(pid);
}

/** Processor time of this process and of its descendants, in hundredths of a second. */
export function readOwnTree(): number {
  return readTreeWork(process.pid) + uncounted;
}
