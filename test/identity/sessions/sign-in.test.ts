import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswords, type Passwords } from '../../../src/identity/passwords/passwords.ts';
import { runTogether } from '../../store/processes.ts';
import { type AccountWorld, createAccountWorld, refusalOf, VISITOR } from '../account-world.ts';

const password = 'correct horse';
const wrong = '401 User name or password is wrong';

async function createSignInWorld(passwords?: Passwords): Promise<AccountWorld> {
  const world = createAccountWorld(passwords === undefined ? {} : { passwords });
  await world.accounts.set(world.owner, 'ada', { password });
  return world;
}

/** Passwords that count the calls of their methods. */
function countCalls(): { readonly passwords: Passwords; readonly calls: string[] } {
  const real = createPasswords();
  const calls: string[] = [];
  return {
    calls,
    passwords: {
      hash: (given) => {
        calls.push('hash');
        return real.hash(given);
      },
      verify: (given, known) => {
        calls.push('verify');
        return real.verify(given, known);
      },
    },
  };
}

function signIn({ signing }: AccountWorld, login: string, given: string, visitor = VISITOR) {
  return signing.signIn({ login, password: given }, visitor);
}

/** Signs in with a wrong password this many times. */
async function failTimes(world: AccountWorld, times: number, login = 'ada'): Promise<void> {
  for (let i = 0; i < times; i++) expect(await refusalOf(() => signIn(world, login, 'wrong'))).toBe(wrong);
}

function entriesOf(world: AccountWorld, action: string) {
  return world.trail
    .list(world.owner, { action })
    .map(({ actor, object, result, address }) => [actor, object, result, address]);
}

