import { elementAt } from '../../invariants/must.ts';
import type { CatalogApi, ItemBody } from '../../workspace/api/workspace-api.ts';
import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { isFolder } from '../actions/find-item.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printCount } from '../context/print-count.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog rm`: deletes an asset or an empty folder, with `-r` a folder with all contents, atomically. */
export const run: RunCommand<'catalog rm'> = (context, { args, options }) =>
  withWorkspace(context, async ({ catalog }) => {
    const ifMatch = options.ifMatch ?? '*';
    const { body } = await catalog.get(elementAt(args, 0));
    const isTree = isFolder(body) && options.recursive;
    await checkDeletable(catalog, body, isTree);
    return confirmDeletion(context, options.yes, {
      what: isTree ? `${body.path} with everything in it` : body.path,
      run: () => deleteItem(catalog, body, ifMatch, isTree),
    });
  });

/** Checks before the question what the catalog would refuse. Throws the errors of the catalog. */
async function checkDeletable(catalog: CatalogApi, body: ItemBody, isTree: boolean): Promise<void> {
  const isNamespace = !body.path.includes('/');
  if (isNamespace) await catalog.deleteFolder(body.path, '*');
  if (isTree || !isFolder(body)) return;
  const { data } = await catalog.list(body.path);
  if (data.length > 0)
    throw new UsageError('Folder is not empty', EXIT.failed, 'use -r to delete its contents');
}

async function deleteItem(
  catalog: CatalogApi,
  body: ItemBody,
  ifMatch: string,
  isTree: boolean,
): Promise<string> {
  if (isTree) {
    const count = await catalog.deleteTree(body.path, ifMatch);
    return count === 0 ? body.path : `${body.path} with ${printCount(count, 'item')} in it`;
  }
  await (isFolder(body) ? catalog.deleteFolder(body.path, ifMatch) : catalog.deleteAsset(body.path, ifMatch));
  return body.path;
}
