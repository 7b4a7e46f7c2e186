import type { TokenBody } from '../../identity/tokens/tokens.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<TokenBody>[] = [
  { header: 'NAME', read: ({ name }) => name },
  { header: 'TOKEN', read: ({ first8, last4 }) => `${first8}…${last4}` },
  { header: 'SCOPE', read: ({ scope }) => scope },
  {
    header: 'EXPIRES',
    read: ({ expires_at }, printTime) => (expires_at === null ? 'never' : printTime(expires_at)),
    piped: ({ expires_at }) => (expires_at === null ? 'never expires' : `expires ${expires_at}`),
  },
  {
    header: 'LAST USED',
    read: ({ last_used_at }, printTime) => (last_used_at === null ? 'never' : printTime(last_used_at)),
    piped: ({ last_used_at }) => (last_used_at === null ? 'never used' : `used ${last_used_at}`),
  },
  { header: 'DESCRIPTION', read: ({ description }) => description },
];

/** `quern token ls`: lists the tokens of a user without their values, or complete records. */
export const run: RunCommand<'token ls'> = async (context, { options }) => {
  const data = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.tokens.list(principal, options.user),
  );
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
