import { elementAt } from '../../invariants/must.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { getRevision } from '../options/get-revision.ts';
import { printStored } from '../print/print-stored.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog restore`: makes the content of a revision the current content of the asset. */
export const run: RunCommand<'catalog restore'> = async (context, { args, options }) => {
  const path = elementAt(args, 0);
  const from = getRevision(options, path);
  const { body, revision } = await withWorkspace(context, ({ history, principal }) =>
    history.restore(principal, path, options.ifMatch ?? '*', from),
  );
  const stored = { ...body, data: { content: String(body.data.content ?? '') } };
  await printStored(context, { body: stored, revision }, options.json);
  return EXIT.done;
};
