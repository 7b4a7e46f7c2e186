import type { ListedUserBody } from '../../identity/accounts/user-accounts.ts';
import { USER_SOURCES, USER_STATES } from '../../identity/records/user-filter.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<ListedUserBody>[] = [
  { header: 'NAME', read: ({ user_name }) => user_name },
  { header: 'ROLE', read: ({ active, role, state }) => (active ? role : `${role} (${state})`) },
  { header: 'E-MAIL', read: ({ email }) => email ?? '' },
  { header: 'DISPLAY NAME', read: ({ display_name }) => display_name },
];

/** `quern user ls`: lists names, roles and e-mail addresses of the selected users, or complete records. */
export const run: RunCommand<'user ls'> = async (context, { options }) => {
  const { query: q, role, group } = options;
  const state = readChoice('--state', options.state, USER_STATES);
  const source = readChoice('--source', options.source, USER_SOURCES);
  const { data } = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.users.search(principal, { q, role, group, state, source, limit: null }),
  );
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};

function readChoice<Value extends string>(
  flag: string,
  text: string | undefined,
  values: readonly Value[],
): Value | undefined {
  const value = values.find((known) => known === text?.toLowerCase());
  if (text !== undefined && value === undefined) {
    throw new UsageError(`${flag} must be one of ${values.join(', ')}, not ${text}`);
  }
  return value;
}
