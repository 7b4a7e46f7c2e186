import type { Group } from './groups.ts';

/** How much processor time servers that the whole run shares have used, in hundredths of a second. */
type Read = () => number;

const KEY = Symbol.for('quern.test.servers-work');
const shared = globalThis as { [KEY]?: Map<Group, Read[]> };

function findReaders(): Map<Group, Read[]> {
  shared[KEY] ??= new Map();
  return shared[KEY];
}

/** Counts a server of the whole run in a group of the report. */
export function countServer(group: Group, read: Read): void {
  const readers = findReaders();
  readers.set(group, [...(readers.get(group) ?? []), read]);
}

/** What these servers have used so far, in hundredths of a second. */
export function readServersWork(group: Group): number {
  return (findReaders().get(group) ?? []).reduce((sum, read) => sum + read(), 0);
}
