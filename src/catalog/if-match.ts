import { ifMatchRequired, modified } from './errors.ts';

/**
 * Checks an If-Match header against an item's revision: `"n"`, `n`, a list of them, or `*` for any. A weak tag or any
 * other text matches nothing. Throws 428 without a header, 412 when no tag matches.
 */
export function checkIfMatch(header: string | undefined, revision: number): void {
  if (header === undefined) throw ifMatchRequired();
  if (header.trim() === '*') return;
  const tags = header.split(',').map((tag) => tag.trim());
  if (!tags.includes(`${revision}`) && !tags.includes(`"${revision}"`)) throw modified(revision);
}
