import type { UserBody } from '../../identity/accounts/user-accounts.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<UserBody>[] = [
  { header: 'NAME', read: ({ user_name }) => user_name },
  { header: 'ROLE', read: ({ active, role }) => (active ? role : `${role} (disabled)`) },
  { header: 'E-MAIL', read: ({ email }) => email ?? '' },
  { header: 'DISPLAY NAME', read: ({ display_name }) => display_name },
];

/** `quern user ls`: lists names, roles and e-mail addresses, or complete records. */
export const run: RunCommand<'user ls'> = async (context, { options }) => {
  const data = await withWorkspace(context, ({ accounts, principal }) => accounts.users.list(principal));
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
