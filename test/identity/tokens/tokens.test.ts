import { describe, expect, it } from 'vitest';
import { toPrincipal } from '../../../src/identity/records/users.ts';
import { generateToken, hashToken } from '../../../src/identity/tokens/token-format.ts';
import { createAccountWorld, refusalOf, START, VISITOR } from '../account-world.ts';

describe('a new token', () => {
  it('belongs to the caller, and is stored only as a hash', () => {
    const { tokens, ada, database } = createAccountWorld();
    const { token, body } = tokens.create(ada, { name: 'ci', description: 'nightly' });
    expect(body).toEqual({
      id: expect.any(String),
      name: 'ci',
      description: 'nightly',
      owner: 'ada',
      creator: 'ada',
      first8: token.slice(0, 8),
      last4: token.slice(-4),
      scope: 'all',
      read_only: false,
      expires_at: new Date(START.getTime() + 90 * 86_400_000).toISOString(),
      last_used_at: null,
      created_at: START.toISOString(),
    });
    const row = database.statement('SELECT * FROM tokens').get();
    expect(row).toMatchObject({ hash: hashToken(token) });
    expect(JSON.stringify(row)).not.toContain(token.slice(8, -4));
    expect(tokens.list(ada)).toEqual([body]);
  });

  it('can belong to another user only when an administrator creates it', async () => {
    const { tokens, owner, ada, bob } = createAccountWorld();
    const { body } = tokens.create(owner, { name: 'ci', owner: 'ADA' });
    expect(body).toMatchObject({ owner: 'ada', creator: 'admin' });
    expect(tokens.list(ada)).toEqual([body]);
    expect(tokens.list(owner, 'ada')).toEqual([body]);
    expect(tokens.list(owner)).toEqual([]);
    const forbidden = "403 You don't have permission to perform the request";
    for (const name of ['ada', 'nobody']) {
      expect(await refusalOf(() => tokens.create(bob, { name: 'x', owner: name }))).toBe(forbidden);
      expect(await refusalOf(() => tokens.list(bob, name))).toBe(forbidden);
      expect(await refusalOf(() => tokens.delete(bob, 'ci', name))).toBe(forbidden);
    }
    expect(await refusalOf(() => tokens.delete(bob, 'ci'))).toBe('404 Token not found: ci');
    expect(await refusalOf(() => tokens.create(owner, { name: 'x', owner: 'adda' }))).toBe(
      '404 User not found: adda',
    );
    expect(tokens.list(ada)).toHaveLength(1);
  });

  it('is not created for a deleted user, even when another user has the name', async () => {
    const { tokens, accounts, owner, ada } = createAccountWorld();
    accounts.delete(owner, 'ada');
    await accounts.create(owner, 'ada', {});
    expect(await refusalOf(() => tokens.create(ada, { name: 'ci' }))).toBe('404 User not found: ada');
    expect(tokens.list(owner, 'ada')).toEqual([]);
  });

  it.each([
    [{ name: ' ' }, '400 Token name is required'],
    [{ name: 'x'.repeat(256) }, '400 Token name exceeds maximum length of 255 characters'],
    [{ name: 'a\nb' }, '400 Token name must not have control characters'],
    [{ name: '\ud800' }, '400 Token name must be well-formed Unicode'],
    [
      { name: 'x', description: 'd'.repeat(1001) },
      '400 Description exceeds maximum length of 1000 characters',
    ],
    [{ name: 'x', expiresAt: START }, '400 Expiry must be in the future'],
    [{ name: 'x', expiresAt: new Date(Number.NaN) }, '400 Expiry must be in the future'],
    [{ name: 'ci' }, '409 Token already exists: ci'],
  ])('is refused as %j', async (given, refusal) => {
    const { tokens, ada, bob } = createAccountWorld();
    tokens.create(ada, { name: 'ci' });
    tokens.create(bob, { name: 'ci' });
    expect(await refusalOf(() => tokens.create(ada, given))).toBe(refusal);
    expect(tokens.list(ada)).toHaveLength(1);
  });

  it('is refused when the owner has a hundred', async () => {
    const { tokens, ada, bob } = createAccountWorld();
    for (let i = 0; i < 100; i++) tokens.create(ada, { name: `t${i}` });
    expect(await refusalOf(() => tokens.create(ada, { name: 'more' }))).toBe(
      '422 A user has at most 100 tokens',
    );
    tokens.create(bob, { name: 'more' });
  });
});

