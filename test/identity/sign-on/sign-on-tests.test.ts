import { describe, expect, it } from 'vitest';
import { linkUser } from '../../../src/identity/sign-on/link-user.ts';
import { createSignOnTests } from '../../../src/identity/sign-on/sign-on-tests.ts';
import type { TestOutcome } from '../../../src/identity/sign-on/test-body.ts';
import { createAccountWorld, refusalOf } from '../account-world.ts';
import { createSignOnWorld, ISSUER } from './sign-on-world.ts';

const MAY_NOT = "403 You don't have permission to perform the request";

const OUTCOME: TestOutcome = {
  passed: true,
  check: null,
  text: 'the user eve would be created',
  subject: 'eve@example.org',
  attributes: { groups: ['a', 'b'] },
};

function createTestWorld() {
  const world = createAccountWorld();
  return { ...world, tests: createSignOnTests(world) };
}

describe('a test sign-in', () => {
  it('waits for its outcome, which is set once', () => {
    const { tests, owner, trail } = createTestWorld();
    const begun = tests.create(owner, 'saml');
    expect(begun).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      status: 'waiting',
      outcome: null,
      created_at: '2026-03-01T00:00:00.000Z',
      expires_at: '2026-03-01T00:10:00.000Z',
    });
    expect([tests.get(owner, begun.id), tests.isWaiting(begun.id)]).toEqual([begun, true]);
    tests.finish(begun.id, OUTCOME);
    tests.finish(begun.id, { ...OUTCOME, passed: false });
    expect(tests.get(owner, begun.id)).toEqual({ ...begun, status: 'finished', outcome: OUTCOME });
    expect(tests.isWaiting(begun.id)).toBe(false);
    expect(trail.list(owner, { limit: 1 })[0]).toMatchObject({ action: 'sso.test', object: 'saml' });
  });

  it('expires', async () => {
    const { tests, owner, pass } = createTestWorld();
    const { id } = tests.create(owner, 'saml');
    pass(10 * 60_000);
    expect(tests.isWaiting(id)).toBe(false);
    tests.finish(id, OUTCOME);
    expect(await refusalOf(() => tests.get(owner, id))).toBe(`404 Test sign-in not found: ${id}`);
  });

  it('is one of at most twenty of its administrator', async () => {
    const { tests, owner, pass } = createTestWorld();
    const ids = Array.from({ length: 21 }, () => {
      pass(1);
      return tests.create(owner, 'saml').id;
    });
    expect(ids.map((id) => tests.isWaiting(id))).toEqual(ids.map((_, i) => i > 0));
  });

  it('is visible only to the administrator who started it', async () => {
    const { tests, owner, ada, accounts } = createTestWorld();
    const { id } = tests.create(owner, 'saml');
    expect(await refusalOf(() => tests.get(ada, id))).toBe(MAY_NOT);
    expect(await refusalOf(() => tests.create(ada, 'saml'))).toBe(MAY_NOT);
    await accounts.set(owner, 'ada', { role: 'ADMIN' });
    const other = { ...ada, superUser: true };
    expect(await refusalOf(() => tests.get(other, id))).toBe(`404 Test sign-in not found: ${id}`);
    expect(tests.isWaiting('')).toBe(false);
  });
});

describe('a link', () => {
  const toLink = (subject: string) => ({ provider: 'saml' as const, issuer: ISSUER, subject });

  it('assigns a name to an account', async () => {
    const world = createSignOnWorld();
    linkUser(world, world.owner, 'admin', toLink('Boss@example.org'));
    linkUser(world, world.owner, 'ADMIN', toLink('boss@example.org'));
    const rules = { jit: true, bindSuperUsers: false };
    expect(world.enter({ email: 'boss@example.org' }, rules).principal.userName).toBe('admin');
    expect(world.listAudit()[0]).toBe('admin | sso.link | admin: saml: Boss@example.org | done');
    const refused = (userName: string, subject: string, principal = world.owner) =>
      refusalOf(() => linkUser(world, principal, userName, toLink(subject)));
    expect(await refused('ada', 'BOSS@example.org')).toBe(
      '409 BOSS@example.org is already linked to the user admin',
    );
    expect(await refused('nobody', 'x@example.org')).toBe('404 User not found: nobody');
    expect(await refused('ada', 'no address')).toBe('400 E-mail is not valid: no address');
    expect(await refused('ada', 'x@example.org', world.ada)).toBe(MAY_NOT);
  });
});
