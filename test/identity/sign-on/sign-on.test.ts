import { describe, expect, it } from 'vitest';
import { unlink } from '../../../src/identity/sign-on/link-user.ts';
import { SignOnError } from '../../../src/identity/sign-on/proven-identity.ts';
import { runTogether } from '../../store/processes.ts';
import { refusalOf, START, VISITOR } from '../account-world.ts';
import { createSignOnWorld, ISSUER, type SignOnWorld, toIdentity } from './sign-on-world.ts';

const OFF = { jit: false };
const emailOf = (world: SignOnWorld, userName: string) => world.users.findByUserName(userName)?.email;

describe('the first sign-in', () => {
  it('creates an account of the provider, active and without a role', () => {
    const world = createSignOnWorld();
    const sent = { userName: ' eve ', firstName: 'Eve', lastName: ' Adams ' };
    const { principal, session, warnings } = world.enter(sent);
    expect(principal).toMatchObject({ userName: 'eve', superUser: false, origin: VISITOR });
    expect(world.users.findById(principal.userId)).toMatchObject({
      email: 'eve@example.org',
      displayName: 'Eve Adams',
      attributes: '{"name":{"familyName":"Adams","givenName":"Eve"}}',
      origin: 'saml',
      external: true,
      active: true,
      role: null,
      effectiveRole: 'EDITOR',
    });
    expect(world.users.readPasswordHash(principal.userId)).toBeNull();
    expect(world.sessions.verify(session.cookieValue, VISITOR)?.principal).toEqual(principal);
    expect(warnings).toEqual([]);
    expect(world.listAudit()).toEqual([
      'eve | user.create | eve: by saml, e-mail eve@example.org | done',
      'eve | sso.link | eve: saml: eve@example.org | done',
      'eve | sign-in | saml: eve@example.org | done',
    ]);
  });

  it('gives the default role', () => {
    const world = createSignOnWorld({ defaultRole: 'VIEWER' });
    expect(world.enter({}).principal.viewsOnly).toBe(true);
  });

  it.each([
    null,
    '',
    ' ',
    'ada',
    ' ADA ',
    'ADA@example.org',
    'a\nb',
    'x'.repeat(256),
    '\ud800',
    'boss@example.org',
    'e\u200bve',
  ])('uses the e-mail address instead of the user name %j', (userName) => {
    expect(createSignOnWorld().enter({ userName }).principal.userName).toBe('eve@example.org');
  });

  it('is refused when both names are taken', () => {
    const world = createSignOnWorld();
    world.make({ userName: 'eve@example.org', email: 'other@example.org' });
    expect(world.refuse({ userName: 'ada' })).toBe('account-name');
  });

  it.each(['', 'eve', 'a b@example.org', `${'x'.repeat(250)}@example.org`, 'a@b\u0000'])(
    'is refused with the e-mail address %j',
    (email) => {
      expect(createSignOnWorld().refuse({ email, subject: 'eve@example.org' })).toBe('account-email');
    },
  );

  it('creates one account when several processes sign in at once', async () => {
    const world = createSignOnWorld();
    const script = new URL('./sign-on-process.ts', import.meta.url);
    const identity = JSON.stringify(toIdentity({ groups: ['a', 'b'] }));
    const ids = await runTogether(script, ...Array.from({ length: 4 }, () => [world.home, identity]));
    expect(new Set(ids)).toEqual(new Set([world.users.findByEmail('eve@example.org')!.id]));
    expect(world.users.count()).toBe(4);
    expect(world.groupsOf('eve@example.org')).toEqual(['a', 'b']);
  });
});

