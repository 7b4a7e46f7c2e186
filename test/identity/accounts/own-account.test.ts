import { describe, expect, it } from 'vitest';
import { createOwnAccount, type OwnAccount } from '../../../src/identity/accounts/own-account.ts';
import type { Principal } from '../../../src/identity/principal/principal.ts';
import type { SessionStart } from '../../../src/identity/sessions/sessions.ts';
import { type AccountWorld, createAccountWorld, refusalOf, START, VISITOR } from '../account-world.ts';

const PASSWORD = 'correct horse';
const OTHER = 'battery staple';
const NOT_FIRST =
  '403 Without the current password, you can set only the first one, after you have signed in with `quern ui`';
const EXTERNAL = '403 You sign in with your identity provider, which keeps your password: change it there';

interface OwnWorld extends AccountWorld {
  readonly own: OwnAccount;
  /** Starts a session of a user, and returns the principal of its requests. */
  signInAs(userName: string, how?: SessionStart): Principal;
}

function createOwnWorld(): OwnWorld {
  const world = createAccountWorld();
  const own = createOwnAccount({ ...world, signIn: world.signing, onDelete: () => undefined });
  return {
    ...world,
    own,
    signInAs: (userName, how) => {
      const { cookieValue } = world.sessions.start(world.users.findByUserName(userName)!, how);
      return world.sessions.verify(cookieValue, VISITOR)!.principal;
    },
  };
}

function listObjects(world: OwnWorld, action: string) {
  return world.trail.list(world.owner, { action }).map(({ actor, object }) => [actor, object]);
}

describe('the profile', () => {
  it('shows the account, and the groups by name', () => {
    const world = createOwnWorld();
    for (const name of ['writers', 'analysts', 'empty']) world.groups.create(world.owner, name);
    for (const name of ['writers', 'analysts']) world.groups.addMembers(world.owner, name, ['ada']);
    expect(world.own.get(world.signInAs('ada'))).toEqual({
      user_name: 'ada',
      display_name: '',
      email: 'ada@example.org',
      role: 'EDITOR',
      groups: ['analysts', 'writers'],
      origin: 'local',
      is_local: true,
      password: 'none',
    });
  });

  it('changes the display name, and nothing that is not valid', async () => {
    const world = createOwnWorld();
    const ada = world.signInAs('ada');
    expect(world.own.setDisplayName(ada, 'Ada Lovelace').display_name).toBe('Ada Lovelace');
    expect(world.own.setDisplayName(ada, '').display_name).toBe('');
    expect(listObjects(world, 'user.update')).toEqual(Array(2).fill(['ada', 'ada: display name']));
    for (const [name, refusal] of [
      ['a\nb', '400 Display name must not have control characters'],
      ['a'.repeat(256), '400 Display name exceeds maximum length of 255 characters'],
      ['\ud800', '400 Display name must be well-formed Unicode'],
    ] as const) {
      expect(await refusalOf(() => world.own.setDisplayName(ada, name))).toBe(refusal);
    }
  });

  it.each([
    ['an identity provider', { origin: 'saml', external: true }],
    ['a provisioning service', { origin: 'scim' }],
  ] as const)('keeps the display name of a user of %s', async (_, kind) => {
    const world = createOwnWorld();
    world.users.create({ userName: 'eve', displayName: 'Eve', ...kind });
    const eve = world.signInAs('eve');
    expect(await refusalOf(() => world.own.setDisplayName(eve, 'Adam'))).toBe(
      '403 Your identity provider keeps your display name: change it there',
    );
    expect(world.own.get(eve)).toMatchObject({ display_name: 'Eve', is_local: false, origin: kind.origin });
  });
});

