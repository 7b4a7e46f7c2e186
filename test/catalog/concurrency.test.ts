import { describe, expect, it } from 'vitest';
import { runTogether } from '../store/processes.ts';
import { createWorld, makeAsset, makeFolders, namesIn, refusalOf, type World } from './world.ts';

const writer = new URL('./writer.ts', import.meta.url);

/** One home, opened twice. */
function openTwice(): readonly [World, World] {
  const first = createWorld();
  makeFolders(first, '@Shared/f');
  makeAsset(first, '@Shared/s');
  return [first, createWorld({ home: first.home })];
}

describe('two connections', () => {
  it('see what the other has committed', () => {
    const [first, second] = openTwice();
    first.catalog.updateFolder(first.owner, '@Shared/f', '1', { name: 'g' });
    expect(namesIn(second, '@Shared')).toEqual(['g', 's']);
  });

  it('cannot both write at one revision', () => {
    const [first, second] = openTwice();
    const worlds = [first, second];
    for (let revision = 1; revision <= 20; revision++) {
      const [winner, loser] = revision % 3 === 0 ? worlds.toReversed() : worlds;
      const put = (world: World, content: string) =>
        world.catalog.updateAsset(world.owner, '@Shared/s', `"${revision}"`, { content });
      expect(put(winner!, `winner ${revision}`).revision).toBe(revision + 1);
      expect(refusalOf(() => put(loser!, 'loser')).detail).toBe(
        `Entity has been modified. Refresh and retry with current ETag: "${revision + 1}"`,
      );
    }
    expect(second.catalog.get(second.owner, '@Shared/s').body.data).toEqual({ content: 'winner 20' });
  });

  it('cannot both take one name, nor fill a folder that is deleted', () => {
    const [first, second] = openTwice();
    first.catalog.createFolder(first.owner, { parent_path: '@Shared', name: 'n' });
    const again = () => second.catalog.createFolder(second.owner, { parent_path: '@Shared', name: 'n' });
    expect(refusalOf(again).detail).toBe('Name already exists.');
    first.catalog.deleteFolder(first.owner, '@Shared/f', '1');
    const below = () => second.catalog.createFolder(second.owner, { parent_path: '@Shared/f', name: 'n' });
    expect(refusalOf(below).detail).toBe('Path not found: @Shared/f');
  });

  it('keep what one reads as it was, while the other writes', () => {
    const [first, second] = openTwice();
    const seen = first.database.read(() => {
      const before = first.catalog.list(first.owner, '@Shared');
      second.catalog.updateFolder(second.owner, '@Shared/f', '1', { name: 'g' });
      return { before, after: first.catalog.list(first.owner, '@Shared') };
    });
    expect(seen.after).toEqual(seen.before);
    expect(namesIn(first, '@Shared')).toEqual(['g', 's']);
  });
});

describe('two processes', () => {
  it('that write at every revision win each of them once between them', async () => {
    const [world] = openTwice();
    const rounds = 200;
    const job = [world.home, '@Shared/s', `${rounds}`];
    const won = (await runTogether(writer, job, job)) as number[][];
    const all = won.flat().sort((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: rounds }, (_, index) => index + 1));
    expect(world.catalog.get(world.owner, '@Shared/s').revision).toBe(rounds + 1);
  });
});
