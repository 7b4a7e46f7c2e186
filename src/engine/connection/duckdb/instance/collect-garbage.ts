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
