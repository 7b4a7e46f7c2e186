import type { QueryBody } from '../../query-log/query-body.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readLogRange } from '../options/read-log-range.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<QueryBody>[] = [
  { header: 'REQUESTED', read: ({ requested_at }, printTime) => printTime(requested_at) },
  { header: 'USER', read: ({ user }) => user },
  { header: 'OUTCOME', read: ({ outcome, fault }) => (fault === null ? outcome : `${outcome}: ${fault}`) },
  { header: 'DURATION', read: ({ duration_ms }) => `${duration_ms} ms` },
  { header: 'ROWS', read: ({ rows }) => (rows === null ? '-' : `${rows} ${rows === 1 ? 'row' : 'rows'}`) },
  { header: 'BYTES', read: ({ bytes }) => `${bytes} B` },
  { header: 'CONNECTION', read: ({ connection }) => connection ?? '-' },
  { header: 'NAME', read: ({ name }) => name },
];

/** `quern admin queries`: prints entries of the query log, newest first, or complete records. */
export const run: RunCommand<'admin queries'> = async (context, { options }) => {
  const { user, connection, outcome } = options;
  const filter = {
    user,
    connection,
    outcome,
    ...readLogRange(options),
  };
  const data = await withWorkspace(context, ({ queries, principal }) =>
    queries.list(principal, filter),
  ).catch(explainError);
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