describe('the principal of a token', () => {
  it('has the default rights without a known role, and otherwise those of the role', async () => {
    const world = createAccountWorld({ defaultRole: 'VIEWER' });
    const { tokens, accounts, owner, users } = world;
    const { token } = tokens.create(toPrincipal(users.create({ userName: 'eve', role: 'editor' })), {
      name: 'ci',
    });
    const viewsOnly = () => tokens.verify(token)?.viewsOnly;
    expect(viewsOnly()).toBe(false);
    await accounts.set(owner, 'eve', { role: 'Auditor' });
    expect(viewsOnly()).toBe(true);
    expect(await accounts.get(owner, 'eve')).toMatchObject({ role: 'Auditor' });
    expect([world.ada, world.bob, owner].map((who) => who.viewsOnly)).toEqual([true, true, false]);
    await accounts.set(owner, 'eve', { role: 'EDITOR' });
    expect(viewsOnly()).toBe(false);
  });

  it('is its owner, with the current rights', async () => {
    const { tokens, accounts, owner, ada } = createAccountWorld();
    const { token, body } = tokens.create(ada, { name: 'ci', readOnly: true });
    const origin = { tokenId: body.id, scope: 'read' as const, address: null, requestId: null };
    const principal = { ...ada, viewsOnly: true, origin };
    expect(tokens.verify(token)).toEqual(principal);
    await accounts.set(owner, 'ada', { role: 'ADMIN' });
    expect(tokens.verify(token, VISITOR)).toEqual({
      ...principal,
      superUser: true,
      origin: { ...origin, ...VISITOR },
    });
    const other = tokens.create(ada, { name: 'other' }).token;
    expect(tokens.verify(other)).toMatchObject({ userName: 'ada', origin: { scope: 'all' } });
  });

  it('does not exist for a malformed, unknown or deleted token', () => {
    const { tokens, ada } = createAccountWorld();
    const { token, body } = tokens.create(ada, { name: 'ci' });
    expect([tokens.verify(''), tokens.verify(generateToken()), tokens.verify(`${token} `)]).toEqual([
      null,
      null,
      null,
    ]);
    tokens.delete(ada, body.id);
    expect(tokens.verify(token)).toBeNull();
  });

  it('does not exist after the expiry, to the millisecond', () => {
    const { tokens, ada, pass } = createAccountWorld();
    const expiresAt = new Date(START.getTime() + 1000);
    const { token } = tokens.create(ada, { name: 'ci', expiresAt });
    pass(999);
    const shown = [1, 2, 3].map(() => tokens.verify(token)?.userName);
    expect(shown).toEqual(['ada', 'ada', 'ada']);
    pass(1);
    expect(tokens.verify(token)).toBeNull();
  });

  it('has the origin of each request', () => {
    const { tokens, ada } = createAccountWorld();
    const { token } = tokens.create(ada, { name: 'ci' });
    const visitors = ['req-1', 'req-2', 'req-3'].map((requestId) => ({ ...VISITOR, requestId }));
    const origins = visitors.map((visitor) => tokens.verify(token, visitor)?.origin);
    expect(origins).toMatchObject(visitors);
  });

  it('does not exist while its owner is disabled, or after the owner is deleted', async () => {
    const { tokens, accounts, owner, ada, database } = createAccountWorld();
    const { token } = tokens.create(ada, { name: 'ci' });
    await accounts.set(owner, 'ada', { active: false });
    expect(tokens.verify(token)).toBeNull();
    await accounts.set(owner, 'ada', { active: true });
    expect(tokens.verify(token)).not.toBeNull();
    accounts.delete(owner, 'ada');
    expect(tokens.verify(token)).toBeNull();
    expect(database.statement('SELECT * FROM tokens').all()).toEqual([]);
  });

  it('stays when the creator is deleted', async () => {
    const { tokens, accounts, owner, bob, ada } = createAccountWorld();
    await accounts.set(owner, 'bob', { role: 'ADMIN' });
    const { token } = tokens.create({ ...bob, superUser: true }, { name: 'ci', owner: 'ada' });
    accounts.delete(owner, 'bob');
    expect(tokens.verify(token)).toMatchObject(ada);
    expect(tokens.list(ada)).toMatchObject([{ creator: null }]);
  });

  it('has its last use recorded at most once a minute', () => {
    const { tokens, ada, pass } = createAccountWorld();
    const { token } = tokens.create(ada, { name: 'ci' });
    const noted = (after: number) => {
      pass(after);
      tokens.verify(token);
      return tokens.list(ada)[0]!.last_used_at;
    };
    expect([noted(5000), noted(59_999), noted(1), noted(1)]).toEqual([
      '2026-03-01T00:00:05.000Z',
      '2026-03-01T00:00:05.000Z',
      '2026-03-01T00:01:05.000Z',
      '2026-03-01T00:01:05.000Z',
    ]);
  });

  it('is found while the database cannot be written; the use is recorded later', () => {
    const world = createAccountWorld({ busyTimeout: 20 });
    const other = createAccountWorld({ home: world.home });
    const { token } = world.tokens.create(world.ada, { name: 'ci' });
    const usedAt = () => world.tokens.list(world.ada)[0]!.last_used_at;
    other.database.statement('BEGIN IMMEDIATE').run();
    expect(world.tokens.verify(token)?.userName).toBe('ada');
    other.database.statement('ROLLBACK').run();
    // For a minute, no call waits for the lock again.
    world.pass(59_999);
    expect([world.tokens.verify(token)?.userName, usedAt()]).toEqual(['ada', null]);
    world.pass(1);
    expect([world.tokens.verify(token)?.userName, usedAt()]).toEqual(['ada', '2026-03-01T00:01:00.000Z']);
  });

  it('has its last use recorded at the current time after the clock was set back', () => {
    const { tokens, ada, pass } = createAccountWorld();
    const { token } = tokens.create(ada, { name: 'ci' });
    tokens.verify(token);
    pass(-3_600_000);
    tokens.verify(token);
    expect(tokens.list(ada)[0]!.last_used_at).toBe('2026-02-28T23:00:00.000Z');
  });
});
