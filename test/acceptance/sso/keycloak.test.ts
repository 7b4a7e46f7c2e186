import { describe, expect, inject, it } from 'vitest';
import { openPage } from '../../support/chromium.ts';
import { fetchHttps } from '../../support/sso/https.ts';
import { hasKeycloak, startKeycloak } from '../../support/sso/keycloak.ts';
import { testFlows } from './flows.ts';
import {
  addUser,
  canSignInAt,
  changeSettings,
  expectConsole,
  readGroups,
  readRefusal,
  shareSsoWorld,
  signInAs,
} from './instance.ts';

const isHere = canSignInAt('Keycloak', { Keycloak: hasKeycloak });

describe.skipIf(!isHere)('SAML with Keycloak', () => {
  const world = shareSsoWorld(startKeycloak);

  it('accepts roles as groups, which Keycloak sends in several attributes of the same name', async () => {
    await changeSettings(world, { attributes: { groups: 'Role' } }, { attributes: { groups: 'groups' } });
    const user = await addUser(world);
    await expectConsole(await signInAs(world, user.name), user.name);
    const roles = ['default-roles-quern', 'offline_access', 'uma_authorization'];
    expect(await readGroups(world, user.name)).toEqual(expect.arrayContaining(roles));
  });

  it('refuses a sign-in that begins at Keycloak', async () => {
    const user = await addUser(world);
    const page = await openPage({}, world.browser);
    await page.goto(await world.provider.allowUnasked());
    await world.provider.signIn(page, user.name);
    await page.waitForURL(`${world.url}/**`);
    expect((await readRefusal(page, world)).check).toBe('in-response-to');
  });

  it('signs requests with a key that Keycloak knows, also after a change of the key', async () => {
    const user = await addUser(world);
    await world.manage('POST', '/sso/saml/certificates');
    await expectConsole(await signInAs(world, user.name), user.name);
    await world.manage('POST', '/sso/saml/certificates/activate');
    const page = await openPage({}, world.browser);
    await page.goto(`${world.url}/api/auth/login/saml2`);
    await page.getByText('Invalid requester').waitFor();
    const { text } = await fetchHttps(`${world.url}/saml2/certificate`, world.tls.authority, {
      method: 'POST',
      headers: { authorization: `Bearer ${inject('adminToken')}` },
    });
    await world.provider.setCertificate(text);
    await expectConsole(await signInAs(world, user.name), user.name);
  });

  testFlows(world);
});
