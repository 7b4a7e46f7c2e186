import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { isFolder } from '../find-item.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern catalog rm`: deletes an asset or an empty folder, with `-r` a folder with everything in it, or nothing. */
export const run: RunCommand = async (context, { args, options }) => {
  const ifMatch = typeof options.ifMatch === 'string' ? options.ifMatch : '*';
  await withWorkspace(context, async ({ catalog }) => {
    const { body } = await catalog.get(args[0]!);
    if (!isFolder(body)) await catalog.deleteAsset(body.path, ifMatch);
    else if (options.recursive === true) await catalog.deleteTree(body.path, ifMatch);
    else await catalog.deleteFolder(body.path, ifMatch);
  });
  return EXIT.done;
};
