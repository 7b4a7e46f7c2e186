import type { Versioned } from '../../catalog/asset.ts';
import type { FolderType } from '../../catalog/body.ts';
import type { FolderBody } from '../../catalog/item-body.ts';
import { elementAt } from '../../invariants/must.ts';
import { type CallerCatalog, findItem, hasChildren, splitPath } from '../actions/find-item.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printStored } from '../print/print-stored.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog mkdir`: creates a folder, with `-p` also its parents. */
export const run: RunCommand<'catalog mkdir'> = async (context, { args, options }) => {
  const folderType = options.project ? 'PROJECT' : 'REGULAR';
  const path = elementAt(args, 0);
  const made = await withWorkspace(context, (workspace) =>
    (options.parents ? ensureFolder : createFolder)(workspace, path, folderType),
  );
  await printStored(context, made, options.json);
  return EXIT.done;
};

function createFolder(caller: CallerCatalog, path: string, folderType: FolderType): Versioned<FolderBody> {
  const { catalog, principal } = caller;
  const { parent, name } = splitPath(path);
  if (parent === '' && findItem(caller, name)) {
    throw new UsageError(
      `${name} already exists: name a folder below it, for example ${name}/new`,
      EXIT.failed,
    );
  }
  // Any other path of one name would be a namespace; the catalog's error names it.
  return catalog.createFolder(principal, { parentPath: parent || name, name, folderType });
}

function ensureFolder(caller: CallerCatalog, path: string, folderType: FolderType): Versioned<FolderBody> {
  const item = findItem(caller, path);
  const hasRequestedType = folderType === 'REGULAR' || item?.body.type === folderType;
  if (item && hasChildren(item.body) && hasRequestedType) return item;
  const { parent } = splitPath(path);
  if (!item && parent.includes('/')) ensureFolder(caller, parent, 'REGULAR');
  return createFolder(caller, path, folderType);
}
