import { describe, expect, it } from 'vitest';
import { inspectCatalog } from '../../../src/store/inspect-catalog.ts';
import { createPlace, pathsIn, refusedOf } from '../bin/deleting.ts';
import { close, makeAsset, makeFolders, namesIn, refusalOf, revisionOf } from '../world.ts';

const DONE = { done: true, code: null, message: null };

describe('a change of several items', () => {
  it('deletes each of them, and restores them with new revisions', async () => {
    const world = createPlace();
    const { owner, catalog, manyItems } = world;
    makeAsset(world, '@Shared/a/s', 'select 3');
    const before = revisionOf(world, '@Shared/a/s');
    const { data } = await manyItems.change(owner, { paths: ['@Shared/a/b', '@Shared/a/s'], delete: true });
    expect(data).toEqual(
      ['@Shared/a/b', '@Shared/a/s'].map((path) => ({
        ...DONE,
        path,
        new_path: null,
        deleted_id: expect.any(String),
      })),
    );
    expect(namesIn(world, '@Shared/a')).toEqual([]);
    expect((await catalog.served.search(owner, { content: 'select' })).data).toEqual([]);
    const ids = data.map(({ deleted_id }) => deleted_id!);
    const restored = await manyItems.restore(owner, ids);
    expect(restored.data).toEqual([
      { ...DONE, id: ids[0], path: '@Shared/a/b' },
      { ...DONE, id: ids[1], path: '@Shared/a/s' },
    ]);
    expect(namesIn(world, '@Shared/a/b')).toEqual(['s', 't']);
    expect(revisionOf(world, '@Shared/a/s')).toBeGreaterThan(before);
    expect(refusalOf(() => catalog.deleteAsset(owner, '@Shared/a/s', `"${before}"`))).toMatchObject({
      status: 412,
    });
    expect(pathsIn(world, owner)).toEqual([]);
    expect(inspectCatalog(world.home).problems).toEqual([]);
  });

  it('moves those that may be moved, and says why the others were not', async () => {
    const world = createPlace();
    const { owner, manyItems } = world;
    makeFolders(world, '@Shared/to');
    makeAsset(world, '@Shared/to/t', 'taken');
    const paths = ['@Shared/a/b/s', '@Shared/a/b/t', '@Shared/a/b/missing', '@Shared', '@Shared/to'];
    const { data } = await manyItems.change(owner, { paths, parentPath: '@Shared/to' });
    expect(data.map(({ path, new_path, message }) => [path, new_path, message])).toEqual([
      ['@Shared/a/b/s', '@Shared/to/s', null],
      ['@Shared/a/b/t', null, 'Name already exists.'],
      ['@Shared/a/b/missing', null, 'Path not found: @Shared/a/b/missing'],
      ['@Shared', null, 'Path not found: @Shared'],
      ['@Shared/to', null, 'Folder cannot be moved into itself or below itself'],
    ]);
    expect(namesIn(world, '@Shared/a/b')).toEqual(['t']);
    expect(namesIn(world, '@Shared/to')).toEqual(['s', 't']);
  });

  it('keeps the items that the user may not edit, with everything in them', async () => {
    const world = createPlace();
    const { guest, manyItems } = world;
    close(world, '@Shared/a/b/t', 'VIEW');
    makeAsset(world, '@Shared/a/s', 'select 3');
    const paths = ['@Shared/a/s', '@Shared/a/b'];
    const { data } = await manyItems.change(guest, { paths, delete: true });
    expect(data.map(({ done }) => done)).toEqual([true, false]);
    expect(namesIn(world, '@Shared/a/b')).toEqual(['s', 't']);
    const again = await manyItems.restore(guest, [data[0]!.deleted_id!, 'missing']);
    expect(again.data.map(({ path, message }) => [path, message])).toEqual([
      ['@Shared/a/s', null],
      [null, 'Deleted item not found: missing'],
    ]);
  });

  it('has no ids of the bin where the bin keeps nothing', async () => {
    const { owner, manyItems } = createPlace({ findBinDays: () => 0 });
    const { data } = await manyItems.change(owner, { paths: ['@Shared/a/b/s'], delete: true });
    expect(data).toEqual([{ ...DONE, path: '@Shared/a/b/s', new_path: null, deleted_id: null }]);
  });

  it('is refused without items, with more than 500, and without exactly one change', async () => {
    const { owner, manyItems } = createPlace();
    const many = Array.from({ length: 501 }, (_, at) => `@Shared/${at}`);
    const invalid = { status: 400, code: 'field_invalid' };
    expect(await refusedOf(manyItems.change(owner, { paths: [], delete: true }))).toMatchObject({
      code: 'field_required',
    });
    expect(await refusedOf(manyItems.change(owner, { paths: many, delete: true }))).toMatchObject(invalid);
    expect(await refusedOf(manyItems.restore(owner, many))).toMatchObject(invalid);
    const paths = ['@Shared/a'];
    expect(await refusedOf(manyItems.change(owner, { paths }))).toMatchObject(invalid);
    expect(
      await refusedOf(manyItems.change(owner, { paths, delete: true, parentPath: '@Personal' })),
    ).toMatchObject(invalid);
    expect(await refusedOf(manyItems.change(owner, { paths, delete: false }))).toMatchObject(invalid);
  });
});
