import type { DeletedItemBody } from '../../catalog/bin/deleted-body.ts';
import { printBytes } from '../../text/print-bytes.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<DeletedItemBody>[] = [
  { header: 'ID', read: ({ id }) => id },
  { header: 'DELETED', read: ({ deleted_at }, printTime) => printTime(deleted_at) },
  { header: 'BY', read: ({ deleted_by }) => deleted_by },
  { header: 'ITEMS', read: ({ items }) => (items === null ? '-' : String(items)) },
  {
    header: 'SIZE',
    read: ({ bytes }) => (bytes === null ? '-' : printBytes(bytes)),
    piped: ({ bytes }) => (bytes === null ? '-' : `${bytes} B`),
  },
  { header: 'KEPT UNTIL', read: ({ kept_until }, printTime) => printTime(kept_until) },
  { header: 'PATH', read: ({ path }) => path },
];

/** `quern catalog deleted`: lists the items of the bin, the newest first. */
export const run: RunCommand<'catalog deleted'> = async (context, { args, options }) => {
  const range = { q: args[0], limit: options.limit };
  const items = await withWorkspace(context, ({ bin, principal }) => bin.list(principal, range));
  await printListing(context, items, COLUMNS, options);
  return EXIT.done;
};
