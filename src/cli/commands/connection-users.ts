import type { AccessBody } from '../../identity/grants/grant-body.ts';
import { printConnectionTarget } from '../../identity/grants/print-grant.ts';
import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import { printReason } from '../print/print-reason.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<AccessBody['data'][number]>[] = [
  { header: 'NAME', read: ({ user }) => user },
  { header: 'LEVEL', read: ({ level }) => level },
  { header: 'WHY', read: ({ reasons }) => reasons.map(printReason).join('; ') },
];

/** `quern connection users`: lists who may use a connection, and why; then its last use and its last error. */
export const run: RunCommand<'connection users'> = async (context, { args, options }) => {
  const { data, use } = await withWorkspace(context, async ({ accounts, queries, principal }) => {
    const name = elementAt(args, 0);
    const { data } = await accounts.grants.listAccess(principal, printConnectionTarget(name), {
      limit: null,
    });
    return { data, use: queries.listUses([name]).get(name) };
  });
  if (options.json) {
    await context.stdout.write(`${JSON.stringify({ data, total: data.length, ...use })}\n`);
    return EXIT.done;
  }
  await printListing(context, data, COLUMNS, options);
  if (use?.last_used_at) await context.notices.write(`last used at ${use.last_used_at}\n`);
  if (use?.last_error) await context.notices.write(`last error at ${use.last_error_at}: ${use.last_error}\n`);
  return EXIT.done;
};
