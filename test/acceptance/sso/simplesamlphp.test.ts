import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canSetClock, hasSimplesamlphp, startSimplesamlphp } from '../../support/sso/simplesamlphp.ts';
import { testFlows, testOwnSide } from './flows.ts';
import {
  addUser,
  canSignInAt,
  expectConsole,
  readGroups,
  readRefusal,
  register,
  shareSsoWorld,
  signInAs,
} from './instance.ts';

const isHere = canSignInAt('SimpleSAMLphp', { SimpleSAMLphp: hasSimplesamlphp });

describe.skipIf(!isHere)('SAML with SimpleSAMLphp', () => {
  const world = shareSsoWorld(startSimplesamlphp);

  it('accepts 200 groups, and refuses more with the limit in the log', async () => {
    const prefix = randomUUID();
    const groups = Array.from({ length: 200 }, (_, index) => `${prefix} ${index}`);
    const user = await addUser(world, { groups });
    await expectConsole(await signInAs(world, user.name), user.name);
    expect(await readGroups(world, user.name)).toHaveLength(200);
    await world.provider.setUser(user.name, { ...user, groups: [...groups, `${prefix} more`] });
    const { check, detail } = await readRefusal(await signInAs(world, user.name), world);
    expect(check).toBe('groups-limit');
    expect(detail).toContain('200');
    expect(await readGroups(world, user.name)).toHaveLength(200);
  });

  it('refuses a user without an e-mail address', async () => {
    const user = await addUser(world, { email: '' });
    expect((await readRefusal(await signInAs(world, user.name), world)).check).toMatch(/^name-id/);
  });

  it('refuses a user with two e-mail addresses if the name is not one of them', async () => {
    const user = await addUser(world, { otherEmail: `${randomUUID()}@example.org` });
    const { check } = await readRefusal(await signInAs(world, user.name), world);
    expect(check).toMatch(/^(name-id|status)/);
  });

  it.skipIf(!canSetClock).each([600, -600])(
    'refuses a provider whose clock is %i s ahead, and the log names the skew',
    async (seconds) => {
      const user = await addUser(world);
      onTestFinished(() => world.provider.setClock(0));
      world.provider.setClock(seconds);
      const { check, detail } = await readRefusal(await signInAs(world, user.name), world);
      expect(check).toMatch(/time$/);
      expect(detail).toMatch(/until \S+; the time here is \S+, and the clocks may differ by 60 s$/);
      world.provider.setClock(50);
      await expectConsole(await signInAs(world, user.name), user.name);
    },
  );

  it('works while its own certificate changes', async () => {
    const user = await addUser(world);
    const signIn = async () => expectConsole(await signInAs(world, user.name), user.name);
    await world.manage('POST', '/sso/saml/certificates');
    await signIn();
    await register(world);
    await signIn();
    await world.manage('POST', '/sso/saml/certificates/activate');
    await signIn();
  });

  testOwnSide(world);
  testFlows(world);
});
