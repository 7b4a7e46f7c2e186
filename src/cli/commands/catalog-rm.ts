import type { ItemBody } from '../../catalog/item-body.ts';
import { elementAt } from '../../invariants/must.ts';
import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { type CallerCatalog, hasChildren } from '../actions/find-item.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printQuantity } from '../context/print-quantity.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog rm`: deletes an asset or an empty folder, with `-r` a folder with all contents, atomically. */
export const run: RunCommand<'catalog rm'> = (context, { args, options }) =>
  withWorkspace(context, (workspace) => {
    const { catalog, principal } = workspace;
    const ifMatch = options.ifMatch ?? '*';
    const { body } = catalog.get(principal, elementAt(args, 0));
    const isTree = hasChildren(body) && options.recursive;
    checkDeletable(workspace, body, isTree);
    return confirmDeletion(context, options.yes, {
      what: isTree ? `${body.path} with everything in it` : body.path,
      run: () => deleteItem(workspace, body, ifMatch, isTree),
    });
  });

/** Checks before the question what the catalog would refuse. Throws its errors, as UsageErrors with advice. */
function checkDeletable({ catalog, principal }: CallerCatalog, body: ItemBody, isTree: boolean): void {
  const isNamespace = !body.path.includes('/');
  if (isNamespace) {
    const advice = `${body.path} is a namespace; only what is in it can be deleted`;
    throw new UsageError(`Path not found: ${body.path}`, EXIT.failed, advice);
  }
  if (isTree || !hasChildren(body)) return;
  const { data } = catalog.list(principal, body.path);
  if (data.length > 0)
    throw new UsageError('Folder is not empty', EXIT.failed, 'use -r to delete its contents');
}

function deleteItem(
  { catalog, principal }: CallerCatalog,
  body: ItemBody,
  ifMatch: string,
  isTree: boolean,
): string {
  if (isTree) {
    const count = catalog.deleteTree(principal, body.path, ifMatch);
    return count === 0 ? body.path : `${body.path} with ${printQuantity(count, 'item')} in it`;
  }
  if (hasChildren(body)) catalog.deleteFolder(principal, body.path, ifMatch);
  else catalog.deleteAsset(principal, body.path, ifMatch);
  return body.path;
}
