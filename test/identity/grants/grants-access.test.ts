import { describe, expect, it } from 'vitest';
import { createPlace, refusalOf, set } from '../grant-world.ts';

const ALL = { limit: null };

describe('the access to a target', () => {
  it('lists active users with their level and its reasons', async () => {
    const world = createPlace();
    const { grants, accounts, admin } = world;
    const ada = world.add('ada');
    world.add('bob');
    world.add('eve');
    set(world, 'user:ada', 'MANAGE', '@Shared/x');
    grants.restrict(ada, '@Shared/x', true);
    set(world, 'user:eve', 'EDIT', '@Shared/x');
    await accounts.users.set(admin, 'eve', { active: false });
    const access = await grants.listAccess(ada, '/@Shared/x', ALL);
    expect(access).toMatchObject({ target: '@Shared/x', restricted: true });
    expect(access.data.map(({ user, level }) => [user, level])).toEqual([
      ['ada', 'MANAGE'],
      ['admin', 'MANAGE'],
    ]);
    expect(access.data[1]?.reasons).toEqual([{ kind: 'super_user', level: 'MANAGE' }]);
    const shared = await grants.listAccess(admin, '@Shared', ALL);
    expect(shared.data.map(({ user }) => user)).toEqual(['ada', 'admin', 'bob']);
  });

  it('can only be listed by managers, and hides other users in @Personal', async () => {
    const world = createPlace();
    const { grants } = world;
    const bob = world.add('bob');
    expect(await refusalOf(() => grants.listAccess(bob, '@Shared/x', ALL))).toMatch(/^403 /);
    expect(await refusalOf(() => grants.listAccess(bob, '@Shared/none', ALL))).toMatch(/^404 /);
    const personal = await grants.listAccess(bob, '@Personal', ALL);
    expect(personal.data.map(({ user }) => user)).toEqual(['bob']);
  });

  it('is listed in pages, of users whose names have a text, and counts only grants that apply', async () => {
    const world = createPlace();
    const { grants, admin } = world;
    for (const name of ['ada', 'bob', 'cy', 'dan']) world.add(name);
    grants.delete(admin, 'everyone', '@Shared');
    set(world, 'user:ada', 'VIEW', '@Shared');
    set(world, 'user:bob', 'EDIT', '@Shared/x');
    const list = async (target: string, search: object) => {
      const { data, total } = await grants.listAccess(admin, target, search);
      return [data.map(({ user }) => user), total];
    };
    expect(await list('@Shared/x', {})).toEqual([['ada', 'admin', 'bob'], 3]);
    expect(await list('@Shared/x', { limit: 1, after: 'ada' })).toEqual([['admin'], 3]);
    expect(await list('@Shared/x', { q: 'B' })).toEqual([['bob'], 1]);
    grants.restrict(admin, '@Shared/x', true);
    expect(await list('@Shared/x', {})).toEqual([['admin', 'bob'], 2]);
    expect(await refusalOf(() => grants.listAccess(admin, '@Shared', { limit: 0 }))).toMatch(/^400 /);
  });

  it('lists many users in steps, each with the permissions of its time', async () => {
    const world = createPlace();
    const { grants, admin } = world;
    const ada = world.add('ada');
    for (let count = 0; count < 250; count += 1) world.add(`user ${count}`);
    set(world, 'user:ada', 'MANAGE', '@Shared/x');
    expect((await grants.listAccess(ada, '@Shared/x', ALL)).data).toHaveLength(252);
    const listing = refusalOf(() => grants.listAccess(ada, '@Shared/x', ALL));
    grants.delete(admin, 'user:ada', '@Shared/x');
    expect(await listing).toMatch(/^403 /);
  });
});

describe('the caller’s level on an item', () => {
  it('follows the grants, and is 404 for hidden items', async () => {
    const world = createPlace();
    const { grants, admin } = world;
    const bob = world.add('bob');
    const vic = world.add('vic', 'viewer');
    expect(grants.findLevel(bob, '/@Shared/x')).toEqual({ target: '@Shared/x', level: 'EDIT' });
    expect(grants.findLevel(vic, '@Shared/x').level).toBe('VIEW');
    expect(grants.findLevel(admin, '@Shared/x').level).toBe('MANAGE');
    expect(grants.findLevel(bob, '@Project Hub').level).toBe('NONE');
    grants.restrict(admin, '@Shared/x', true);
    expect(await refusalOf(() => grants.findLevel(bob, '@Shared/x'))).toMatch(/^404 /);
    expect(await refusalOf(() => grants.findLevel(bob, 'Shared'))).toMatch(/^400 /);
  });
});
