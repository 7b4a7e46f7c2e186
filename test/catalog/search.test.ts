import { describe, expect, it } from 'vitest';
import type { SearchRequest } from '../../src/catalog/search-catalog.ts';
import { close, createWorld, makeAsset, makeFolders, refusalOf, type World } from './world.ts';

async function search({ catalog }: World, who: World['owner'], request: SearchRequest) {
  const { data, is_complete } = await catalog.served.search(who, request);
  return { paths: data.map(({ path }) => path), isComplete: is_complete, data };
}

describe('a search by name', () => {
  it('ignores case, and lists exact names before names that start with the text', async () => {
    const world = createWorld();
    makeFolders(world, '@Shared/reports/orders');
    for (const name of ['Orders by day', 'all orders', 'other']) makeAsset(world, `@Shared/reports/${name}`);
    const { paths, isComplete } = await search(world, world.owner, { name: 'ORDERS' });
    expect(paths).toEqual([
      '@Shared/reports/orders',
      '@Shared/reports/Orders by day',
      '@Shared/reports/all orders',
    ]);
    expect(isComplete).toBe(true);
  });

  it('returns the best matches, and reports when there are more', async () => {
    const world = createWorld();
    makeFolders(world, '@Shared/many');
    for (let at = 0; at < 30; at += 1) makeAsset(world, `@Shared/many/script ${at}`);
    makeAsset(world, '@Shared/many/script');
    const { paths, isComplete } = await search(world, world.owner, { name: 'script', limit: 2 });
    expect(paths).toEqual(['@Shared/many/script', '@Shared/many/script 0']);
    expect(isComplete).toBe(false);
  });

  it("finds neither hidden items nor items in another user's home", async () => {
    const world = createWorld();
    const { owner, guest } = world;
    makeFolders(world, '@Shared/open');
    makeFolders(world, '@Shared/closed');
    for (const folder of ['@Shared/open', '@Shared/closed', '@Personal']) makeAsset(world, `${folder}/plan`);
    close(world, '@Shared/closed');
    expect((await search(world, guest, { name: 'plan' })).paths).toEqual(['@Shared/open/plan']);
    expect((await search(world, owner, { name: 'plan' })).paths).toEqual([
      '@Personal/plan',
      '@Shared/closed/plan',
      '@Shared/open/plan',
    ]);
  });
});

describe('a search by content', () => {
  it('returns the line of the first match', async () => {
    const world = createWorld();
    makeAsset(world, '@Shared/a', 'SELECT 1\n  FROM Müller (x) -- one\nFROM MÜLLER (x)');
    makeAsset(world, '@Shared/b', 'FROM muller');
    const { data } = await search(world, world.owner, { content: 'müller (X' });
    expect(data).toEqual([
      expect.objectContaining({ path: '@Shared/a', line: 2, excerpt: '  FROM Müller (x) -- one' }),
    ]);
  });

  it('truncates long lines around the match, without half characters', async () => {
    const world = createWorld();
    makeAsset(world, '@Shared/a', `${'😀'.repeat(500)}needle${'😀'.repeat(500)}`);
    const [found] = (await search(world, world.owner, { content: 'needle' })).data;
    expect(found).toMatchObject({ line: 1 });
    expect(found?.excerpt).toContain('needle');
    expect(found?.excerpt?.length).toBe(200);
    expect(found?.excerpt?.isWellFormed()).toBe(true);
  });

  it('finds a match that starts in one part of a long content and ends in the next', async () => {
    const world = createWorld();
    const line = 'SELECT 1\n';
    const before = line.repeat(116_508).slice(0, 1024 ** 2 - 3);
    makeAsset(world, '@Shared/long', `${before}\nüneedle\n${line.repeat(200_000)}`);
    makeAsset(world, '@Shared/other', line.repeat(200_000));
    const { data } = await search(world, world.owner, { content: 'üneedle' });
    expect(data).toEqual([expect.objectContaining({ path: '@Shared/long', excerpt: 'üneedle' })]);
    expect(data[0]?.line).toBe(before.split('\n').length + 1);
  });

  it('finds only items that the caller may view', async () => {
    const world = createWorld();
    makeFolders(world, '@Shared/closed');
    makeAsset(world, '@Shared/closed/plan', 'secret word');
    close(world, '@Shared/closed');
    expect((await search(world, world.guest, { content: 'secret' })).paths).toEqual([]);
    expect((await search(world, world.owner, { content: 'secret' })).paths).toEqual(['@Shared/closed/plan']);
  });
});

describe('a search request', () => {
  it.each([
    [{}, 'search_text_required'],
    [{ name: '', content: '' }, 'search_text_required'],
    [{ name: 'a', content: 'b' }, 'search_text_required'],
    [{ name: 'a'.repeat(201) }, 'search_text_invalid'],
    [{ content: 'a\nb' }, 'search_text_invalid'],
    [{ content: '\ud800' }, 'search_text_invalid'],
    [{ name: 'a', limit: 0 }, 'limit_out_of_range'],
    [{ name: 'a', limit: 201 }, 'limit_out_of_range'],
  ])('%j is refused with %s', async (request, code) => {
    const { catalog, owner } = createWorld();
    await expect(catalog.served.search(owner, request)).rejects.toMatchObject({ status: 400, code });
  });
});

describe('the size of a folder', () => {
  it('counts only items that the caller may view', async () => {
    const world = createWorld();
    makeFolders(world, '@Shared/a/b/c');
    makeAsset(world, '@Shared/a/b/one');
    makeAsset(world, '@Shared/a/two');
    close(world, '@Shared/a/b');
    const { catalog, owner, guest } = world;
    expect(await catalog.served.countBelow(owner, '@Shared/a')).toEqual({
      folders: 2,
      scripts: 2,
      is_complete: true,
    });
    expect(await catalog.served.countBelow(guest, '@Shared/a')).toEqual({
      folders: 0,
      scripts: 1,
      is_complete: true,
    });
    await expect(catalog.served.countBelow(guest, '@Shared/a/b')).rejects.toMatchObject({ status: 403 });
    expect(refusalOf(() => catalog.get(guest, '@Shared/a/b')).status).toBe(404);
  });
});
