import { beforeEach, describe, expect, it } from 'vitest';
import { createGroup } from '../../../src/identity/accounts/change-group.ts';
import { createGroupStore } from '../../../src/identity/records/group-store.ts';
import { createAccountWorld } from '../account-world.ts';

let world: ReturnType<typeof createAccountWorld>;

beforeEach(() => {
  world = createAccountWorld();
  const { database, users, groups, owner } = world;
  groups.create(owner, 'analysts');
  database.write(() => {
    const store = createGroupStore(database);
    const scim = { name: 'provisioned', origin: 'scim' } as const;
    createGroup(world, store, owner, scim);
    const { id } = store.findByName('analysts')!;
    for (const name of ['Zoe', 'ada', 'max']) {
      const user = users.findByUserName(name) ?? users.create({ userName: name, active: name !== 'max' });
      store.addMembers(id, [user.id], 'local');
      if (name === 'ada') store.addMembers(id, [user.id], 'scim');
    }
  });
});

describe('the members of a group', () => {
  it('are listed in pages, with the sources of each membership', () => {
    const { groups, owner } = world;
    const page = groups.listMembers(owner, 'ANALYSTS', { limit: 2 });
    expect(page.total).toBe(3);
    expect(page.data).toEqual([
      { user_name: 'ada', display_name: '', active: true, sources: ['local', 'scim'] },
      { user_name: 'max', display_name: '', active: false, sources: ['local'] },
    ]);
    const rest = groups.listMembers(owner, 'analysts', { after: 'MAX' }).data;
    expect(rest.map(({ user_name }) => user_name)).toEqual(['Zoe']);
    expect(() => groups.listMembers(owner, 'analyst', {})).toThrow('Group not found: analyst');
    expect(() => groups.listMembers(owner, 'analysts', { limit: 1001 })).toThrow('Limit must be between');
  });

  it('are found by a part of the user name, the e-mail address or the display name, in any case', () => {
    const { groups, owner, users } = world;
    users.create({ userName: 'kim', email: 'kim@Mill.example', displayName: 'Kim Ødegård' });
    groups.addMembers(owner, 'analysts', ['kim']);
    const find = (q: string, after?: string) => {
      const { data, total } = groups.listMembers(owner, 'analysts', { q, after });
      return [data.map(({ user_name }) => user_name), total];
    };
    expect(find('A')).toEqual([['ada', 'kim', 'max'], 3]);
    expect(find('A', 'ada')).toEqual([['kim', 'max'], 3]);
    expect(find('@mill')).toEqual([['kim'], 1]);
    expect(find('ØDEGÅRD')).toEqual([['kim'], 1]);
    expect(find('')).toEqual([['ada', 'kim', 'max', 'Zoe'], 4]);
    expect(find('%')).toEqual([[], 0]);
    expect(find('provisioned')).toEqual([[], 0]);
  });

  it('are counted once each', () => {
    const { groups, owner } = world;
    const analysts = { name: 'analysts', source: 'local', member_count: 3 };
    const provisioned = { name: 'provisioned', source: 'scim', member_count: 0 };
    expect(groups.search(owner, {})).toMatchObject({ data: [analysts, provisioned], total: 2 });
    expect(groups.search(owner, { q: 'LYST' })).toMatchObject({ data: [analysts], total: 1 });
    expect(groups.search(owner, { source: 'scim' })).toMatchObject({ data: [provisioned], total: 1 });
    expect(groups.search(owner, { limit: 1 })).toMatchObject({ data: [analysts], total: 2 });
    expect(groups.search(owner, { after: 'ANALYSTS' })).toMatchObject({ data: [provisioned], total: 2 });
    expect(() => groups.search(owner, { limit: 0 })).toThrow('Limit must be between');
    expect(groups.getCounts(owner, 'ANALYSTS')).toMatchObject(analysts);
  });
});

describe('a group', () => {
  it('keeps its members when it is renamed', () => {
    const { groups, owner } = world;
    groups.set(owner, 'analysts', { name: 'Readers', displayName: 'All readers' });
    expect(groups.get(owner, 'readers')).toMatchObject({
      name: 'Readers',
      display_name: 'All readers',
      members: ['ada', 'max', 'Zoe'],
    });
    expect(world.audit.find({ action: 'group.update' }, 5)).toMatchObject([
      { object: 'analysts: name Readers, display name' },
    ]);
    groups.set(owner, 'readers', { name: 'READERS' });
    expect(groups.get(owner, 'readers').display_name).toBe('All readers');
  });

  it('stays as it is without a change', () => {
    const { groups, owner } = world;
    const before = groups.get(owner, 'analysts');
    expect(groups.set(owner, 'analysts', {})).toEqual(before);
    expect(groups.set(owner, 'analysts', { name: 'analysts' })).toEqual(before);
  });

  it('gets no name that is taken or built in, and keeps the name of its provider', () => {
    const { groups, owner } = world;
    const rename = (from: string, to: string) => () => groups.set(owner, from, { name: to });
    expect(rename('analysts', 'PROVISIONED')).toThrow('Group already exists: PROVISIONED');
    expect(rename('analysts', 'everyone')).toThrow('Group everyone is part of every home');
    expect(rename('analysts', '')).toThrow('Group name is required');
    expect(rename('provisioned', 'mine')).toThrow('The identity provider keeps the names of the group');
    expect(() => groups.set({ ...owner, superUser: false }, 'analysts', { name: 'x' })).toThrow('permission');
  });
});