describe('signing in', () => {
  it.each(['ada', 'ADA', 'ada@example.org', 'Ada@Example.ORG'])('starts a session for %s', async (login) => {
    const world = await createSignInWorld();
    const { principal, session } = await signIn(world, login, password);
    const verified = world.sessions.verify(session.cookieValue, VISITOR);
    expect(verified).toEqual({ principal, sessionId: session.sessionId, csrfToken: session.csrfToken });
    expect(principal).toMatchObject({ userName: 'ada', origin: { ...VISITOR, tokenId: null } });
    expect(entriesOf(world, 'sign-in')).toEqual([['ada', login, 'done', VISITOR.address]]);
    const again = await signIn(world, login, password);
    expect(again.session.cookieValue).not.toBe(session.cookieValue);
  });

  it('with a password works only for administrators when it is set; other users get the same error for right and wrong passwords', async () => {
    let isSsoOnly = true;
    const world = createAccountWorld({ isSsoOnly: () => isSsoOnly });
    await world.accounts.set(world.owner, 'ada', { password });
    await world.accounts.set(world.owner, 'admin', { password });
    expect(await refusalOf(() => signIn(world, 'ada', password))).toBe(wrong);
    expect(entriesOf(world, 'sign-in')).toEqual([[null, 'ada', 'refused', VISITOR.address]]);
    expect((await signIn(world, 'admin', password)).principal.superUser).toBe(true);
    for (let i = 0; i < 4; i++) expect(await refusalOf(() => signIn(world, 'ada', password))).toBe(wrong);
    expect(await refusalOf(() => signIn(world, 'ada', password))).toMatch(/^429 /);
    isSsoOnly = false;
    world.pass(60_000);
    expect((await signIn(world, 'ada', password)).principal.userName).toBe('ada');
  });

  it('finds user names before e-mail addresses', async () => {
    const world = await createSignInWorld();
    await world.accounts.create(world.owner, 'eve', { email: 'real@example.org' });
    await world.accounts.create(world.owner, 'real@example.org', { email: 'x@example.org', password });
    expect((await signIn(world, 'real@example.org', password)).principal.userName).toBe('real@example.org');
  });

  it.each([
    ['ada', 'Correct horse'],
    ['ada', ''],
    ['ada', `${password}\0`],
    ['nobody', password],
    ['', ''],
    ['\ud800', password],
    ['x'.repeat(100_000), password],
    ['bob', ''],
    ['bob', password],
    ['carol', password],
  ])('is refused as %.20j with %j, with the same text and one hash', async (login, given) => {
    const { passwords, calls } = countCalls();
    const world = await createSignInWorld(passwords);
    await world.accounts.create(world.owner, 'carol', { password, active: false });
    calls.length = 0;
    expect(await refusalOf(() => signIn(world, login, given))).toBe(wrong);
    expect(calls).toEqual(['verify']);
    const logged = login.toWellFormed().slice(0, 255);
    expect(entriesOf(world, 'sign-in')).toEqual([[null, logged, 'refused', VISITOR.address]]);
    expect(world.database.statement('SELECT * FROM sessions').all()).toEqual([]);
  });

  it('counts failures in the same way for known and unknown users', async () => {
    const waits: string[][] = [];
    for (const login of ['ada', 'nobody', 'bob']) {
      const world = await createSignInWorld();
      const seen: string[] = [];
      for (let i = 0; i < 12; i++) {
        const refusal = await refusalOf(() => signIn(world, login, 'wrong'));
        seen.push(refusal);
        const seconds = /in (\d+) s$/.exec(refusal)?.[1];
        world.pass(Number(seconds ?? 0) * 1000);
      }
      waits.push(seen);
    }
    expect(waits[0]!.slice(4, 8)).toEqual([
      wrong,
      '429 Too many failed sign-ins: try again in 1 s',
      wrong,
      '429 Too many failed sign-ins: try again in 2 s',
    ]);
    expect([waits[1], waits[2]]).toEqual([waits[0], waits[0]]);
  });

  it('is refused during the delay, even with the right password', async () => {
    const { passwords, calls } = countCalls();
    const world = await createSignInWorld(passwords);
    await failTimes(world, 5);
    calls.length = 0;
    const refused = await signIn(world, 'ada', password).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 429, retryAfter: 1, code: 'too_many_sign_ins' });
    expect(calls).toEqual([]);
    world.pass(1000);
    await signIn(world, 'ada', password);
    // The success reset the count.
    await failTimes(world, 4);
    await signIn(world, 'ada', password);
  });

  it('stops an address that tries one password for many users', async () => {
    const world = await createSignInWorld();
    for (let i = 0; i < 100; i++) world.throttle.begin({ login: `user ${i}`, address: VISITOR.address });
    expect(await refusalOf(() => signIn(world, 'ada', password))).toMatch(/^429 /);
    await signIn(world, 'ada', password, { ...VISITOR, address: '198.51.100.1' });
  });

  it('allows only five of many concurrent guesses', async () => {
    const { passwords, calls } = countCalls();
    const world = await createSignInWorld(passwords);
    calls.length = 0;
    const tried = Array.from({ length: 60 }, (_, i) => refusalOf(() => signIn(world, 'ada', `guess ${i}`)));
    const refusals = await Promise.all(tried);
    expect(refusals.filter((refusal) => refusal === wrong)).toHaveLength(5);
    expect(calls).toEqual(Array(5).fill('verify'));
  });

  it('lets many sessions start at once with the right password', async () => {
    const world = await createSignInWorld();
    const logins = Array.from({ length: 5 }, () => signIn(world, 'ada', password));
    const all = await Promise.all(logins);
    expect(new Set(all.map(({ session }) => session.cookieValue)).size).toBe(5);
    expect(world.database.statement('SELECT * FROM sign_in_failures').all()).toEqual([]);
  });

  it('does not count attempts that were not verified', async () => {
    const world = await createSignInWorld(createPasswords({ atOnce: 1, waiting: 0 }));
    const both = [signIn(world, 'ada', password), signIn(world, 'ada', password)];
    const [done, busy] = await Promise.allSettled(both);
    expect([done?.status, busy?.status]).toEqual(['fulfilled', 'rejected']);
    expect(world.database.statement('SELECT * FROM sign_in_failures').all()).toEqual([]);
  });

  it('records one throttled attempt after each failure', async () => {
    const world = await createSignInWorld();
    await failTimes(world, 5);
    for (let i = 0; i < 20; i++) await refusalOf(() => signIn(world, 'ada', password));
    expect(entriesOf(world, 'sign-in')).toHaveLength(6);
  });

  it.each([
    ['disabled', (world: AccountWorld) => world.accounts.set(world.owner, 'ada', { active: false })],
    ['deleted', async (world: AccountWorld) => world.accounts.delete(world.owner, 'ada')],
    [
      'given another password',
      (world: AccountWorld) => {
        const ada = world.users.findByUserName('ada')!;
        world.users.update(ada, { passwordHash: '$argon2id$other' });
      },
    ],
  ])('is refused when the user is %s during the verification', async (_, meanwhile) => {
    const real = createPasswords();
    const world: AccountWorld = await createSignInWorld({
      hash: real.hash,
      verify: async (given, known) => {
        const isRight = await real.verify(given, known);
        await meanwhile(world);
        return isRight;
      },
    });
    expect(await refusalOf(() => signIn(world, 'ada', password))).toBe(wrong);
    expect(world.database.statement('SELECT * FROM sessions').all()).toEqual([]);
  });

  it('allows five attempts in total of two processes that guess at once', async () => {
    const world = await createSignInWorld();
    const script = new URL('./sign-in-process.ts', import.meta.url);
    const now = world.clock().toISOString();
    const seen = (await runTogether(script, [world.home, now], [world.home, now])) as string[][];
    const refusals = seen.flat();
    expect(refusals).toHaveLength(40);
    expect(refusals.filter((refusal) => refusal === wrong)).toHaveLength(5);
    expect(refusals.filter((refusal) => refusal.startsWith('429'))).toHaveLength(35);
  });
});

