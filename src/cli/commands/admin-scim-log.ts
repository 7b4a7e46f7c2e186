import { SCIM_OUTCOMES } from '../../provider-log/entries.ts';
import type { ScimRequestBody } from '../../provider-log/provider-log-body.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readChoice } from '../options/read-choice.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<ScimRequestBody>[] = [
  { header: 'TIME', read: ({ last_at }, printTime) => printTime(last_at) },
  { header: 'TOKEN', read: ({ token, token_name }) => token_name ?? token ?? '-' },
  { header: 'METHOD', read: ({ method }) => method },
  { header: 'PATH', read: ({ path }) => path },
  {
    header: 'STATUS',
    read: ({ status, scim_type }) => (scim_type === null ? String(status) : `${status} ${scim_type}`),
  },
  { header: 'DURATION', read: ({ duration_ms }) => `${duration_ms} ms` },
  { header: 'COUNT', read: ({ count }) => String(count) },
  { header: 'DETAIL', read: ({ detail }) => detail ?? '' },
];

/** `quern admin scim-log`: prints the last requests of provisioning, newest first, or complete records. */
export const run: RunCommand<'admin scim-log'> = async (context, { options }) => {
  const { query: q, limit } = options;
  const outcome = readChoice('--outcome', options.outcome, SCIM_OUTCOMES);
  const { data } = await withWorkspace(context, ({ providers, principal }) =>
    providers.listRequests(principal, { outcome, q, limit }),
  ).catch(explainError);
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
