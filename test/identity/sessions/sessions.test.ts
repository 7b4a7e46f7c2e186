import { describe, expect, it } from 'vitest';
import { createSessionService } from '../../../src/identity/sessions/sessions.ts';
import { type AccountWorld, createAccountWorld, START, VISITOR } from '../account-world.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

function startFor(world: AccountWorld, userName: string) {
  return world.sessions.start(world.users.findByUserName(userName)!);
}

function countRows({ database }: AccountWorld): number {
  return database.statement<{ n: number }>('SELECT count(*) AS n FROM sessions').get()!.n;
}

describe('a session', () => {
  it('has the current rights of its user, and the origin of the request', async () => {
    const world = createAccountWorld();
    const { sessions, ada, users } = world;
    const { cookieValue, csrfToken, sessionId, expiresAt } = startFor(world, 'ada');
    expect(expiresAt).toEqual(new Date(START.getTime() + 7 * 24 * HOUR));
    const origin = { tokenId: null, sessionId, scope: 'all', ...VISITOR };
    expect(sessions.verify(cookieValue, VISITOR)).toEqual({
      principal: { ...ada, origin },
      sessionId,
      csrfToken,
    });
    users.update(users.findByUserName('ada')!, { role: 'VIEWER' });
    expect(sessions.verify(cookieValue, VISITOR)?.principal.viewsOnly).toBe(true);
  });

  it('is stored only as a hash, and is unique', () => {
    const world = createAccountWorld();
    const all = [startFor(world, 'ada'), startFor(world, 'ada'), startFor(world, 'bob')];
    const secrets = all.flatMap(({ cookieValue, csrfToken }) => [cookieValue, csrfToken]);
    expect(new Set(secrets).size).toBe(6);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
    const rows = JSON.stringify(world.database.statement('SELECT * FROM sessions').all());
    for (const { cookieValue } of all) expect(rows).not.toContain(cookieValue);
  });

  it('is not found for any other cookie value', () => {
    const world = createAccountWorld();
    const { cookieValue, sessionId, csrfToken } = startFor(world, 'ada');
    const { hash } = world.database.statement<{ hash: string }>('SELECT hash FROM sessions').get()!;
    const flipped = (cookieValue.startsWith('A') ? 'B' : 'A') + cookieValue.slice(1);
    for (const wrong of [
      '',
      sessionId,
      csrfToken,
      hash,
      flipped,
      `${cookieValue}=`,
      ` ${cookieValue}`,
      `${cookieValue}\n`,
      'x'.repeat(1_000_000),
      "' OR 1=1 --",
    ]) {
      expect(world.sessions.verify(wrong, VISITOR), wrong.slice(0, 50)).toBeNull();
    }
    expect(world.sessions.verify(cookieValue, VISITOR)).not.toBeNull();
  });

  it('ends after eight hours without use, to the millisecond', () => {
    const world = createAccountWorld();
    const { cookieValue } = startFor(world, 'ada');
    world.pass(8 * HOUR - 1);
    expect(world.sessions.verify(cookieValue, VISITOR)).not.toBeNull();
    world.pass(8 * HOUR - 1);
    expect(world.sessions.verify(cookieValue, VISITOR)).not.toBeNull();
    world.pass(8 * HOUR);
    expect(world.sessions.verify(cookieValue, VISITOR)).toBeNull();
  });

  it('ends after seven days, even when it is used', () => {
    const world = createAccountWorld();
    const { cookieValue } = startFor(world, 'ada');
    for (let hours = 0; hours < 7 * 24 - 4; hours += 4) {
      world.pass(4 * HOUR);
      expect(world.sessions.verify(cookieValue, VISITOR)).not.toBeNull();
    }
    world.pass(4 * HOUR);
    expect(world.sessions.verify(cookieValue, VISITOR)).toBeNull();
  });

  it('stays ended when the clock is set back', () => {
    const world = createAccountWorld();
    const { cookieValue } = startFor(world, 'ada');
    world.pass(8 * HOUR);
    expect(world.sessions.verify(cookieValue, VISITOR)).toBeNull();
    world.pass(-HOUR);
    expect(world.sessions.verify(cookieValue, VISITOR)).toBeNull();
    expect(countRows(world)).toBe(0);
  });

  it('has the configured limits', () => {
    const world = createAccountWorld();
    const sessions = createSessionService(world, { idle: 10 * MINUTE, absolute: HOUR });
    const { cookieValue, expiresAt } = sessions.start(world.users.findByUserName('ada')!);
    expect(expiresAt).toEqual(new Date(START.getTime() + HOUR));
    world.pass(10 * MINUTE);
    expect(sessions.verify(cookieValue, VISITOR)).toBeNull();
  });

  it('records its use at most once a minute', () => {
    const world = createAccountWorld();
    const { cookieValue } = startFor(world, 'ada');
    const usedAfter = (milliseconds: number) => {
      world.pass(milliseconds);
      world.sessions.verify(cookieValue, VISITOR);
      return world.database.statement<{ used_at: string }>('SELECT used_at FROM sessions').get()!.used_at;
    };
    expect([usedAfter(59_999), usedAfter(1), usedAfter(59_999), usedAfter(1)]).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-03-01T00:01:00.000Z',
      '2026-03-01T00:01:00.000Z',
      '2026-03-01T00:02:00.000Z',
    ]);
  });

  it('stays valid while the database cannot be written', () => {
    const world = createAccountWorld({ busyTimeout: 20 });
    const other = createAccountWorld({ home: world.home });
    const { cookieValue } = startFor(world, 'ada');
    world.pass(2 * MINUTE);
    other.database.statement('BEGIN IMMEDIATE').run();
    expect(world.sessions.verify(cookieValue, VISITOR)?.principal.userName).toBe('ada');
    other.database.statement('ROLLBACK').run();
    expect(world.sessions.verify(cookieValue, VISITOR)?.principal.userName).toBe('ada');
  });

  it('is recent for ten minutes after a sign-in with a password or single sign-on', () => {
    const world = createAccountWorld();
    const { sessions, users, ada } = world;
    const principalOf = (method: 'password' | 'sso' | 'ui') => {
      const { cookieValue } = sessions.start(users.findByUserName('ada')!, { method });
      return sessions.verify(cookieValue, VISITOR)!.principal;
    };
    const principals = [principalOf('password'), principalOf('sso'), principalOf('ui')];
    const list = () => principals.map((principal) => sessions.isRecent(principal));
    expect(list()).toEqual([true, true, false]);
    world.pass(10 * MINUTE);
    expect(list()).toEqual([true, true, false]);
    world.pass(1);
    expect(list()).toEqual([false, false, false]);
    // A command on the home, and a token, have no session.
    expect(sessions.isRecent(ada)).toBe(true);
    sessions.end(principals[0]!.origin!.sessionId!);
    expect(sessions.isRecent(principals[0]!)).toBe(false);
  });

  it('ends alone when it is ended', () => {
    const world = createAccountWorld();
    const [one, other] = [startFor(world, 'ada'), startFor(world, 'ada')];
    expect([world.sessions.end(one.sessionId), world.sessions.end(one.sessionId)]).toEqual([true, false]);
    expect(world.sessions.verify(one.cookieValue, VISITOR)).toBeNull();
    expect(world.sessions.verify(other.cookieValue, VISITOR)).not.toBeNull();
  });

  it.each([
    ['is disabled', { active: false }],
    ['gets another password', { password: 'correct horse' }],
    ['may do more', { role: 'ADMIN' }],
  ])('ends when its user %s', async (_, settings) => {
    const world = createAccountWorld();
    const [mine, others] = [startFor(world, 'ada'), startFor(world, 'bob')];
    await world.accounts.set(world.owner, 'ada', settings);
    await world.accounts.set(world.owner, 'ada', { active: true });
    expect(world.sessions.verify(mine.cookieValue, VISITOR)).toBeNull();
    expect(world.sessions.verify(others.cookieValue, VISITOR)).not.toBeNull();
    expect(world.trail.list(world.owner, { action: 'session.end' })).toMatchObject([
      { actor: 'admin', object: 'ada' },
    ]);
  });

  it('continues when its user changes otherwise, or loses rights', async () => {
    const world = createAccountWorld();
    const { cookieValue } = startFor(world, 'ada');
    await world.accounts.set(world.owner, 'ada', { displayName: 'Ada', email: '', role: 'VIEWER' });
    await world.accounts.set(world.owner, 'ada', { role: 'viewer', active: true });
    expect(world.sessions.verify(cookieValue, VISITOR)).not.toBeNull();
    await world.accounts.set(world.owner, 'ada', { role: 'EDITOR' });
    expect(world.sessions.verify(cookieValue, VISITOR)).toBeNull();
  });

  it('is not valid while its user is disabled, and is deleted with the user', () => {
    const world = createAccountWorld();
    const { users, sessions, accounts, owner } = world;
    const { cookieValue } = startFor(world, 'ada');
    users.update(users.findByUserName('ada')!, { active: false });
    expect(sessions.verify(cookieValue, VISITOR)).toBeNull();
    accounts.delete(owner, 'ada');
    expect(countRows(world)).toBe(0);
  });
});

describe('the sessions of a home', () => {
  it('are deleted when they have expired', () => {
    const world = createAccountWorld();
    for (let i = 0; i < 5; i++) startFor(world, 'ada');
    world.pass(8 * HOUR);
    startFor(world, 'bob');
    expect(countRows(world)).toBe(1);
  });

  it('are at most the twenty newest of a user', () => {
    const world = createAccountWorld();
    const others = startFor(world, 'bob');
    const all = Array.from({ length: 22 }, () => startFor(world, 'ada').cookieValue);
    const isAlive = (cookie: string) => world.sessions.verify(cookie, VISITOR) !== null;
    expect(all.map(isAlive).indexOf(true)).toBe(2);
    expect([countRows(world), isAlive(others.cookieValue)]).toEqual([21, true]);
  });
});
