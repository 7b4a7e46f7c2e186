import type { QueryClient } from '@tanstack/react-query';
import { type Entry, isFolder, readItem } from './catalog.ts';
import { createAsset, createFolder } from './catalog-changes.ts';
import { joinPath } from './catalog-paths.ts';
import { listBelow, type Reporter } from './transfer.ts';

/** Where a copy goes. */
interface CopyTarget {
  /** The path of the folder. */
  readonly folder: string;
  readonly name: string;
}

/**
 * Copies an item, a folder with everything in it that the user may view. Permissions are not copied. Stops at the first
 * item that cannot be copied; the copies before it remain.
 */
export async function copyItem(client: QueryClient, source: Entry, target: CopyTarget, reporter: Reporter) {
  const below = isFolder(source.type) ? await listBelow(source.path, reporter.signal) : [];
  reporter.setTotal(below.length + 1);
  await copyOne(client, source, target, reporter);
  const root = joinPath(target.folder, target.name);
  for (const { entry, names } of below) {
    const folder = [root, ...names.slice(0, -1)].join('/');
    await copyOne(client, entry, { folder, name: entry.name }, reporter);
  }
}

async function copyOne(client: QueryClient, { path, type }: Entry, target: CopyTarget, reporter: Reporter) {
  const { signal, begin, end } = reporter;
  begin(path);
  const { description, data } = await readItem(path, signal);
  const fields = { parent_path: target.folder, name: target.name, description };
  if (isFolder(type)) {
    const folderType = type === 'PROJECT' ? 'PROJECT' : 'REGULAR';
    await createFolder(client, { ...fields, folder_type: folderType }, signal);
  } else if (data.content !== undefined) {
    await createAsset(client, { ...fields, content: data.content }, signal);
  } else {
    end({ name: path, status: 'skipped', message: 'Items of this kind cannot be copied' });
    return;
  }
  end({ name: path, status: 'done' });
}