describe('a hash with cheaper parameters', () => {
  const cheap = { memoryCost: 8192, timeCost: 1, parallelism: 1 };

  async function createCheapWorld(passwords?: Passwords): Promise<AccountWorld> {
    const world = await createSignInWorld(passwords);
    const passwordHash = await hash(password, cheap);
    world.users.update(world.users.findByUserName('ada')!, { passwordHash });
    return world;
  }

  const hashOf = ({ users, ada }: AccountWorld) => users.readPasswordHash(ada.userId);

  it('is replaced when its user signs in, but not after a wrong password', async () => {
    const world = await createCheapWorld();
    const before = world.users.findByUserName('ada');
    await refusalOf(() => signIn(world, 'ada', 'wrong'));
    expect(hashOf(world)).toContain('m=8192');
    await signIn(world, 'ada', password);
    const renewed = hashOf(world);
    expect(renewed).toContain('$m=19456,t=2,p=1$');
    await signIn(world, 'ada', password);
    expect(hashOf(world)).toBe(renewed);
    expect(world.users.findByUserName('ada')).toEqual(before);
  });

  it('does not block concurrent sign-ins', async () => {
    const world = await createCheapWorld();
    const all = [1, 2, 3, 4].map(() => signIn(world, 'ada', password));
    expect((await Promise.all(all)).map(({ principal }) => principal.userName)).toEqual(Array(4).fill('ada'));
    expect(hashOf(world)).toContain('m=19456');
  });

  it('stays when the password hashing is busy', async () => {
    const real = createPasswords({ atOnce: 1, waiting: 0 });
    const world = await createCheapWorld({
      verify: async (given, known) => {
        const isRight = await real.verify(given, known);
        void real.hash('something else');
        return isRight;
      },
      hash: real.hash,
    });
    await signIn(world, 'ada', password);
    expect(hashOf(world)).toContain('m=8192');
  });
});

describe('signing out', () => {
  it('ends the session, and is recorded once', async () => {
    const world = await createSignInWorld();
    const { principal, session } = await signIn(world, 'ada', password);
    world.signing.signOut(principal, session.sessionId);
    world.signing.signOut(principal, session.sessionId);
    expect(world.sessions.verify(session.cookieValue, VISITOR)).toBeNull();
    expect(entriesOf(world, 'sign-out')).toEqual([['ada', 'ada', 'done', VISITOR.address]]);
  });
});

