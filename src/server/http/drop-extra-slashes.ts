import { notNull, present } from '../../invariants/must.ts';

/** A request's target: its path, and the query or fragment that follows it. */
const TARGET = /^(?<path>[^?#]*)(?<rest>.*)$/s;

/**
 * A target as routes know it: in its path, slashes that follow one another count as one, and one at the end does not
 * count. Encoded slashes (`%2F`) and the query stay as they are.
 */
export function dropExtraSlashes(target: string): string {
  const { path = '', rest = '' } = present(notNull(TARGET.exec(target)).groups);
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '') + rest;
}
