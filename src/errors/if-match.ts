import { namesTag } from '../text/names-tag.ts';
import { ServiceError } from './service-error.ts';

/**
 * Checks an If-Match header against a revision: `"n"`, `n`, a list of them, or `*` for any. A weak tag or any other text
 * matches nothing. Throws 428 without a header, 412 when no tag matches.
 */
export function checkIfMatch(header: string | undefined, revision: number): void {
  if (header === undefined) {
    throw new ServiceError(428, 'if_match_required', 'If-Match header is required', {
      hint: 'read the item, and send its ETag as If-Match',
    });
  }
  if (namesTag(header, `${revision}`)) return;
  throw new ServiceError(
    412,
    'revision_mismatch',
    `Entity has been modified. Refresh and retry with current ETag: "${revision}"`,
    { etag: `"${revision}"` },
  );
}
