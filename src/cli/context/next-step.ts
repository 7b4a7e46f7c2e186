import type { ServiceError } from '../../errors/service-error.ts';

/** Advice for an error, by its code. */
const NEXT_STEPS: Readonly<Record<string, (error: ServiceError) => string>> = {
  revision_not_found: () => '`quern catalog log` lists the revisions that changed the content of an asset',
  revision_is_current: () => 'change the content of the asset, then purge this revision',
  path_must_be_asset: () => 'the path is a folder; name a script in it',
  folder_not_empty: () => 'use -r to delete its contents',
  revision_mismatch: ({ etag = '' }) => {
    const revision = etag.replaceAll('"', '');
    return `the item is at revision ${revision}; fetch it, then pass --if-match ${revision}`;
  },
};

/** The second line of an error on the command line, if there is one for its code. */
export function findNextStep(error: ServiceError): string | undefined {
  return Object.hasOwn(NEXT_STEPS, error.code) ? NEXT_STEPS[error.code]?.(error) : undefined;
}
