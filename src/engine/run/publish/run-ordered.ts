import { elementAt } from '../../../invariants/must.ts';

/**
 * Runs work for each item after those that `listBefore` names, up to `max` in parallel; of those that are ready, the
 * first one starts. After the first failure, waits for the running work, then rejects.
 */
export async function runOrdered<Item>(
  items: readonly Item[],
  max: number,
  listBefore: (item: Item) => readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const done = new Set<Item>();
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const start = (item: Item) => {
    const task: Promise<void> = work(item)
      .then(() => void done.add(item))
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(task));
    running.add(task);
  };
  const isReady = (item: Item) => listBefore(item).every((one) => done.has(one));
  while (running.size > 0 || (waiting.length > 0 && failures.length === 0)) {
    while (running.size < max && failures.length === 0) {
      const next = waiting.findIndex(isReady);
      if (next === -1) break;
      start(elementAt(waiting.splice(next, 1), 0));
    }
    await Promise.race(running);
  }
  if (failures.length > 0) throw failures[0];
}
