import { scimErrors } from './errors.ts';

/** The entity tag of a revision: weak, since who is in which group is no change of a user. */
export function printVersion(revision: number): string {
  return `W/"${revision}"`;
}

/**
 * Checks a header `If-Match` (RFC 7644, 3.14): entity tags, weak or strong, in a list, or `*`. Throws 412 when it is
 * there and none of them is that of the revision.
 */
export function checkVersion(ifMatch: string | undefined, revision: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(`"${revision}"`)) throw scimErrors.stale(printVersion(revision));
}