describe('the first password', () => {
  it('is set without another one, in a session of `quern ui`, which continues', async () => {
    const world = createOwnWorld();
    const admin = world.signInAs('admin', { method: 'ui' });
    const other = world.signInAs('admin', { method: 'ui' });
    expect(world.own.get(admin).password).toBe('first');
    await world.own.setPassword(admin, { next: PASSWORD });
    expect(world.own.get(admin).password).toBe('change');
    expect(world.own.listSessions(admin).map(({ is_current }) => is_current)).toEqual([true]);
    expect(listObjects(world, 'user.password')).toEqual([['admin', 'admin']]);
    const signedIn = await world.signing.signIn({ login: 'admin', password: PASSWORD }, VISITOR);
    expect(signedIn.principal.userName).toBe('admin');
    expect(await refusalOf(() => world.own.setPassword(other, { next: OTHER }))).toBe(NOT_FIRST);
    expect(await refusalOf(() => world.own.setPassword(admin, { next: OTHER }))).toBe(NOT_FIRST);
  });

  it('is set once by two requests at the same time', async () => {
    const world = createOwnWorld();
    const admin = world.signInAs('admin', { method: 'ui' });
    const outcomes = await Promise.allSettled(
      [PASSWORD, OTHER].map((next) => world.own.setPassword(admin, { next })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it.each([undefined, 'password', 'sso'] as const)('is not set in a session by %s', async (method) => {
    const world = createOwnWorld();
    const ada = world.signInAs('ada', method === undefined ? undefined : { method });
    expect(world.own.get(ada).password).toBe('none');
    expect(await refusalOf(() => world.own.setPassword(ada, { next: PASSWORD }))).toBe(NOT_FIRST);
    expect(world.users.readPasswordHash(ada.userId)).toBeNull();
  });

  it('is not set without a session', async () => {
    const world = createOwnWorld();
    world.signInAs('admin', { method: 'ui' });
    expect(await refusalOf(() => world.own.setPassword(world.owner, { next: PASSWORD }))).toBe(NOT_FIRST);
  });

  it.each([
    ['short', '400 Password refused: a password needs at least 8 characters'],
    ['password', /^400 Password refused: .* easily guessed$/],
    ['admin-2026', /^400 Password refused: .* easily guessed$/],
  ])('is not %s', async (next, refusal) => {
    const world = createOwnWorld();
    const admin = world.signInAs('admin', { method: 'ui' });
    expect(await refusalOf(() => world.own.setPassword(admin, { next }))).toMatch(refusal);
  });
});

describe('the own password', () => {
  it('is changed with the current one, which ends all other sessions', async () => {
    const world = createOwnWorld();
    await world.accounts.set(world.owner, 'ada', { password: PASSWORD });
    const ada = world.signInAs('ada');
    world.signInAs('ada');
    expect(world.own.get(ada).password).toBe('change');
    expect(await refusalOf(() => world.own.setPassword(ada, { current: OTHER, next: OTHER }))).toBe(
      '400 Current password is wrong',
    );
    expect(world.own.listSessions(ada)).toHaveLength(2);
    await world.own.setPassword(ada, { current: PASSWORD, next: OTHER });
    expect(world.own.listSessions(ada).map(({ is_current }) => is_current)).toEqual([true]);
  });

  it('is not kept here for a user who signs in elsewhere', async () => {
    const world = createOwnWorld();
    world.users.create({ userName: 'eve', external: true, origin: 'saml' });
    const eve = world.signInAs('eve', { method: 'ui' });
    expect(world.own.get(eve).password).toBe('external');
    expect(await refusalOf(() => world.own.setPassword(eve, { next: PASSWORD }))).toBe(EXTERNAL);
    expect(await refusalOf(() => world.own.setPassword(eve, { current: 'x', next: PASSWORD }))).toBe(
      EXTERNAL,
    );
  });
});

describe('the own sessions', () => {
  it('show the browser, the address and the times', () => {
    const world = createOwnWorld();
    const first = world.signInAs('ada', { userAgent: 'Firefox/1', address: '192.0.2.1' });
    world.pass(3_600_000);
    const second = world.signInAs('ada', { method: 'sso', userAgent: 'Safari/2', address: '192.0.2.2' });
    const [at, later] = [START.toISOString(), new Date(START.getTime() + 3_600_000).toISOString()];
    expect(world.own.listSessions(first)).toEqual([
      {
        id: second.origin?.sessionId,
        method: 'sso',
        user_agent: 'Safari/2',
        address: '192.0.2.2',
        started_at: later,
        last_seen_at: later,
        is_current: false,
      },
      {
        id: first.origin?.sessionId,
        method: 'password',
        user_agent: 'Firefox/1',
        address: '192.0.2.1',
        started_at: at,
        last_seen_at: at,
        is_current: true,
      },
    ]);
  });

  it('have the address of the last use, and none that has ended', () => {
    const world = createOwnWorld();
    const { cookieValue } = world.sessions.start(world.users.findByUserName('ada')!, {
      address: '192.0.2.1',
    });
    world.pass(60_000);
    const { principal } = world.sessions.verify(cookieValue, { ...VISITOR, address: '192.0.2.9' })!;
    expect(world.own.listSessions(principal)).toMatchObject([
      { address: '192.0.2.9', last_seen_at: '2026-03-01T00:01:00.000Z' },
    ]);
    world.pass(8 * 3_600_000);
    expect(world.own.listSessions(principal)).toEqual([]);
  });

  it.each([
    [undefined, null],
    ['', null],
    [' \t ', null],
    ['a\u0000b\u001bc\u009fd', 'a b c d'],
    ['x'.repeat(10_000), 'x'.repeat(400)],
    [`${'x'.repeat(399)}\ud83e\udd86`, `${'x'.repeat(399)}\ufffd`],
  ])('keep a bounded User-Agent without control characters: %j', (userAgent, kept) => {
    const world = createOwnWorld();
    const ada = world.signInAs('ada', { userAgent });
    expect(world.own.listSessions(ada)[0]?.user_agent).toBe(kept);
  });

  it('end one by one, or all but the current one', async () => {
    const world = createOwnWorld();
    const [ada, other] = [world.signInAs('ada'), world.signInAs('ada')];
    for (let i = 0; i < 3; i++) world.signInAs('ada');
    const bob = world.signInAs('bob');
    const { sessionId = '' } = other.origin!;
    const ended = '404 The session has ended already';
    expect(await refusalOf(() => world.own.endSession(bob, sessionId))).toBe(ended);
    world.own.endSession(ada, sessionId);
    expect(world.own.listSessions(ada)).toHaveLength(4);
    expect(await refusalOf(() => world.own.endSession(ada, sessionId))).toBe(ended);
    world.own.endOtherSessions(ada);
    expect(world.own.listSessions(ada).map(({ is_current }) => is_current)).toEqual([true]);
    expect(world.own.listSessions(bob)).toHaveLength(1);
    expect(listObjects(world, 'session.end')).toEqual([
      ['ada', 'ada'],
      ['ada', 'ada: one session'],
    ]);
  });
});
