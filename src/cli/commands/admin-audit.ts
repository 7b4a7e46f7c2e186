import type { AuditEntry } from '../../identity/audit/entry-body.ts';
import { AUDIT_FORMATS, AUDIT_HEADER, printAuditEntry } from '../../identity/audit/print-entry.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { readChoice } from '../options/read-choice.ts';
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

/** `quern admin audit`: prints entries of the audit log, newest first, or complete records, or all entries for a file. */
export const run: RunCommand<'admin audit'> = async (context, { options }) => {
  const { actor, action, object, query: q } = options;
  const format = readChoice('--export', options.export, AUDIT_FORMATS);
  if (format !== undefined && (options.limit !== undefined || options.json)) {
    throw new UsageError('--export prints all entries in its format: leave --limit and --json out');
  }
  const { limit, ...range } = readLogRange(options);
  const filter = { actor, action, object, q, ...range };
  return withWorkspace(context, async ({ accounts: { audit }, principal }) => {
    if (format === undefined) {
      await printListing(context, audit.list(principal, { ...filter, limit }), COLUMNS, options);
      return EXIT.done;
    }
    const { pages, end } = audit.export(principal, filter);
    try {
      if (format === 'csv') await context.stdout.write(AUDIT_HEADER);
      for (const page of pages) {
        await context.stdout.write(page.map((entry) => printAuditEntry(entry, format)).join(''));
      }
    } finally {
      end();
    }
    return EXIT.done;
  }).catch(explainError);
};
