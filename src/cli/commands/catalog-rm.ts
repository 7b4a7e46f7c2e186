import type { CatalogApi, FolderBody } from '../../workspace/workspace-api.ts';
import type { RunCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { isFolder } from '../find-item.ts';
import { withWorkspace } from '../with-workspace.ts';

/** `quern catalog rm`: deletes an asset or an empty folder, with `-r` a folder from its leaves up. */
export const run: RunCommand = async (context, { args, options }) => {
  const ifMatch = typeof options.ifMatch === 'string' ? options.ifMatch : '*';
  await withWorkspace(context, async ({ catalog }) => {
    const { body } = await catalog.get(args[0]!);
    // A namespace is never emptied: deleting it is refused below.
    const isNamespace = !body.path.includes('/');
    if (options.recursive === true && isFolder(body) && !isNamespace) await empty(catalog, body);
    await remove(catalog, body, ifMatch);
  });
  return EXIT.done;
};

/** Deletes everything below a folder: what was found last goes first. */
async function empty(catalog: CatalogApi, folder: FolderBody): Promise<void> {
  const found: FolderBody[] = [];
  for (const waiting = [folder]; waiting.length > 0; ) {
    const { data } = await catalog.list(waiting.pop()!.path);
    found.push(...data);
    waiting.push(...data.filter(isFolder));
  }
  for (const item of found.reverse()) await remove(catalog, item, '*');
}

function remove(catalog: CatalogApi, item: FolderBody, ifMatch: string): Promise<void> {
  return isFolder(item) ? catalog.deleteFolder(item.path, ifMatch) : catalog.deleteAsset(item.path, ifMatch);
}
