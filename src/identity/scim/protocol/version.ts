import { scimErrors } from './errors.ts';

/** The entity tag of a revision. It is weak: a change of the groups of a user does not change the user's revision. */
export function printVersion(revision: number): string {
  return `W/"${revision}"`;
}

/**
 * Checks an `If-Match` header (RFC 7644, 3.14): a list of entity tags, weak or strong, or `*`. Throws 412 when the list
 * does not contain the tag of the revision.
 */
export function checkVersion(ifMatch: string | undefined, revision: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(`"${revision}"`)) throw scimErrors.stale(printVersion(revision));
}
