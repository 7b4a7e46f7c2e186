import type { GrantLevelsBody } from '../../identity/grants/grant-levels-body.ts';
import { elementAt } from '../../invariants/must.ts';
import { explainError } from '../actions/explain-error.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { type ListingColumn, printListing } from '../print/print-listing.ts';
import type { RunCommand } from '../table/commands.ts';

type Row = GrantLevelsBody['data'][number];

/** The number of rows that are read at once. */
const PAGE = 1_000;

/** `quern grant levels`: prints a row for each target, and a column for each subject. */
export const run: RunCommand<'grant levels'> = async (context, { args, options }) => {
  const { subject: subjects, json } = options;
  const pages = await withWorkspace(context, ({ accounts: { grants }, principal }) => {
    const list = (after?: string) =>
      grants.listLevels(principal, { subjects, under: args[0], limit: PAGE, after });
    const all = [list()];
    while (elementAt(all, -1).data.length === PAGE) {
      all.push(list(elementAt(elementAt(all, -1).data, -1).name));
    }
    return all;
  }).catch(explainError);
  const first = elementAt(pages, 0);
  const data = pages.flatMap((page) => page.data);
  if (json) {
    await context.stdout.write(`${JSON.stringify({ ...first, data })}\n`);
    return EXIT.done;
  }
  const columns: readonly ListingColumn<Row>[] = [
    { header: 'TARGET', read: ({ target }) => target },
    { header: 'RESTRICTED', read: ({ restricted }) => (restricted ? 'restricted' : '-') },
    ...first.subjects.map((header, n) => ({
      header,
      read: ({ levels }: Row) => printLevel(elementAt(levels, n)),
    })),
  ];
  await printListing(context, first.folder === null ? data : [first.folder, ...data], columns, { json });
  return EXIT.done;
};

/** An inherited level is in parentheses. */
function printLevel({ own, level }: Row['levels'][number]): string {
  if (own === level) return level;
  return level === 'NONE' ? '-' : `(${level})`;
}
