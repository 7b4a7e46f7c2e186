import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { getRevision } from '../options/get-revision.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog show`: prints the content of an asset at a revision, or with `--json` the complete record. */
export const run: RunCommand<'catalog show'> = async (context, { args, options }) => {
  const path = elementAt(args, 0);
  const revision = getRevision(options, path);
  const { data, ...body } = await withWorkspace(context, ({ history, principal }) =>
    history.get(principal, path, revision),
  );
  const content = String(data.content ?? '');
  await context.stdout.write(options.json ? `${JSON.stringify({ ...body, data: { content } })}\n` : content);
  return EXIT.done;
};
