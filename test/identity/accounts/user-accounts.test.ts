import { verify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import type { UserSettings } from '../../../src/identity/accounts/user-accounts.ts';
import { type AccountWorld, createAccountWorld, refusalOf } from '../account-world.ts';

function passwordOf({ database }: AccountWorld, userName: string): string | null {
  return database
    .statement<{ password_hash: string | null }>('SELECT password_hash FROM users WHERE user_name = ?')
    .get(userName)!.password_hash;
}

/** The user names of a page. */
const namesOf = ({ data }: ReturnType<AccountWorld['accounts']['search']>) =>
  data.map(({ user_name }) => user_name);

describe('an account', () => {
  it('is active, an editor and without a password by default', async () => {
    const world = createAccountWorld();
    const { accounts, owner } = world;
    expect(await accounts.create(owner, 'carol', {})).toMatchObject({
      user_name: 'carol',
      email: null,
      display_name: '',
      role: 'EDITOR',
      active: true,
    });
    expect(passwordOf(world, 'carol')).toBeNull();
    const dave = await accounts.create(owner, 'dave@example.org', {
      displayName: 'Dave',
      role: 'viewer',
      active: false,
      password: 'a long one',
    });
    expect(dave).toMatchObject({
      email: 'dave@example.org',
      display_name: 'Dave',
      role: 'VIEWER',
      active: false,
    });
    const hash = passwordOf(world, 'dave@example.org')!;
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect([await verify(hash, 'a long one'), await verify(hash, 'another')]).toEqual([true, false]);
    expect(accounts.list(owner).map(({ user_name }) => user_name)).toEqual([
      'ada',
      'admin',
      'bob',
      'carol',
      'dave@example.org',
    ]);
  });

  it('appears in the list of all accounts, or in a page of a hundred', () => {
    const { accounts, database, owner, users } = createAccountWorld();
    database.write(() => {
      for (let i = 100; i < 1200; i += 1) users.create({ userName: `u${i}` });
    });
    const all = accounts.list(owner).map(({ user_name }) => user_name);
    expect(all).toHaveLength(1103);
    expect(namesOf(accounts.search(owner, {}))).toEqual(all.slice(0, 100));
    const page = accounts.search(owner, { limit: 1000, after: 'U1100' });
    expect([page.data.length, page.data[0]?.user_name, page.data.at(-1)?.user_name]).toEqual([
      988,
      'u1101',
      'u999',
    ]);
    expect(page.total).toBe(1103);
    expect(namesOf(accounts.search(owner, { sort: '-user_name', limit: 2, after: 'u999' }))).toEqual([
      'u998',
      'u997',
    ]);
  });

  it('keeps the role ADMIN and `superUser` consistent', async () => {
    const { accounts, owner, users } = createAccountWorld();
    await accounts.create(owner, 'carol', { role: 'admin' });
    expect(users.findByUserName('carol')).toMatchObject({ superUser: true, role: null });
    expect(accounts.get(owner, 'CAROL').role).toBe('ADMIN');
    await accounts.set(owner, 'carol', { role: 'Auditor' });
    expect(users.findByUserName('carol')).toMatchObject({ superUser: false, role: 'Auditor' });
    await accounts.set(owner, 'carol', { displayName: 'Carol' });
    expect(accounts.get(owner, 'carol').role).toBe('Auditor');
  });

  it('keeps its revision when a change is empty', async () => {
    const world = createAccountWorld();
    const before = world.users.findByUserName('ada');
    world.pass(1000);
    await world.accounts.set(world.owner, 'ada', {});
    expect(world.users.findByUserName('ada')).toEqual(before);
    await world.accounts.set(world.owner, 'ada', { displayName: 'Ada' });
    expect(world.users.findByUserName('ada')).toMatchObject({ revision: before!.revision + 1 });
  });

  it('changes only the named properties', async () => {
    const world = createAccountWorld();
    const { accounts, owner, pass } = world;
    const before = await accounts.create(owner, 'carol', {
      email: 'c@example.org',
      displayName: 'Carol',
      role: 'VIEWER',
      password: 'the first one',
    });
    const hash = passwordOf(world, 'carol');
    const change = async (settings: UserSettings, expected: object) => {
      pass(1);
      const changed = await accounts.set(owner, 'Carol', settings);
      expect(changed).toEqual({ ...before, ...expected, updated_at: world.clock().toISOString() });
      expect(accounts.get(owner, 'carol')).toMatchObject(changed);
    };
    await change({ email: 'C@EXAMPLE.org' }, { email: 'C@EXAMPLE.org' });
    await change({ email: '' }, { email: null });
    await change({ displayName: '' }, { email: null, display_name: '' });
    await change({ active: false }, { email: null, display_name: '', active: false });
    expect(passwordOf(world, 'carol')).toBe(hash);
    await accounts.set(owner, 'carol', { password: 'the second one' });
    expect(await verify(passwordOf(world, 'carol')!, 'the second one')).toBe(true);
    // Another account can use the address.
    expect((await accounts.set(owner, 'bob', { email: 'c@example.org' })).email).toBe('c@example.org');
  });

  it.each([
    [{ email: 'ADA@Example.org' }, '409 E-mail already exists: ADA@Example.org'],
    [{ email: 'nonsense' }, '400 E-mail is not valid: nonsense'],
    [{ email: 'a\u200b@x.org' }, '400 E-mail is not valid: a\u200b@x.org'],
    [{ email: `${'x'.repeat(250)}@x.org` }, '400 E-mail exceeds maximum length of 255 characters'],
    [{ displayName: 'x'.repeat(256) }, '400 Display name exceeds maximum length of 255 characters'],
    [{ displayName: 'a\u001b[31m' }, '400 Display name must not have control characters'],
    [{ password: 'seven77' }, '400 Password refused: a password needs at least 8 characters'],
    [{ role: '' }, '400 Role is required'],
  ])('refuses the change %j', async (settings, refusal) => {
    const { accounts, owner } = createAccountWorld();
    const before = accounts.list(owner);
    expect(await refusalOf(() => accounts.create(owner, 'carol', settings))).toBe(refusal);
    expect(await refusalOf(() => accounts.set(owner, 'bob', settings))).toBe(refusal);
    expect(accounts.list(owner)).toEqual(before);
  });

  it.each([
    ['ADA', '409 User name already exists: ADA'],
    ['', '400 User name is required'],
    [' carol', '400 User name must not begin or end with a blank: ` carol`'],
    ['carol\u00a0', '400 User name must not begin or end with a blank: `carol\u00a0`'],
    ['car\u200bol', '400 User name must not have invisible characters: U+200B'],
    ['carol\u{e0041}', '400 User name must not have invisible characters: U+E0041'],
    ['x'.repeat(256), '400 User name exceeds maximum length of 255 characters'],
    ['a\nb', '400 User name must not have control characters'],
  ])('refuses the user name %j', async (userName, refusal) => {
    const { accounts, owner } = createAccountWorld();
    expect(await refusalOf(() => accounts.create(owner, userName, {}))).toBe(refusal);
    expect(accounts.list(owner)).toHaveLength(3);
  });

  it('can only be managed by administrators', async () => {
    const { accounts, owner, ada } = createAccountWorld();
    const before = accounts.list(owner);
    for (const act of [
      () => accounts.list(ada),
      () => accounts.get(ada, 'ada'),
      () => accounts.get(ada, 'nobody'),
      () => accounts.create(ada, 'carol', {}),
      () => accounts.set(ada, 'ada', { role: 'ADMIN' }),
      () => accounts.delete(ada, 'bob'),
    ]) {
      expect(await refusalOf(act)).toBe("403 You don't have permission to perform the request");
    }
    expect(accounts.list(owner)).toEqual(before);
  });

  it('is deleted after other modules are notified, and stays when one of them fails', async () => {
    const { accounts, owner, users, deleted } = createAccountWorld({
      onDelete: (user) => {
        if (user.userName === 'bob') throw new Error('stuck');
      },
    });
    expect(() => accounts.delete(owner, 'bob')).toThrow('stuck');
    expect(users.findByUserName('bob')).toBeDefined();
    accounts.delete(owner, 'ADA');
    expect(deleted.map(({ userName }) => userName)).toEqual(['bob', 'ada']);
    expect(users.findByUserName('ada')).toBeUndefined();
    expect(await refusalOf(() => accounts.delete(owner, 'ada'))).toBe('404 User not found: ada');
  });
});

describe('the last active administrator', () => {
  const refusal =
    '409 admin is the last active administrator, and cannot be deleted, disabled or given another role';

  it.each([
    [{ active: false }],
    [{ role: 'EDITOR' }],
    [{ role: 'unknown' }],
    [{ active: false, role: 'ADMIN' }],
  ])('cannot lose the role or be disabled: %j', async (settings) => {
    const { accounts, owner } = createAccountWorld();
    // A disabled administrator does not count.
    await accounts.create(owner, 'asleep', { role: 'ADMIN', active: false });
    expect(await refusalOf(() => accounts.set(owner, 'admin', settings))).toBe(refusal);
    expect(await refusalOf(() => accounts.delete(owner, 'admin'))).toBe(refusal);
    expect(accounts.get(owner, 'admin')).toMatchObject({ role: 'ADMIN', active: true });
  });

  it('can change its other properties, and can be deleted when there is another administrator', async () => {
    const { accounts, owner } = createAccountWorld();
    await accounts.set(owner, 'admin', { role: 'ADMIN', active: true, displayName: 'A' });
    await accounts.set(owner, 'ada', { role: 'ADMIN' });
    expect(await accounts.set(owner, 'admin', { role: 'VIEWER' })).toMatchObject({ role: 'VIEWER' });
    accounts.delete(owner, 'admin');
    expect(accounts.list(owner).map(({ user_name }) => user_name)).toEqual(['ada', 'bob']);
  });
});
