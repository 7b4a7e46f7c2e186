import { describe, expect, it } from 'vitest';
import { createPlace, refusalOf, set } from '../grant-world.ts';

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
    const access = await grants.listAccess(ada, '/@Shared/x');
    expect(access).toMatchObject({ target: '@Shared/x', restricted: true });
    expect(access.data.map(({ user, level }) => [user, level])).toEqual([
      ['ada', 'MANAGE'],
      ['admin', 'MANAGE'],
    ]);
    expect(access.data[1]?.reasons).toEqual([{ kind: 'super_user', level: 'MANAGE' }]);
    const shared = await grants.listAccess(admin, '@Shared');
    expect(shared.data.map(({ user }) => user)).toEqual(['ada', 'admin', 'bob']);
  });

  it('can only be listed by managers, and hides other users in @Personal', async () => {
    const world = createPlace();
    const { grants } = world;
    const bob = world.add('bob');
    expect(await refusalOf(() => grants.listAccess(bob, '@Shared/x'))).toMatch(/^403 /);
    expect(await refusalOf(() => grants.listAccess(bob, '@Shared/none'))).toMatch(/^404 /);
    const personal = await grants.listAccess(bob, '@Personal');
    expect(personal.data.map(({ user }) => user)).toEqual(['bob']);
  });

  it('lists many users in steps, each with the permissions of its time', async () => {
    const world = createPlace();
    const { grants, admin } = world;
    const ada = world.add('ada');
    for (let count = 0; count < 250; count += 1) world.add(`user ${count}`);
    set(world, 'user:ada', 'MANAGE', '@Shared/x');
    expect((await grants.listAccess(ada, '@Shared/x')).data).toHaveLength(252);
    const listing = refusalOf(() => grants.listAccess(ada, '@Shared/x'));
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
