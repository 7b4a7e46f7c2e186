import type { InvitationBody } from '../../identity/accounts/invitation-body.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<InvitationBody>[] = [
  { header: 'NAME', read: ({ user_name }) => user_name },
  { header: 'E-MAIL', read: ({ email }) => email ?? '-' },
  { header: 'CREATED BY', read: ({ created_by }) => created_by ?? '-' },
  { header: 'CREATED', read: ({ created_at }, printTime) => printTime(created_at) },
  {
    header: 'EXPIRES',
    read: ({ expires_at, expired }, printTime) => (expired ? 'expired' : printTime(expires_at)),
    piped: ({ expires_at }) => expires_at,
  },
];

/** `quern user invitations`: lists the invitations that were not used. */
export const run: RunCommand<'user invitations'> = async (context, { options }) => {
  const { data } = await withWorkspace(context, ({ accounts: { invitations }, principal }) =>
    invitations.search(principal, { q: options.query, limit: null }),
  );
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
