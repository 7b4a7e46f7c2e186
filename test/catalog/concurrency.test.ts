import { describe, expect, it } from 'vitest';
import { runTogether } from '../store/processes.ts';
import { createWorld, makeAsset, makeFolders, namesIn, refusalOf, revisionOf, type World } from './world.ts';

const writer = new URL('./writer.ts', import.meta.url);

/** One home, opened by two connections. */
function openTwice(): readonly [World, World] {
  const first = createWorld();
  makeFolders(first, '@Shared/f');
  makeAsset(first, '@Shared/s');
  return [first, createWorld({ home: first.home })];
}

describe('two connections', () => {
  it('see the committed changes of the other connection', () => {
    const [first, second] = openTwice();
    first.catalog.updateFolder(first.owner, '@Shared/f', '*', { name: 'g' });
    expect(namesIn(second, '@Shared')).toEqual(['g', 's']);
  });

  it('cannot both write at one revision', () => {
    const [first, second] = openTwice();
    const worlds = [first, second];
    for (let round = 1; round <= 20; round++) {
      const revision = revisionOf(first, '@Shared/s');
      const [winner, loser] = round % 3 === 0 ? worlds.toReversed() : worlds;
      const put = (world: World, content: string) =>
        world.catalog.updateAsset(world.owner, '@Shared/s', `"${revision}"`, { content });
      expect(put(winner!, `winner ${round}`).revision).toBe(revision + 1);
      expect(refusalOf(() => put(loser!, 'loser')).detail).toBe(
        `Entity has been modified. Refresh and retry with current ETag: "${revision + 1}"`,
      );
    }
    expect(second.catalog.get(second.owner, '@Shared/s').body.data).toEqual({ content: 'winner 20' });
  });

  it('cannot both use one name, or fill a folder that is deleted', () => {
    const [first, second] = openTwice();
    first.catalog.createFolder(first.owner, { parentPath: '@Shared', name: 'n' });
    const again = () => second.catalog.createFolder(second.owner, { parentPath: '@Shared', name: 'n' });
    expect(refusalOf(again).detail).toBe('Name already exists.');
    first.catalog.deleteFolder(first.owner, '@Shared/f', '*');
    const below = () => second.catalog.createFolder(second.owner, { parentPath: '@Shared/f', name: 'n' });
    expect(refusalOf(below).detail).toBe('Path not found: @Shared/f');
  });

  it('read an unchanged snapshot while the other connection writes', () => {
    const [first, second] = openTwice();
    const seen = first.database.read(() => {
      const before = first.catalog.list(first.owner, '@Shared');
      second.catalog.updateFolder(second.owner, '@Shared/f', '*', { name: 'g' });
      return { before, after: first.catalog.list(first.owner, '@Shared') };
    });
    expect(seen.after).toEqual(seen.before);
    expect(namesIn(first, '@Shared')).toEqual(['g', 's']);
  });
});

describe('two processes', () => {
  it('that write at the same revisions succeed once at each revision', async () => {
    const [world] = openTwice();
    const rounds = 200;
    const first = revisionOf(world, '@Shared/s');
    const job = [world.home, 'at', '@Shared/s', `${first}`, `${rounds}`];
    const won = (await runTogether(writer, job, job)) as number[][];
    const all = won.flat().sort((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: rounds }, (_, index) => first + index));
    expect(revisionOf(world, '@Shared/s')).toBe(first + rounds);
  });

  it('that create, change and delete items with the same name never get the same revision', async () => {
    const [world] = openTwice();
    const jobs = ['a', 'b', 'c'].map((name) => [world.home, 'again', `@Shared/${name}`, '0', '60']);
    const given = ((await runTogether(writer, ...jobs)) as number[][]).flat();
    const first = revisionOf(world, '@Shared/s') + 1;
    expect(given.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 3 * 60 * 2 }, (_, index) => first + index),
    );
  });
});
