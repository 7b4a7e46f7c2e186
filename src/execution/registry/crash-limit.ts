import { executionErrors } from '../contract/errors.ts';

/** For how long a crash is remembered, in milliseconds. */
const WINDOW_MS = 10 * 60_000;
/** After so many crashes in this time that they have caused alone, users are paused. */
const MAX_CRASHES = 3;
/** A user is a suspect after so many crashes that interrupted an execution of the user. */
const SUSPICIOUS_CRASHES = 2;
/** The first pause of a user, and the longest; each is twice as long as the one before. */
const PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 60 * 60_000;

interface Crash {
  readonly at: number;
  /** The user who has caused it, or else all users with a running execution. */
  readonly owners: ReadonlySet<string>;
}

interface Pause {
  readonly ms: number;
  readonly until: number;
}

/**
 * Finds out whose executions end engine processes, and pauses these users (docs/guides/server-queries.md#the-engine-process).
 *
 * The cause is unknown if executions of several users ran. So the users whose executions ran in more than one crash are
 * suspects: only one execution of them all may run at a time. If a process ends again, the suspect with an execution in
 * it has caused that, also with other users in it.
 */
export interface CrashLimit {
  /** Records the end of a process; `owners` are the users with an execution in it, each once. */
  note(owners: readonly string[]): void;
  /** Records that an execution has ended, but not its process: its user is not suspected any more. */
  noteEnd(owner: string): void;
  /** Whether an execution of a user must not run at the same time as those of other suspects. */
  isSuspect(owner: string): boolean;
  /** Throws a PausedError while the executions of a user are paused. */
  check(owner: string): void;
}

/**
 * Creates a limit without crashes. `onPause` is called for each pause; `now` returns milliseconds of a monotonic clock.
 */
export function createCrashLimit(
  onPause: (owner: string, seconds: number) => void,
  now: () => number = () => performance.now(),
): CrashLimit {
  /** Those of the last ten minutes. */
  let crashes: readonly Crash[] = [];
  /** When an execution of a suspect has ended. */
  const cleared = new Map<string, number>();
  /** The last pause of each user, until ten minutes after its end. */
  const pauses = new Map<string, Pause>();

  function forgetOld(): void {
    crashes = crashes.filter(({ at }) => now() - at < WINDOW_MS);
    for (const [owner, { until }] of pauses) if (now() - until >= WINDOW_MS) pauses.delete(owner);
    for (const owner of cleared.keys()) if (listOwn(owner).length === 0) cleared.delete(owner);
  }

  function listOwn(owner: string): readonly Crash[] {
    return crashes.filter(({ owners }) => owners.has(owner));
  }

  function isSuspect(owner: string): boolean {
    if (crashes.length === 0 && pauses.size === 0) return false;
    forgetOld();
    const ownerCrashes = listOwn(owner);
    // A harmless execution before each harmful one does not clear a user after more crashes.
    if (pauses.has(owner) || ownerCrashes.length > SUSPICIOUS_CRASHES) return true;
    const last = ownerCrashes.at(-1);
    return (
      ownerCrashes.length === SUSPICIOUS_CRASHES && last !== undefined && (cleared.get(owner) ?? 0) < last.at
    );
  }

  function punish(owner: string): void {
    const last = pauses.get(owner);
    if (last === undefined && listOwn(owner).length < MAX_CRASHES) return;
    const ms = last === undefined ? PAUSE_MS : Math.min(2 * last.ms, MAX_PAUSE_MS);
    pauses.set(owner, { ms, until: now() + ms });
    onPause(owner, ms / 1000);
  }

  return {
    isSuspect,
    note(owners) {
      const suspects = owners.filter(isSuspect);
      const [culprit] = owners.length === 1 ? owners : suspects.length === 1 ? suspects : [];
      crashes = [...crashes, { at: now(), owners: new Set(culprit === undefined ? owners : [culprit]) }];
      if (culprit !== undefined) punish(culprit);
    },
    noteEnd(owner) {
      if (isSuspect(owner)) cleared.set(owner, now());
    },
    check(owner) {
      const pause = pauses.get(owner);
      if (pause === undefined) return;
      const left = pause.until - now();
      if (left > 0) throw executionErrors.paused(Math.ceil(left / 1000));
    },
  };
}
