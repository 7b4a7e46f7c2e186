import type { AuditEntry } from '../../identity/audit/entry-body.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readLogRange } from '../options/read-log-range.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

const COLUMNS: readonly ListingColumn<AuditEntry>[] = [
  { header: 'TIME', read: ({ at }, printTime) => printTime(at) },
  { header: 'ACTOR', read: ({ actor }) => actor ?? '-' },
  { header: 'ACTION', read: ({ action }) => action },
  { header: 'RESULT', read: ({ result }) => result },
  { header: 'OBJECT', read: ({ object }) => object ?? '' },
  { header: 'ADDRESS', read: ({ address }) => address ?? '' },
];

/** `quern admin audit`: prints entries of the audit log, newest first, or complete records. */
export const run: RunCommand<'admin audit'> = async (context, { options }) => {
  const { actor, action, object } = options;
  const filter = {
    actor,
    action,
    object,
    ...readLogRange(options),
  };
  const data = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.audit.list(principal, filter),
  ).catch(explainError);
  await printListing(context, data, COLUMNS, options);
  return EXIT.done;
};
