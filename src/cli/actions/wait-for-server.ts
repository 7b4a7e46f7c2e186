import type { CliContext } from '../context/context.ts';

const WAIT_SECONDS = 60;

/** What `--wait` says, in milliseconds: how long what runs on the server of a home may take to end. */
export function readWaiting(wait = WAIT_SECONDS): number {
  return wait * 1_000;
}

/** Says that a command waits for that, on standard error. */
export function sayWaiting({ notices }: CliContext, seconds: number): void {
  void notices.write(`waiting for what runs on the server of this home to end, ${seconds} s at most\n`);
}
