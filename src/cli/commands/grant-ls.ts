import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

/** A grant, or a folder that does not inherit grants. */
interface Row {
  readonly target: string;
  readonly subject: string;
  readonly level: string;
}

const COLUMNS: readonly ListingColumn<Row>[] = [
  { header: 'TARGET', read: ({ target }) => target },
  { header: 'SUBJECT', read: ({ subject }) => subject },
  { header: 'LEVEL', read: ({ level }) => level },
];

/** `quern grant ls`: lists targets with their grants, or complete records. */
export const run: RunCommand<'grant ls'> = async (context, { args, options }) => {
  const listing = await withWorkspace(context, ({ accounts, principal }) =>
    accounts.grants.list(principal, args[0], options.subject),
  ).catch(explainError);
  if (options.json) {
    await context.stdout.write(`${JSON.stringify(listing)}\n`);
    return EXIT.done;
  }
  const restricted = listing.restricted.map((target) => ({ target, subject: 'restricted', level: '' }));
  const rows: readonly Row[] = [...restricted, ...listing.data];
  await printListing(
    context,
    rows.toSorted((a, b) => (a.target === b.target ? 0 : a.target < b.target ? -1 : 1)),
    COLUMNS,
    options,
  );
  return EXIT.done;
};
