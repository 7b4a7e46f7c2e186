import { homeRootId } from '../../../src/store/values/roots.ts';
import { createWorld, makeAsset, makeFolders, refusalOf, type World } from '../world.ts';

/** A world with the folder `@Shared/a`, and `@Shared/a/b` with two scripts below it. */
export function createPlace(options: Parameters<typeof createWorld>[0] = {}): World {
  const world = createWorld(options);
  makeFolders(world, '@Shared/a/b');
  makeAsset(world, '@Shared/a/b/s', 'select 1');
  makeAsset(world, '@Shared/a/b/t', 'select 22');
  return world;
}

/** The paths in the bin as a user sees them, newest first. */
export function pathsIn({ bin }: World, who: World['owner']): string[] {
  return bin.list(who).map(({ path }) => path);
}

/** The id of the newest item of the bin with a path, as an administrator sees it. */
export function idIn({ bin, owner }: World, path: string): string {
  return bin.list(owner).find((item) => item.path === path)!.id;
}

/** The error of a promise; fails the test without one. */
export async function refusedOf(work: Promise<unknown>): Promise<ReturnType<typeof refusalOf>> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return refusalOf(() => {
    if (error !== null) throw error;
  });
}

/** The number of rows of a table. */
export function countRows({ database }: World, table: string): number {
  return database.statement<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()!.n;
}

/** Deletes a user's `@Personal`, as the deletion of the user does. */
export function deleteHome({ database, catalog }: World, { userId }: World['guest']): string {
  database.write(() => catalog.deleteHome(userId));
  return homeRootId(userId);
}
