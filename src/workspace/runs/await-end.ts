import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionBody } from '../api/execution-body.ts';
import type { CancelledExecutionsBody } from './cancelled-body.ts';

/** How long to wait for the end of cancelled executions, in milliseconds. */
const PATIENCE_MS = 2_000;
const EVERY_MS = 20;

type Listed = Pick<ExecutionBody, 'id' | 'user' | 'state'>;

/** Whether an execution runs or waits. */
export function isUnderWay({ state }: Pick<Listed, 'state'>): boolean {
  return state === 'queued' || state === 'running';
}

/** Those of a user that run or wait. */
export function listRunningOf<Body extends Listed>(bodies: readonly Body[], user: string): readonly Body[] {
  return bodies.filter((body) => body.user === user && isUnderWay(body));
}

/** Waits two seconds at most until the cancelled executions of a user have ended; `list` reads all executions. */
export async function awaitEnd(
  cancelled: readonly Listed[],
  list: () => Promise<readonly Listed[]>,
): Promise<CancelledExecutionsBody> {
  const ids = new Set(cancelled.map(({ id }) => id));
  const listEnding = async () => {
    const bodies = ids.size === 0 ? [] : await list();
    return bodies.filter((body) => ids.has(body.id) && isUnderWay(body));
  };
  const end = performance.now() + PATIENCE_MS;
  let ending = await listEnding();
  while (ending.length > 0 && performance.now() < end) {
    await sleep(EVERY_MS);
    ending = await listEnding();
  }
  return { executions: ids.size, ending: ending.map(({ id }) => id) };
}
