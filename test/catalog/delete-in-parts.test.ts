import { describe, expect, it } from 'vitest';
import { inspectCatalog } from '../../src/store/inspect-catalog.ts';
import { close, createWorld, fillFolders, makeFolders, namesIn, refusalOf, type World } from './world.ts';

function countItems({ database }: World): number {
  return database.statement<{ n: number }>('SELECT count(*) AS n FROM catalog_items').get()!.n;
}

async function refusedOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return refusalOf(() => {
    throw error;
  });
}

describe('the deletion of a folder by a server without a bin', () => {
  it('takes the whole folder out of the catalog at once, and deletes its items in steps', async () => {
    const world = createWorld({ findBinDays: () => 0 });
    const before = countItems(world);
    fillFolders(world, 100);
    const { catalog, owner } = world;
    const deletion = catalog.served.deleteTree(owner, '@Shared/root', '*');
    expect(namesIn(world, '@Shared')).toEqual([]);
    // Before the first turn of another request, which may come after the last step.
    expect(countItems(world)).toBeGreaterThan(before);
    expect((await catalog.served.search(owner, { name: 'asset 7' })).data).toEqual([]);
    makeFolders(world, '@Shared/root');
    expect(await deletion).toBe(2_020);
    expect(countItems(world)).toBe(before + 1);
    expect(namesIn(world, '@Shared')).toEqual(['root']);
  });

  it('is completed at the next start when the server was killed', async () => {
    const world = createWorld({ findBinDays: () => 0 });
    const before = countItems(world);
    fillFolders(world, 100);
    const deletion = world.catalog.served.deleteTree(world.owner, '@Shared/root', '*');
    const after = createWorld({ home: world.home });
    expect(countItems(after)).toBeGreaterThan(before);
    after.catalog.served.removeLeftParts();
    expect(countItems(after)).toBe(before);
    await deletion;
    expect(inspectCatalog(world.home).problems).toEqual([]);
  });

  it('deletes nothing when the folder has changed, or contains items that the caller may not delete', async () => {
    const world = createWorld();
    makeFolders(world, '@Shared/a/hidden');
    makeFolders(world, '@Shared/a/open');
    const tryTo = (who: World['owner'], ifMatch: string, path = '@Shared/a') =>
      refusedOf(world.catalog.served.deleteTree(who, path, ifMatch));
    expect(await tryTo(world.owner, '1')).toMatchObject({ status: 412 });
    close(world, '@Shared/a/hidden');
    expect(await tryTo(world.guest, '*')).toMatchObject({ status: 400, detail: 'Folder is not empty' });
    close(world, '@Shared/a/hidden', 'VIEW');
    expect(await tryTo(world.guest, '*')).toMatchObject({ detail: 'Path not found: @Shared/a/hidden' });
    expect(await tryTo(world.owner, '*', '@Shared')).toMatchObject({ detail: 'Path not found: @Shared' });
    expect(namesIn(world, '@Shared/a')).toEqual(['hidden', 'open']);
    close(world, '@Shared/a/hidden', 'EDIT');
    expect(await world.catalog.served.deleteTree(world.guest, '@Shared/a', '*')).toBe(2);
    expect(namesIn(world, '@Shared')).toEqual([]);
  });
});
