import type { RevisionBody } from '../../catalog/history/revision-body.ts';
import { elementAt } from '../../invariants/must.ts';
import { printBytes } from '../../text/print-bytes.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<RevisionBody>[] = [
  { header: '#', read: ({ ordinal }) => String(ordinal) },
  { header: 'REVISION', read: ({ revision }) => String(revision) },
  { header: 'CHANGED', read: ({ created_at }, printTime) => printTime(created_at) },
  { header: 'USER', read: ({ user_name }) => user_name ?? '-' },
  { header: 'ACTION', read: printAction },
  { header: 'SOURCE', read: ({ source }) => source ?? '-' },
  { header: 'SIZE', read: ({ bytes }) => printBytes(bytes), piped: ({ bytes }) => `${bytes} B` },
];

/** `quern catalog log`: lists the contents of an asset, the current one first, or complete records. */
export const run: RunCommand<'catalog log'> = async (context, { args, options }) => {
  const { limit } = options;
  const revisions = await withWorkspace(context, ({ history, principal }) =>
    history.list(principal, elementAt(args, 0), { limit }),
  );
  await printListing(context, revisions, COLUMNS, options);
  return EXIT.done;
};

function printAction({ action, restored_from, purged_by }: RevisionBody): string {
  const done = restored_from === null ? (action ?? '-') : `${action} ${restored_from}`;
  return purged_by === null ? done : `${done}, purged by ${purged_by}`;
}
