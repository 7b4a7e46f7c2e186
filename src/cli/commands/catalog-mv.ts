import { elementAt } from '../../invariants/must.ts';
import { findItem, hasChildren, splitPath } from '../actions/find-item.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printStored } from '../print/print-stored.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog mv`: renames or moves an item; if the new path is an existing folder, moves the item into it. */
export const run: RunCommand<'catalog mv'> = async (context, { args, options }) => {
  const [from, to] = [elementAt(args, 0), elementAt(args, 1)];
  const ifMatch = options.ifMatch ?? '*';
  const moved = await withWorkspace(context, (workspace) => {
    const { catalog, principal } = workspace;
    const { body } = catalog.get(principal, from);
    const target = findItem(workspace, to);
    const isInto = target !== undefined && hasChildren(target.body) && target.body.path !== body.path;
    const { parent, name } = isInto ? { parent: target.body.path, name: body.name } : splitPath(to);
    const change = { parentPath: parent || name, name };
    return hasChildren(body)
      ? catalog.updateFolder(principal, from, ifMatch, change)
      : catalog.updateAsset(principal, from, ifMatch, change);
  });
  await printStored(context, moved, options.json);
  return EXIT.done;
};
