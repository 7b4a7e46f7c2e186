import { elementAt } from '../../invariants/must.ts';
import type { CatalogApi, FolderBody, Versioned } from '../../workspace/api/workspace-api.ts';
import { findItem, isFolder, splitPath } from '../actions/find-item.ts';
import { withWorkspace } from '../actions/with-workspace.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { printStored } from '../print/print-stored.ts';
import type { RunCommand } from '../table/commands.ts';

/** `quern catalog mkdir`: creates a folder, with `-p` also its parents. */
export const run: RunCommand<'catalog mkdir'> = async (context, { args, options }) => {
  const folder_type = options.project ? 'PROJECT' : 'REGULAR';
  const path = elementAt(args, 0);
  const made = await withWorkspace(context, async ({ catalog }) => {
    if (!options.parents) return createFolder(catalog, path, folder_type);
    return ensureFolder(catalog, path, folder_type);
  });
  await printStored(context, made, options.json);
  return EXIT.done;
};

async function createFolder(
  catalog: CatalogApi,
  path: string,
  folder_type: string,
): Promise<Versioned<FolderBody>> {
  const { parent, name } = splitPath(path);
  if (parent === '' && (await findItem(catalog, name))) {
    throw new UsageError(
      `${name} already exists: name a folder below it, for example ${name}/new`,
      EXIT.failed,
    );
  }
  // Any other path of one name would be a namespace; the catalog's error names it.
  return catalog.createFolder({ parent_path: parent || name, name, folder_type });
}

async function ensureFolder(
  catalog: CatalogApi,
  path: string,
  folder_type: string,
): Promise<Versioned<FolderBody>> {
  const found = await findItem(catalog, path);
  const hasRequestedType = folder_type === 'REGULAR' || found?.body.type === folder_type;
  if (found && isFolder(found.body) && hasRequestedType) return found;
  const { parent } = splitPath(path);
  if (!found && parent.includes('/')) await ensureFolder(catalog, parent, 'REGULAR');
  return createFolder(catalog, path, folder_type);
}
