import type { RunningBody } from '../../workspace/api/execution-body.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<RunningBody>[] = [
  { header: 'ID', read: ({ id }) => id },
  {
    header: 'STATE',
    read: printState,
  },
  { header: 'USER', read: ({ user }) => user },
  { header: 'CONNECTION', read: ({ connection }) => connection ?? '-' },
  { header: 'NAME', read: ({ name }) => name },
  {
    header: 'STARTED',
    read: ({ started_at }, printTime) => (started_at === null ? '-' : printTime(started_at)),
  },
  { header: 'SENT', read: ({ bytes }) => `${bytes} bytes` },
];

function printState({ state, is_queued_by_database: isQueued, progress }: RunningBody): string {
  if (isQueued) return 'queued by database';
  return progress === null ? state : `${state} (${Math.floor(progress * 100)}%)`;
}

/** `quern ps`: lists running and queued executions of the server, or complete records. */
export const run: RunCommand<'ps'> = async (context, { options }) => {
  const list = await withWorkspace(context, ({ executions, principal }) => executions.list(principal));
  if (list === null) await context.notices.write('no server runs on this home\n');
  const data = list ?? [];
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
