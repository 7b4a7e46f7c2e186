import type { GroupBody } from '../../identity/accounts/group-body.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<GroupBody>[] = [
  { header: 'NAME', read: ({ name }) => name },
  { header: 'MEMBERS', read: ({ members }) => members.join(', ') },
  { header: 'DISPLAY NAME', read: ({ display_name }) => display_name },
];

/** `quern group ls`: lists names and members, or complete records. */
export const run: RunCommand<'group ls'> = async (context, { options }) => {
  const data = await withWorkspace(context, ({ accounts, principal }) => accounts.groups.list(principal));
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