describe('a later sign-in', () => {
  it('finds the account by the subject of the issuer, in any case', () => {
    const world = createSignOnWorld();
    const { userId } = world.enter({ userName: 'eve' }).principal;
    world.change('eve', { email: 'adams@example.org', userName: 'adams' });
    expect(world.enter({ subject: 'EVE@Example.org', email: 'EVE@Example.org' }).principal).toMatchObject({
      userId,
      userName: 'adams',
    });
    expect(emailOf(world, 'adams')).toBe('adams@example.org');
  });

  it('with another issuer is another identity, and finds the account after the first link was deleted', () => {
    const world = createSignOnWorld();
    const { userId } = world.enter({ userName: 'eve' }).principal;
    expect(world.refuse({ issuer: 'urn:new' })).toBe('account-linked-elsewhere');
    unlink(world, world.owner, 'saml', { issuer: ISSUER });
    expect(world.enter({ issuer: 'urn:new' }).principal.userId).toBe(userId);
    world.change('eve', { email: 'other@example.org' });
    expect(world.enter({ issuer: 'urn:new' }).principal.userId).toBe(userId);
  });

  it('changes the names only of accounts that the provider created', () => {
    const world = createSignOnWorld();
    const nameOf = (userName: string) => world.users.findByUserName(userName)?.displayName;
    const attributesOf = (userName: string) => world.users.findByUserName(userName)?.attributes;
    world.enter({ userName: 'eve', firstName: 'Eve' });
    world.change('eve', { attributes: '{"name":{"formatted":"E","givenName":"Eve"},"title":"Dr"}' });
    world.enter({ lastName: 'Adams' });
    expect(nameOf('eve')).toBe('Adams');
    for (const firstName of [null, ' ', 'a\nb', 'x'.repeat(256)]) world.enter({ firstName });
    expect(nameOf('eve')).toBe('Adams');
    expect(attributesOf('eve')).toBe('{"name":{"familyName":"Adams","formatted":"E"},"title":"Dr"}');
    world.make({ userName: 'pia', email: 'pia@example.org', displayName: 'Pia', origin: 'scim' });
    world.enter({ email: 'pia@example.org', firstName: 'Other' });
    expect([nameOf('pia'), attributesOf('pia')]).toEqual(['Pia', '{}']);
    expect(world.listAudit()).toContain('eve | user.update | eve: first and last name | done');
  });

  it('of a deleted user creates another account', () => {
    const world = createSignOnWorld();
    const { userId } = world.enter({ userName: 'eve' }).principal;
    world.accounts.delete(world.owner, 'eve');
    const again = world.enter({ userName: 'eve' }).principal;
    expect(again.userId).not.toBe(userId);
    expect(world.users.findById(again.userId)?.active).toBe(true);
  });

  it('is refused while the account is disabled, with a message to the user', () => {
    const world = createSignOnWorld();
    world.enter({ userName: 'eve', groups: ['a'] });
    world.change('eve', { active: false });
    expect(() => world.enter({ groups: ['b'] })).toThrow(
      expect.objectContaining({
        check: 'account-disabled',
        userText: 'Your account is disabled. Please contact the system administrator.',
      }),
    );
    expect(world.groupsOf('eve')).toEqual(['a']);
    expect(world.listAudit().at(-1)).toBe('? | sign-in | saml: eve@example.org, account-disabled | refused');
    world.change('eve', { active: true });
    expect(world.enter({}).principal.userName).toBe('eve');
  });
});

