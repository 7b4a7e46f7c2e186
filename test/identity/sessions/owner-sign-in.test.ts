import { describe, expect, it } from 'vitest';
import { present } from '../../../src/invariants/must.ts';
import { type AccountWorld, createAccountWorld, refusalOf, VISITOR } from '../account-world.ts';

const ENDED =
  '401 This sign-in was used already, or is older than 15 minutes: run `quern ui` again on the machine of this server';
const NOT_LOCAL =
  '403 `quern ui` signs in only with its file, in a browser on the machine of this server, without a proxy: run `quern ui` again there';
const NOT_OWNER =
  '403 The user is disabled, or no longer an administrator: run `quern ui` again on the machine of this server';

function createSecret({ ownerSignIn }: AccountWorld): string {
  return present(ownerSignIn.createSecret(() => undefined) ?? undefined);
}

function signIn({ ownerSignIn }: AccountWorld, secret: string, isLocal = true) {
  return ownerSignIn.signIn({ secret, isLocal }, VISITOR);
}

function listSignIns(world: AccountWorld) {
  return world.trail
    .list(world.owner, { action: 'sign-in' })
    .map(({ actor, object, result, address }) => [actor, object, result, address]);
}

describe('the sign-in of the owner', () => {
  it('starts a session without a password, once', async () => {
    const world = createAccountWorld();
    const secret = createSecret(world);
    const { principal, session } = signIn(world, secret);
    expect(principal).toMatchObject({ userName: 'admin', superUser: true });
    expect(world.sessions.verify(session.cookieValue, VISITOR)?.principal).toEqual(principal);
    expect(await refusalOf(() => signIn(world, secret))).toBe(ENDED);
    expect(listSignIns(world)).toEqual([
      [null, 'quern ui', 'refused', VISITOR.address],
      ['admin', 'quern ui: admin', 'done', VISITOR.address],
    ]);
  });

  it('is refused after 15 minutes', async () => {
    const world = createAccountWorld();
    const secret = createSecret(world);
    world.pass(15 * 60_000);
    expect(await refusalOf(() => signIn(world, secret))).toBe(ENDED);
  });

  it('is refused from elsewhere, which ends the secret', async () => {
    const world = createAccountWorld();
    const secret = createSecret(world);
    expect(await refusalOf(() => signIn(world, secret, false))).toBe(NOT_LOCAL);
    expect(await refusalOf(() => signIn(world, secret))).toBe(ENDED);
  });

  it.each([
    ['disabled', { active: false }],
    ['given another role', { role: 'EDITOR' }],
  ])('is refused if the owner was %s in the meantime', async (_, change) => {
    const world = createAccountWorld();
    await world.accounts.create(world.owner, 'boss', { role: 'ADMIN' });
    const secret = createSecret(world);
    await world.accounts.set(world.owner, 'admin', change);
    expect(await refusalOf(() => signIn(world, secret))).toBe(NOT_OWNER);
    expect(signIn(world, createSecret(world)).principal.userName).toBe('boss');
  });

  it('is refused for some time after many failures, unless the secret is right', async () => {
    const world = createAccountWorld();
    const refusals: string[] = [];
    for (let i = 0; i < 7; i++) refusals.push(await refusalOf(() => signIn(world, 'wrong')));
    const wait = '429 Too many failed sign-ins: try again in 1 s';
    expect(refusals).toEqual([...Array<string>(5).fill(ENDED), wait, wait]);
    expect(listSignIns(world)).toHaveLength(6);
    expect(signIn(world, createSecret(world)).principal.userName).toBe('admin');
    expect(await refusalOf(() => signIn(world, 'wrong'))).toBe(ENDED);
  });
});
