import type { SsoFailureBody } from '../../provider-log/provider-log-body.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<SsoFailureBody>[] = [
  { header: 'TIME', read: ({ last_at }, printTime) => printTime(last_at) },
  { header: 'REFERENCE', read: ({ reference }) => reference },
  { header: 'PROVIDER', read: ({ provider }) => provider },
  { header: 'NAME ID', read: ({ name_id }) => name_id ?? '-' },
  { header: 'ADDRESS', read: ({ address }) => address },
  { header: 'COUNT', read: ({ count }) => String(count) },
  { header: 'CHECK', read: ({ check }) => check },
  { header: 'DETAIL', read: ({ detail }) => detail },
];

/** `quern admin sso-failures`: prints failed sign-ins, newest first, or complete records. */
export const run: RunCommand<'admin sso-failures'> = async (context, { options }) => {
  const { reference, limit } = options;
  const { data } = await withWorkspace(context, ({ providers, principal }) =>
    providers.listFailures(principal, { reference, limit }),
  ).catch(explainError);
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
