import type { ConnectionBody } from '../../connections/connection-body.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<ConnectionBody>[] = [
  { header: 'NAME', read: ({ name }) => name },
  { header: 'KIND', read: ({ kind }) => kind },
  { header: 'DESCRIPTION', read: ({ description }) => description },
];

/** `quern connection ls`: lists names, kinds and descriptions, or complete records without secrets. */
export const run: RunCommand<'connection ls'> = async (context, { options }) => {
  const data = await withWorkspace(context, ({ connections, principal }) => connections.list(principal));
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
