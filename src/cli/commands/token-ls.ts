import type { TokenBody } from '../../identity/tokens/token-body.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readTime } from '../options/read-time.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const OWNER: ListingColumn<TokenBody> = { header: 'OWNER', read: ({ owner }) => owner };
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

/** `quern token ls`: lists the tokens of a user, or of all, without their values, or complete records. */
export const run: RunCommand<'token ls'> = async (context, { options }) => {
  const { user: owner, query: q } = options;
  const now = new Date();
  const unusedSince =
    options.unusedSince === undefined ? undefined : readTime('--unused-since', options.unusedSince, now);
  const { data } = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.tokens.search(principal, { owner, q, unusedSince, limit: null }),
  );
  await printListing(context, data, owner === '*' ? [OWNER, ...COLUMNS] : COLUMNS, options);
  return EXIT.done;
};
