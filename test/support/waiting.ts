import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';
import { readWork } from './processes.ts';

const INTERVAL_MS = 1;
/** How often the figures of a process are read, which takes processor time. */
const READING_MS = 20;
/** A number that does not grow for this time has stopped growing. */
const STALLED_MS = 200;

type Maybe<T> = T | false | null | undefined;

/** Checks every millisecond until a condition holds, and returns its value; fails after a minute. */
export async function waitUntil<T>(condition: () => Maybe<T> | Promise<Maybe<T>>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (performance.now() > end)
      throw new Error(`waited ${PATIENCE_MS} ms without success for: ${condition}`);
    await sleep(INTERVAL_MS);
  }
}

/** Repeats an assertion every `interval` milliseconds until it holds; fails with its error after a minute. */
export function eventually<T>(check: () => T | Promise<T>, interval = 50): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval });
}

/**
 * Reads a number until it is above 0 and no longer grows, because no reader or no work is left; returns it.
 */
export async function waitUntilStalled(read: () => number | Promise<number>): Promise<number> {
  return waitUntil(async () => {
    const before = await read();
    await sleep(STALLED_MS);
    return before > 0 && (await read()) === before ? before : null;
  });
}

/**
 * Waits until a process, by default this one, has used `ms` more of processor time: the query has started.
 */
export async function waitUntilBusy(pid = process.pid, ms = 100): Promise<void> {
  const read = () => (pid === process.pid ? readOwnWork() : readWork(pid) * 10);
  const before = read();
  await waitUntil(() => read() >= before + ms);
}

/** Waits until a process has used `ms` of processor time since its start, or has ended. */
export async function waitUntilWorked(pid: number, ms: number): Promise<void> {
  await waitUntil(() => {
    const work = readWork(pid);
    return Number.isNaN(work) || work * 10 >= ms;
  });
}

/** Repeats a reading until `work` has ended; returns the result of `work`. */
export async function readWhile<T>(work: Promise<T>, read: () => unknown): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  await eventually(async () => {
    await read();
    if (!isOver) throw new Error(`the work still runs after ${PATIENCE_MS} ms`);
  }, READING_MS);
  return work;
}

/**
 * A signal that aborts as soon as this process has used `ms` more of processor time: during the query that
 * follows.
 */
export function abortOnceBusy(ms = 100): AbortSignal {
  const stop = new AbortController();
  void waitUntilBusy(process.pid, ms).then(() => stop.abort());
  return stop.signal;
}

/** Processor time of this process in milliseconds, all threads together. */
function readOwnWork(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
