import type { RestorePlace } from '../../catalog/bin/restore-deleted.ts';
import { elementAt } from '../../invariants/must.ts';
import { type CallerCatalog, findItem, hasChildren, splitPath } from '../actions/find-item.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printStored } from '../print/print-stored.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog undelete`: restores an item of the bin; if the new path is an existing folder, into it. */
export const run: RunCommand<'catalog undelete'> = async (context, { args, options }) => {
  const restored = await withWorkspace(context, (workspace) => {
    const { bin, principal } = workspace;
    const { id } = bin.find(principal, elementAt(args, 0));
    return bin.restore(principal, id, findPlace(workspace, args[1]));
  });
  await printStored(context, restored, options.json);
  return EXIT.done;
};

function findPlace(workspace: CallerCatalog, newPath: string | undefined): RestorePlace {
  if (newPath === undefined) return {};
  const target = findItem(workspace, newPath);
  if (target !== undefined && hasChildren(target.body)) return { parentPath: target.body.path };
  const { parent, name } = splitPath(newPath);
  return { parentPath: parent || name, name };
}