describe('an existing account', () => {
  const conflict =
    'User with given email already registered: Ada@example.org. Please contact the system administrator.';

  it('with the origin `local` conflicts with JIT until it is deleted; the next account is disabled', () => {
    const world = createSignOnWorld();
    const ada = { email: 'Ada@example.org', userName: 'ada2' };
    expect(() => world.enter(ada)).toThrow(
      expect.objectContaining({ check: 'account-conflict', userText: conflict }),
    );
    expect(world.preview(ada)).toContain('would be refused: account-conflict');
    world.accounts.delete(world.owner, 'ada');
    expect(world.preview(ada)).toBe(
      'the user ada2 would be created, disabled, because a sign-in with this e-mail address was refused before',
    );
    expect(world.refuse(ada)).toBe('account-disabled');
    expect(world.users.findByUserName('ada2')).toMatchObject({
      active: false,
      origin: 'saml',
      external: true,
    });
    expect(world.refuse(ada)).toBe('account-disabled');
    world.change('ada2', { active: true });
    expect(world.enter(ada).principal.userName).toBe('ada2');
    expect(world.listAudit()).toEqual([
      '? | sign-in | saml: Ada@example.org, account-conflict | refused',
      'admin | user.delete | ada | done',
      'ada2 | user.create | ada2: by saml, e-mail Ada@example.org, disabled | done',
      'ada2 | sso.link | ada2: saml: Ada@example.org | done',
      '? | sign-in | saml: Ada@example.org, account-disabled | refused',
      '? | sign-in | saml: Ada@example.org, account-disabled | refused',
      'admin | user.update | ada2: enabled | done',
      'ada2 | sign-in | saml: Ada@example.org | done',
    ]);
    world.accounts.delete(world.owner, 'ada2');
    expect(world.enter(ada).principal.userName).toBe('ada2');
  });

  it('can still sign in with a password after a conflict', async () => {
    const world = createSignOnWorld();
    await world.accounts.set(world.owner, 'ada', { password: 'correct horse' });
    expect(world.refuse({ email: 'ada@example.org' })).toBe('account-conflict');
    const { principal } = await world.signing.signIn({ login: 'ada', password: 'correct horse' }, VISITOR);
    expect(principal.userName).toBe('ada');
  });

  it.each([{ origin: 'scim' }, { external: true }] as const)('of %j is linked with JIT', (made) => {
    const world = createSignOnWorld();
    const { id } = world.make({ userName: 'pia', email: 'pia@example.org', ...made });
    expect(world.preview({ email: 'Pia@example.org' })).toBe('would be linked to the user pia');
    expect(world.enter({ email: 'Pia@example.org' }).principal.userId).toBe(id);
    expect(world.preview({ email: 'pia@example.org' })).toBe('signs in as the linked user pia');
    expect(world.users.findById(id)).toMatchObject({ userName: 'pia', email: 'pia@example.org' });
  });

  it('is linked without JIT, for any origin', () => {
    const world = createSignOnWorld();
    expect(world.enter({ email: 'ada@example.org' }, OFF).principal.userId).toBe(world.ada.userId);
    expect(world.enter({ email: 'ada@example.org' }).principal.userId).toBe(world.ada.userId);
  });

  it('must exist without JIT', () => {
    const world = createSignOnWorld();
    expect(world.refuse({}, OFF)).toBe('account-unknown');
    expect(world.preview({}, OFF)).toContain(
      'no user has the e-mail address `eve@example.org`, and JIT is off',
    );
    expect(world.users.count()).toBe(3);
  });

  it('is not linked while it is disabled', () => {
    const world = createSignOnWorld();
    world.change('ada', { active: false });
    expect(world.refuse({ email: 'ada@example.org' }, OFF)).toBe('account-disabled');
    expect(world.listAudit().join()).not.toContain('sso.link');
  });

  it('is never linked a second time by an address', () => {
    const world = createSignOnWorld();
    const ada = { email: 'ada@example.org', subject: 'ada@example.org' };
    world.enter(ada, OFF);
    const other = { ...ada, subject: 'ada.l@example.org' };
    const elsewhere = { ...ada, issuer: 'https://second.example.org/metadata' };
    for (const identity of [other, elsewhere]) {
      for (const jit of [true, false])
        expect(world.refuse(identity, { jit })).toBe('account-linked-elsewhere');
      expect(world.preview(identity, OFF)).toContain(`run \`quern sso saml link ada ${identity.subject}\``);
    }
    const textWith = (rules: object) => {
      try {
        world.enter(elsewhere, rules);
      } catch (error) {
        return (error as SignOnError).userText;
      }
      return undefined;
    };
    expect(textWith({ jit: true })).toBe(
      'User with given email already registered: ada@example.org. Please contact the system administrator.',
    );
    expect(textWith(OFF)).toBeNull();
  });

  it('is linked again after its links were deleted', async () => {
    const world = createSignOnWorld();
    const ada = { email: 'ada@example.org' };
    world.enter(ada, OFF);
    expect(unlink(world, world.owner, 'saml', { userName: 'ADA' })).toBe(1);
    world.enter({ ...ada, issuer: 'https://second.example.org/metadata' }, OFF);
    expect(world.refuse(ada, OFF)).toBe('account-linked-elsewhere');
    expect(unlink(world, world.owner, 'saml', { issuer: 'https://second.example.org/metadata' })).toBe(1);
    world.enter(ada, OFF);
    expect(world.listAudit().filter((entry) => entry.includes('sso.unlink'))).toEqual([
      'admin | sso.unlink | saml: ada, 1 links | done',
      'admin | sso.unlink | saml: https://second.example.org/metadata, 1 links | done',
    ]);
    const both = { userName: 'ada', issuer: ISSUER };
    for (const of of [{}, both]) {
      expect(await refusalOf(() => unlink(world, world.owner, 'saml', of))).toMatch(/^400/);
    }
    expect(await refusalOf(() => unlink(world, world.owner, 'saml', { userName: 'bob' }))).toMatch(/^404/);
    expect(await refusalOf(() => unlink(world, world.ada, 'saml', { userName: 'ada' }))).toMatch(/^403/);
  });

  it('of an administrator is linked with a warning, unless the setting is off', () => {
    const world = createSignOnWorld();
    const { email } = world.users.findById(world.owner.userId)!;
    const admin = { email: email! };
    expect(world.refuse(admin, { jit: false, bindSuperUsers: false })).toBe('account-administrator');
    expect(world.refuse(admin, {})).toBe('account-conflict');
    expect(world.enter(admin, OFF).warnings).toEqual([
      'the administrator admin is now linked to saml: admin@localhost',
    ]);
    const again = world.enter(admin, { jit: true, bindSuperUsers: false });
    expect([again.warnings, again.principal.superUser]).toEqual([[], true]);
  });
});

