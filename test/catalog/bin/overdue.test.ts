import { expect, it } from 'vitest';
import { inspectCatalog } from '../../../src/store/inspect-catalog.ts';
import { createWorld, fillFolders, makeAsset, type World } from '../world.ts';
import { countRows, createPlace, idIn, pathsIn } from './deleting.ts';

/** Sets the age of an item in the bin. */
function age({ database }: World, path: string, deletedAt: string): void {
  database.write(() =>
    database.statement('UPDATE catalog_deleted SET deleted_at = ? WHERE path = ?').run(deletedAt, path),
  );
}

it('removes what was deleted 30 days ago, and nothing younger', async () => {
  const world = createPlace();
  const { catalog, owner, bin } = world;
  for (const name of ['s', 't']) catalog.deleteAsset(owner, `@Shared/a/b/${name}`, '*');
  catalog.deleteTree(owner, '@Shared/a', '*');
  // The clock of the test starts on 2026-03-01.
  age(world, '@Shared/a', '2026-01-30T00:00:00.000Z');
  age(world, '@Shared/a/b/s', '2026-01-30T00:01:00.000Z');
  await bin.removeOverdue();
  expect(pathsIn(world, owner)).toEqual(['@Shared/a/b/t', '@Shared/a/b/s']);
  expect(countRows(world, 'catalog_contents')).toBe(2);
  expect(inspectCatalog(world.home).problems).toEqual([]);
});

it('removes everything when the days are 0 now', async () => {
  let days = 30;
  const world = createPlace({ findBinDays: () => days });
  const { catalog, owner, bin } = world;
  catalog.deleteTree(owner, '@Shared/a', '*');
  days = 0;
  await bin.removeOverdue();
  expect(countRows(world, 'catalog_deleted')).toBe(0);
  expect(countRows(world, 'catalog_contents')).toBe(0);
});

it('removes the oldest items beyond 512 MB', async () => {
  const world = createPlace();
  const { catalog, owner, bin, database } = world;
  for (const name of ['1', '2', '3']) {
    makeAsset(world, `@Shared/a/${name}`, name);
    catalog.deleteAsset(owner, `@Shared/a/${name}`, '*');
  }
  const size = database.statement('UPDATE catalog_deleted SET bytes = ? WHERE path = ?');
  database.write(() => {
    size.run(1, '@Shared/a/1');
    size.run(256 * 1024 ** 2, '@Shared/a/2');
    size.run(256 * 1024 ** 2, '@Shared/a/3');
  });
  await bin.removeOverdue();
  expect(pathsIn(world, owner)).toEqual(['@Shared/a/3', '@Shared/a/2']);
});

it('removes more items than one transaction takes, and long contents', async () => {
  const world = createPlace();
  const { catalog, owner, bin } = world;
  for (let at = 0; at < 120; at++) {
    makeAsset(world, '@Shared/a/x', at === 0 ? 'x'.repeat(3_000_000) : 'x');
    catalog.deleteAsset(owner, '@Shared/a/x', '*');
  }
  world.database.write(() => world.database.statement("UPDATE catalog_deleted SET deleted_at = ''").run());
  expect(countRows(world, 'catalog_content_parts')).toBe(3);
  await bin.removeOverdue();
  for (const table of ['catalog_deleted', 'catalog_content_parts', 'catalog_long_contents'])
    expect(countRows(world, table)).toBe(0);
  expect(countRows(world, 'catalog_contents')).toBe(2);
});

it('takes a large folder out of the catalog at once, and counts it in steps', async () => {
  const world = createWorld();
  fillFolders(world, 500);
  const { catalog, owner, bin } = world;
  const deletion = catalog.served.deleteTree(owner, '@Shared/root', '*');
  expect(catalog.list(owner, '@Shared').data).toEqual([]);
  expect(bin.list(owner)).toMatchObject([{ path: '@Shared/root', items: null, bytes: null }]);
  expect(await deletion).toBe(10_020);
  expect(bin.list(owner)).toMatchObject([{ items: 10_021, bytes: 0 }]);
});

it('counts what a killed server has not counted, and keeps it at the next start', async () => {
  const world = createWorld();
  fillFolders(world, 500);
  const deletion = world.catalog.served.deleteTree(world.owner, '@Shared/root', '*');
  const after = createWorld({ home: world.home });
  after.catalog.served.removeLeftParts();
  expect(after.bin.list(after.owner)).toMatchObject([{ items: null }]);
  await after.bin.removeOverdue();
  expect(after.bin.list(after.owner)).toMatchObject([{ items: 10_021 }]);
  await deletion;
});

it('removes what is left of a removal at the next start', async () => {
  const world = createWorld();
  const before = countRows(world, 'catalog_items');
  fillFolders(world, 500);
  await world.catalog.served.deleteTree(world.owner, '@Shared/root', '*');
  const removal = world.bin.delete(world.owner, idIn(world, '@Shared/root'));
  const after = createWorld({ home: world.home });
  expect(countRows(after, 'catalog_items')).toBeGreaterThan(before);
  after.catalog.served.removeLeftParts();
  expect(countRows(after, 'catalog_items')).toBe(before);
  await removal;
});
