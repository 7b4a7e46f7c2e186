import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { isFolder } from '../find-item.ts';
import { UsageError } from '../usage-error.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern catalog get`: an asset's text as it is stored, or with `--json` its whole record. */
export const run: RunCommand = async (context, { args, options }) => {
  const { body, revision } = await withWorkspace(context, ({ catalog }) => catalog.get(args[0]!));
  if (options.json === true) {
    await context.stdout.write(`${JSON.stringify({ ...body, revision })}\n`);
    return EXIT.done;
  }
  if (isFolder(body)) throw new UsageError('Path must be an asset', EXIT.failed);
  await context.stdout.write(body.data.content ?? '');
  return EXIT.done;
};
