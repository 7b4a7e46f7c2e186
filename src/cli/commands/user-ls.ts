import type { ListedUserBody } from '../../identity/accounts/user-body.ts';
import { USER_SOURCES, USER_STATES } from '../../identity/records/user-filter.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readChoice } from '../options/read-choice.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<ListedUserBody>[] = [
  { header: 'NAME', read: ({ user_name }) => user_name },
  { header: 'ROLE', read: ({ role, state }) => (state === 'active' ? role : `${role} (${state})`) },
  { header: 'E-MAIL', read: ({ email }) => email ?? '' },
  { header: 'DISPLAY NAME', read: ({ display_name }) => display_name },
];

/** `quern user ls`: lists names, roles and e-mail addresses of the selected users, or complete records. */
export const run: RunCommand<'user ls'> = async (context, { options }) => {
  const { query: q, role, group } = options;
  const state = readChoice('--state', options.state?.toLowerCase(), USER_STATES);
  const source = readChoice('--source', options.source?.toLowerCase(), USER_SOURCES);
  const { data } = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.users.search(principal, { q, role, group, state, source, limit: null }),
  );
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
