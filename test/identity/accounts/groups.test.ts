import { describe, expect, it } from 'vitest';
import { createAccountWorld, refusalOf, START } from '../account-world.ts';

describe('groups', () => {
  it('are created, found in any case, and listed by name', () => {
    const { groups, owner } = createAccountWorld();
    const made = groups.create(owner, 'Sales', 'Sales people');
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Sales',
      display_name: 'Sales people',
      members: [],
      created_at: START.toISOString(),
      updated_at: START.toISOString(),
    });
    groups.create(owner, 'analysts');
    expect(groups.get(owner, 'sAlEs')).toEqual(made);
    expect(groups.list(owner).map(({ name }) => name)).toEqual(['analysts', 'Sales']);
  });

  it('add and remove all named members, or none of them', async () => {
    const { groups, owner, pass } = createAccountWorld();
    groups.create(owner, 'team');
    pass(1);
    expect(groups.addMembers(owner, 'TEAM', ['bob', 'ADA', 'bob'])).toMatchObject({
      members: ['ada', 'bob'],
      updated_at: '2026-03-01T00:00:00.001Z',
    });
    expect(groups.addMembers(owner, 'team', ['bob', 'admin']).members).toEqual(['ada', 'admin', 'bob']);
    expect(groups.removeMembers(owner, 'team', ['admin', 'admin']).members).toEqual(['ada', 'bob']);
    expect(await refusalOf(() => groups.removeMembers(owner, 'team', ['ada', 'admin']))).toBe(
      '404 admin is not a member of the group team',
    );
    expect(await refusalOf(() => groups.addMembers(owner, 'team', ['admin', 'nobody']))).toBe(
      '404 User not found: nobody',
    );
    expect(groups.get(owner, 'team').members).toEqual(['ada', 'bob']);
  });

  it('are deleted without their members, and lose members that are deleted', () => {
    const { groups, accounts, owner, users, database } = createAccountWorld();
    for (const name of ['one', 'two']) {
      groups.create(owner, name);
      groups.addMembers(owner, name, ['ada', 'bob']);
    }
    groups.delete(owner, 'one');
    expect(users.findByUserName('ada')).toBeDefined();
    accounts.delete(owner, 'ada');
    expect(groups.list(owner)).toMatchObject([{ name: 'two', members: ['bob'] }]);
    expect(database.statement('SELECT source FROM group_members').all()).toEqual([{ source: 'local' }]);
  });

  it.each([
    ['', '400 Group name is required'],
    ['x'.repeat(256), '400 Group name exceeds maximum length of 255 characters'],
    ['a\tb', '400 Group name must not have control characters'],
    ['TEAM', '409 Group already exists: TEAM'],
    ['Everyone', '409 Group everyone is part of every home: all users are in it'],
  ])('refuses the name %j', async (name, refusal) => {
    const { groups, owner } = createAccountWorld();
    groups.create(owner, 'team');
    expect(await refusalOf(() => groups.create(owner, name))).toBe(refusal);
    expect(groups.list(owner)).toHaveLength(1);
  });

  it('can only be managed by administrators', async () => {
    const { groups, owner, ada } = createAccountWorld();
    groups.create(owner, 'team');
    for (const act of [
      () => groups.list(ada),
      () => groups.get(ada, 'team'),
      () => groups.get(ada, 'none'),
      () => groups.create(ada, 'other'),
      () => groups.addMembers(ada, 'team', ['ada']),
      () => groups.removeMembers(ada, 'team', ['ada']),
      () => groups.delete(ada, 'team'),
    ]) {
      expect(await refusalOf(act)).toBe("403 You don't have permission to perform the request");
    }
    expect(groups.list(owner)).toMatchObject([{ name: 'team', members: [] }]);
  });

  it('suggests the nearest name for an unknown group', () => {
    const { groups, owner } = createAccountWorld();
    groups.create(owner, 'analysts');
    for (const act of [
      () => groups.get(owner, 'analists'),
      () => groups.addMembers(owner, 'analists', ['ada']),
      () => groups.delete(owner, 'analists'),
    ]) {
      expect(act).toThrow(
        expect.objectContaining({
          status: 404,
          detail: 'Group not found: analists',
          hint: 'did you mean `analysts`?',
        }),
      );
    }
  });
});
