import { beforeEach, describe, expect, it } from 'vitest';
import type { UserAccounts } from '../../../src/identity/accounts/user-accounts.ts';
import { createDatabase } from '../../../src/store/database.ts';
import { migrations } from '../../../src/store/migrations/migrations.ts';
import { createTestClock, makeFolder } from '../../store/temporary-home.ts';
import { createAccountWorld } from '../account-world.ts';

type Search = Parameters<UserAccounts['search']>[1];

let world: ReturnType<typeof createAccountWorld>;

beforeEach(() => {
  world = createAccountWorld();
  const { database, users, groups, owner } = world;
  database.write(() => {
    users.create({
      userName: 'Zoé',
      displayName: 'ÄRZTIN im Dienst',
      email: 'zoe@example.org',
      role: 'VIEWER',
    });
    users.create({ userName: 'max_100%', displayName: 'Max', active: false, origin: 'scim', external: true });
    users.create({
      userName: 'new@example.org',
      active: false,
      isWaiting: true,
      origin: 'saml',
      external: true,
    });
    users.create({ userName: 'odd', role: 'Auditor' });
  });
  groups.create(owner, 'analysts');
  groups.addMembers(owner, 'analysts', ['Zoé', 'odd']);
});

const search = (conditions: Search) =>
  world.accounts.search(world.owner, conditions).data.map(({ user_name }) => user_name);

const USER = `
  INSERT INTO users (id, user_name, user_name_key, display_name, super_user, active, origin, revision, created_at, updated_at)
  VALUES (?, ?, ?, ?, 0, 0, ?, ?, '', '')
`;

it('finds the users of a home of schema version 14', () => {
  const home = makeFolder();
  const old = createDatabase(home, { clock: createTestClock(), migrations: migrations.slice(0, 14) });
  old.write(() => {
    old.statement(USER).run('u1', 'zoe', 'zoe', 'ÄRZTIN', 'saml', 1);
    old.statement(USER).run('u2', 'ada', 'ada', 'Ärztin', 'saml', 2);
    old.statement(USER).run('u3', 'bob', 'bob', 'Arzt', 'scim', 1);
  });
  old.close();
  const { accounts, owner } = createAccountWorld({ home });
  const doctors = accounts
    .search(owner, { q: 'ärztin' })
    .data.map(({ user_name, state }) => [user_name, state]);
  expect(doctors).toEqual([
    ['ada', 'disabled'],
    ['zoe', 'waiting'],
  ]);
});

describe('a search of users', () => {
  it.each<[string, Search, readonly string[]]>([
    ['a part of the user name', { q: 'ZO' }, ['zoé']],
    ['a part of the address', { q: 'E@EXAMPLE' }, ['zoé']],
    ['a part of the display name, in any case and form', { q: 'a\u0308rztin' }, ['zoé']],
    ['a character that SQL gives a meaning', { q: '_1' }, ['max_100%']],
    ['another one', { q: '0%' }, ['max_100%']],
    ['text that is SQL', { q: "' OR 1=1 --" }, []],
    ['a role in any case', { role: 'viewer' }, ['zoé']],
    ['an unknown role', { role: 'Auditor' }, ['odd']],
    ['administrators', { role: 'ADMIN' }, ['admin']],
    ['disabled users', { state: 'disabled' }, ['max_100%']],
    ['users who wait', { state: 'waiting' }, ['new@example.org']],
    ['users from an identity provider', { source: 'saml' }, ['new@example.org']],
    ['members of a group', { group: 'ANALYSTS' }, ['odd', 'zoé']],
    ['several conditions', { group: 'analysts', role: 'VIEWER', state: 'active' }, ['zoé']],
    ['nobody', { q: 'zo', state: 'disabled' }, []],
  ])('finds %s', (_, conditions, names) => {
    expect(search(conditions).map((name) => name.toLowerCase())).toEqual(names);
    expect(world.accounts.search(world.owner, { ...conditions, limit: 1 }).total).toBe(names.length);
  });

  it('sorts by age, with a page after a user who exists', () => {
    const byAge = search({ sort: 'created_at' });
    expect(search({ sort: '-created_at' })).toEqual(byAge.toReversed());
    expect(search({ sort: 'created_at', after: byAge[2]! })).toEqual(byAge.slice(3));
    expect(search({ sort: '-created_at', after: byAge[2]! })).toEqual(byAge.slice(0, 2).toReversed());
    expect(() => search({ sort: 'created_at', after: 'gone' })).toThrow(
      'After names a user who does not exist',
    );
  });

  it('is refused for an unknown group, for a limit out of range, and to others', () => {
    expect(() => search({ group: 'analyst' })).toThrow('Group not found: analyst');
    expect(() => search({ limit: 0 })).toThrow('Limit must be between 1 and 1000');
    const other = { ...world.owner, superUser: false };
    expect(() => world.accounts.search(other, {})).toThrow("You don't have permission");
  });

  it('shows where an account is from, its groups, and its state until an administrator enables it', async () => {
    const read = (name: string) => world.accounts.search(world.owner, { q: name }).data[0];
    expect(read('zoé')).toMatchObject({
      state: 'active',
      source: 'local',
      external: false,
      groups: ['analysts'],
      group_count: 1,
      last_seen_at: null,
      session_count: 0,
      token_count: 0,
    });
    expect(read('new@')).toMatchObject({ state: 'waiting', source: 'saml', external: true });
    await world.accounts.set(world.owner, 'new@example.org', { displayName: 'New' });
    expect(read('new@')).toMatchObject({ state: 'waiting' });
    await world.accounts.set(world.owner, 'new@example.org', { active: true });
    await world.accounts.set(world.owner, 'new@example.org', { active: false });
    expect(read('new@')).toMatchObject({ state: 'disabled' });
  });
});
