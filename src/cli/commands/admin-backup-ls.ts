import { printBytes } from '../../text/print-bytes.ts';
import type { BackupBody } from '../../workspace/api/backup-body.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<BackupBody>[] = [
  { header: 'NAME', read: ({ name }) => name },
  { header: 'STATE', read: ({ state }) => state },
  { header: 'SIZE', read: ({ bytes }) => printBytes(bytes), piped: ({ bytes }) => String(bytes) },
  { header: 'CREATED', read: ({ created_at }, printTime) => printTime(created_at) },
  { header: 'ERROR', read: ({ error }) => error ?? '' },
];

/** `quern admin backup ls`: lists the backups in the home's folder, with the one that its server writes. */
export const run: RunCommand<'admin backup ls'> = (context, { options }) =>
  withWorkspace(context, async ({ backups, principal }) => {
    const { data } = await backups.list(principal);
    await printListing(context, data, COLUMNS, options);
    return EXIT.done;
  });
