import { ServiceError } from '../../errors/service-error.ts';

/** One factory per error of the history of assets. */
export const historyErrors = {
  /** The asset never had a content of this revision, or does not keep it any more. */
  notFound: (revision: number) =>
    new ServiceError(404, 'revision_not_found', `Revision not found: ${revision}`),
  purged: (revision: number) =>
    new ServiceError(404, 'revision_purged', `Revision has been purged: ${revision}`),
  isCurrent: (revision: number) =>
    new ServiceError(422, 'revision_is_current', `Revision is the current content: ${revision}`),
  /** The text is deleted, but another process prevents that its remains are overwritten. */
  remains: () =>
    new ServiceError(
      503,
      'purge_incomplete',
      'The revision is purged, but another process is reading the catalog, whose log still has the text',
      { hint: 'purge the revision again', retryAfter: 5 },
    ),
};
