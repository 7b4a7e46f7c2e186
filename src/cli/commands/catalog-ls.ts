import { hasChildren } from '../actions/find-item.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

type Entry = Parameters<typeof hasChildren>[0] & { readonly name: string; readonly updated_at: string };

const NAME: ListingColumn<Entry> = {
  header: 'NAME',
  read: (entry) => (hasChildren(entry) ? `${entry.name}/` : entry.name),
};
const LONG: readonly ListingColumn<Entry>[] = [
  { header: 'TYPE', read: ({ type }) => type },
  { header: 'CHANGED', read: ({ updated_at }, printTime) => printTime(updated_at) },
  NAME,
];

/** `quern catalog ls`: lists the children of a folder, folders with a slash at the end of their name. */
export const run: RunCommand<'catalog ls'> = async (context, { args, options }) => {
  const list = await withWorkspace(context, ({ catalog, principal }) => catalog.list(principal, args[0]));
  await printListing(context, list.data, options.long ? LONG : [NAME], options);
  return EXIT.done;
};
