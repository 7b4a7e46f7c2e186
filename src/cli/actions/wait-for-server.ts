import type { CliContext } from '../context/context.ts';

const WAIT_SECONDS = 60;

/** The value of `--wait` in milliseconds: the time that executions on the home's server have to end. */
export function readWaiting(wait = WAIT_SECONDS): number {
  return wait * 1_000;
}

/** Prints a notice of the wait to standard error. */
export function sayWaiting({ notices }: CliContext, seconds: number): void {
  void notices.write(`waiting for the executions on the server of this home to end, ${seconds} s at most\n`);
}