describe('the session', () => {
  it('ends with the session at the provider, if that ends earlier', () => {
    const world = createSignOnWorld();
    const soon = new Date(START.getTime() + 60_000);
    const { session } = world.enter({ sessionEndsAt: soon, detail: '{"index":"_1"}' });
    expect(session.expiresAt).toEqual(soon);
    expect(world.signOn.findOrigin(session.sessionId)).toEqual({
      provider: 'saml',
      issuer: ISSUER,
      subject: 'eve@example.org',
      detail: '{"index":"_1"}',
    });
    world.pass(60_000);
    expect(world.sessions.verify(session.cookieValue, VISITOR)).toBeNull();
    expect(world.refuse({ sessionEndsAt: soon })).toBe('session-end');
    const late = world.enter({ sessionEndsAt: new Date('2030-01-01') }).session;
    expect(late.expiresAt.getTime() - START.getTime()).toBe(7 * 86_400_000 + 60_000);
    world.sessions.end(late.sessionId);
    expect(world.signOn.findOrigin(late.sessionId)).toBeNull();
  });

  it('is one of at most twenty', () => {
    const world = createSignOnWorld();
    const all = Array.from({ length: 21 }, () => world.enter({}).session.sessionId);
    expect(world.sessions.listIds(world.users.findByEmail('eve@example.org')!.id).toSorted()).toEqual(
      all.slice(1),
    );
  });

  it('ends when the user is disabled', () => {
    const world = createSignOnWorld();
    const { session } = world.enter({ userName: 'eve' });
    world.change('eve', { active: false });
    expect(world.sessions.verify(session.cookieValue, VISITOR)).toBeNull();
  });
});

it('a refused sign-in has the name of the check in its message', () => {
  const refusal = new SignOnError('account-unknown', 'no user');
  expect([refusal.message, refusal.userText]).toEqual(['account-unknown: no user', null]);
});
