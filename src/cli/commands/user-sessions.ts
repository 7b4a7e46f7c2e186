import type { UserSessionBody } from '../../identity/accounts/session-body.ts';
import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<UserSessionBody>[] = [
  { header: 'ID', read: ({ id }) => id },
  { header: 'METHOD', read: ({ method }) => method ?? '-' },
  { header: 'ADDRESS', read: ({ address }) => address ?? '-' },
  { header: 'STARTED', read: ({ started_at }, printTime) => printTime(started_at) },
  { header: 'LAST SEEN', read: ({ last_seen_at }, printTime) => printTime(last_seen_at) },
  { header: 'BROWSER', read: ({ user_agent }) => user_agent ?? '-' },
];

/** `quern user sessions`: lists or ends the sessions of a user in the console. */
export const run: RunCommand<'user sessions'> = async (context, { args, options }) => {
  const name = elementAt(args, 0);
  if (options.end !== undefined && options.endAll === true) {
    throw new UsageError('--end and --end-all exclude each other: use one of them');
  }
  return withWorkspace(context, async ({ accounts: { access }, principal }) => {
    if (options.end === undefined && options.endAll !== true) {
      await printListing(context, access.listSessions(principal, name), COLUMNS, options);
      return EXIT.done;
    }
    if (options.end === undefined) access.endSessions(principal, name);
    else access.endSession(principal, name, options.end);
    await context.notices.write(
      `ended ${options.end === undefined ? 'the sessions' : 'a session'} of ${name}\n`,
    );
    return EXIT.done;
  });
};
