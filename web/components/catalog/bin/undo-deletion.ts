import type { QueryClient } from '@tanstack/react-query';
import { reloadCatalog } from '../../../api/catalog/catalog.ts';
import { findLastDeleted, restoreDeleted } from '../../../api/catalog/catalog-bin.ts';
import { getName } from '../../../api/catalog/catalog-paths.ts';
import { notify, notifyFailure } from '../../notify.ts';

/** Restores what was just deleted from a path; a message says whether that was done. */
export async function undoDeletion(client: QueryClient, path: string): Promise<void> {
  const name = getName(path);
  try {
    const item = await findLastDeleted(path);
    if (item === undefined) throw new Error('the bin does not have it');
    await restoreDeleted(client, item.id);
    notify(`Restored ${name}`);
  } catch (error) {
    notifyFailure(`${name} was not restored: ${error instanceof Error ? error.message : String(error)}`);
  }
  await reloadCatalog(client);
}