describe('a change of the own password', () => {
  const next = 'battery staple';

  it('ends the other sessions, and only the new password works', async () => {
    const world = await createSignInWorld();
    const [one, other] = [await signIn(world, 'ada', password), await signIn(world, 'ada', password)];
    const { principal, session } = one;
    await world.signing.changePassword(principal, {
      current: password,
      next,
      sessionId: session.sessionId,
    });
    expect(world.sessions.verify(session.cookieValue, VISITOR)).not.toBeNull();
    expect(world.sessions.verify(other.session.cookieValue, VISITOR)).toBeNull();
    expect(await refusalOf(() => signIn(world, 'ada', password))).toBe(wrong);
    await signIn(world, 'ada', next);
    const mine = ['ada', 'ada', 'done', VISITOR.address];
    expect(entriesOf(world, 'user.password')[0]).toEqual(mine);
    expect(entriesOf(world, 'session.end')).toEqual([mine]);
  });

  it('needs the current password, and is throttled like a sign-in', async () => {
    const world = await createSignInWorld();
    const { principal, session } = await signIn(world, 'ada', password);
    const attempt = (current: string) =>
      refusalOf(() => world.signing.changePassword(principal, { current, next }));
    for (let i = 0; i < 5; i++) expect(await attempt('wrong')).toBe('400 Current password is wrong');
    expect(await attempt(password)).toMatch(/^429 /);
    expect(await refusalOf(() => signIn(world, 'ada', password))).toMatch(/^429 /);
    expect(world.sessions.verify(session.cookieValue, VISITOR)).not.toBeNull();
    expect(entriesOf(world, 'user.password').filter((entry) => entry[2] === 'refused')).toHaveLength(6);
  });

  it.each([
    ['short', '400 Password refused: a password needs at least 8 characters'],
    ['iloveyou', '400 Password refused: it is one of the commonest passwords, and easily guessed'],
    ['Ada2026!', '400 Password refused: it is made of names and obvious words, and easily guessed'],
  ])('to %s is refused', async (given, refusal) => {
    const world = await createSignInWorld();
    const { principal } = await signIn(world, 'ada', password);
    const change = { current: password, next: given };
    expect(await refusalOf(() => world.signing.changePassword(principal, change))).toBe(refusal);
    await signIn(world, 'ada', password);
  });

  it('is forbidden for a token, and fails for a user without a password', async () => {
    const world = await createSignInWorld();
    const { token } = world.tokens.create(world.ada, { name: 'ci' });
    const principal = world.tokens.verify(token, VISITOR)!;
    const forbidden = "403 You don't have permission to perform the request";
    const change = { current: password, next };
    expect(await refusalOf(() => world.signing.changePassword(principal, change))).toBe(forbidden);
    expect(await refusalOf(() => world.signing.changePassword(world.bob, { current: '', next }))).toBe(
      '400 Current password is wrong',
    );
  });
});

describe('a new password from an administrator', () => {
  it('ends the delay of the user', async () => {
    const world = await createSignInWorld();
    await failTimes(world, 5);
    await failTimes(world, 5, 'ada@example.org');
    await world.accounts.set(world.owner, 'ada', { password: 'battery staple' });
    await signIn(world, 'ada@example.org', 'battery staple');
    await signIn(world, 'ada', 'battery staple');
  });

  it('may be easily guessed, unless a person typed it', async () => {
    const world = await createSignInWorld();
    const set = (userName: string, passwordIsTyped: boolean, given: string) =>
      world.accounts.set(world.owner, userName, { password: given, passwordIsTyped });
    await set('ada', false, 'password');
    expect(await refusalOf(() => set('ada', true, 'password'))).toMatch(/^400 Password refused: it is /);
    expect(await refusalOf(() => set('ada', true, 'ada@example.org'))).toMatch(/made of names/);
    await signIn(world, 'ada', 'password');
  });
});
