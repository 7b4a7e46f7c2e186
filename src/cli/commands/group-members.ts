import type { GroupMemberBody } from '../../identity/accounts/group-body.ts';
import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<GroupMemberBody>[] = [
  { header: 'NAME', read: ({ user_name }) => user_name },
  { header: 'ADDED BY', read: ({ sources }) => sources.join(', ') },
  { header: 'STATE', read: ({ active }) => (active ? 'active' : 'disabled') },
  { header: 'DISPLAY NAME', read: ({ display_name }) => display_name },
];

/** `quern group members`: lists the members of a group, or those with a part of a name or address. */
export const run: RunCommand<'group members'> = async (context, { args, options }) => {
  const { data } = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.groups.listMembers(principal, elementAt(args, 0), { q: options.query, limit: null }),
  );
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
