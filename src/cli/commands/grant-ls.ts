import { explainRefusal } from '../actions/explain-refusal.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';
import { printColumns } from '../terminal/print-columns.ts';

/** `quern grant ls`: targets, and who has which level on them, or whole records. */
export const run: RunCommand<'grant ls'> = async (context, { args, options }) => {
  const listing = await withWorkspace(context, ({ accounts }) =>
    accounts.grants.list(args[0]).catch(explainRefusal),
  );
  const rows = [
    ...listing.restricted.map((path) => [path, 'restricted', '']),
    ...listing.data.map(({ target, subject, level }) => [target, subject, level]),
  ].sort(([a = ''], [b = '']) => (a === b ? 0 : a < b ? -1 : 1));
  await context.stdout.write(options.json ? `${JSON.stringify(listing)}\n` : printColumns(rows));
  return EXIT.done;
};
