import { elementAt } from '../../invariants/must.ts';
import { hasChildren } from '../actions/find-item.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog get`: prints the stored content of an asset, or with `--json` its complete record. */
export const run: RunCommand<'catalog get'> = async (context, { args, options }) => {
  const { body, revision } = await withWorkspace(context, ({ catalog, principal }) =>
    catalog.get(principal, elementAt(args, 0)),
  );
  if (options.json) {
    await context.stdout.write(`${JSON.stringify({ ...body, revision })}\n`);
    return EXIT.done;
  }
  if (hasChildren(body))
    throw new UsageError(
      'Path must be an asset',
      EXIT.failed,
      `${body.path} is a folder; name a script in it`,
    );
  await context.stdout.write(body.data.content ?? '');
  return EXIT.done;
};
