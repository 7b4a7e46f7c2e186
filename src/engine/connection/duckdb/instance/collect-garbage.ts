/**
 * Collects this thread's garbage now. An interrupted result keeps its database open until the object is collected;
 * nothing else frees it.
 */
export async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  // Finalizers run in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
}
