import type { ItemBody } from '../../catalog/item-body.ts';
import { elementAt } from '../../invariants/must.ts';
import type { Workspace } from '../../workspace/instance/open-workspace.ts';
import { confirmDeletion } from '../actions/confirm-deletion.ts';
import { type CallerCatalog, hasChildren } from '../actions/find-item.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT, type ExitCode } from '../context/exit-codes.ts';
import { printQuantity } from '../context/print-quantity.ts';
import type { RunCommand } from '../table/commands.ts';

type Options = Parameters<RunCommand<'catalog rm'>>[1]['options'];

const FOREVER = 'It cannot be restored.';

/** `quern catalog rm`: deletes an asset or an empty folder, with `-r` a folder with all contents, atomically. */
export const run: RunCommand<'catalog rm'> = (context, { args, options }) =>
  withWorkspace(context, (workspace) => {
    const target = elementAt(args, 0);
    const isInBin = options.forever && !target.includes('@');
    return isInBin
      ? deleteFromBin(context, workspace, target, options)
      : deleteFromCatalog(context, workspace, target, options);
  });

/** Deletes an item of the bin permanently. */
function deleteFromBin(
  context: CliContext,
  { bin, principal }: Workspace,
  id: string,
  { yes }: Options,
): Promise<ExitCode> {
  const { path } = bin.find(principal, id);
  const what = `${path} from the bin`;
  return confirmDeletion(context, yes, {
    what,
    consequence: FOREVER,
    run: async () => {
      await bin.delete(principal, id);
      return what;
    },
  });
}

function deleteFromCatalog(
  context: CliContext,
  workspace: Workspace,
  path: string,
  options: Options,
): Promise<ExitCode> {
  const { body } = workspace.catalog.get(workspace.principal, path);
  const isTree = hasChildren(body) && options.recursive;
  checkDeletable(workspace, body, isTree);
  return confirmDeletion(context, options.yes, {
    what: isTree ? `${body.path} with everything in it` : body.path,
    ...(options.forever ? { consequence: FOREVER } : {}),
    run: async () => {
      const deleted = deleteItem(workspace, body, options, isTree);
      await workspace.bin.removeOverdue();
      return deleted;
    },
  });
}

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
  { path, type }: ItemBody,
  { ifMatch = '*', forever: isForever }: Options,
  isTree: boolean,
): string {
  if (isTree) {
    const count = catalog.deleteTree(principal, path, ifMatch, { isForever });
    return count === 0 ? path : `${path} with ${printQuantity(count, 'item')} in it`;
  }
  const remove = hasChildren({ type }) ? catalog.deleteFolder : catalog.deleteAsset;
  remove(principal, path, ifMatch, { isForever });
  return path;
}
