import { readDescendantsWork, readTreeWork } from '../processes.ts';

/** Of processes that ended without a parent that waited for them, in hundredths of a second. */
let uncounted = 0;

/**
 * Remembers the processor time of the descendants of a child of this process, right before a signal ends it without them
 * or all of them at once: then only the child has a parent that adds it up.
 */
export function countBeforeKill(pid: number): void {
  uncounted += readDescendantsWork(pid);
}

/** Processor time of this process and of its descendants, in hundredths of a second. */
export function readOwnTree(): number {
  return readTreeWork(process.pid) + uncounted;
}
