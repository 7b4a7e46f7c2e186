import { createPrivateKey, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { HomeError } from '../../../../src/errors/home-error.ts';
import type { SamlChange } from '../../../../src/identity/saml/settings/saml-service.ts';
import { refusalOf } from '../../account-world.ts';
import { BASE_URL, createSamlWorld, makeMetadata, type SamlWorld } from '../saml-world.ts';

let metadata = '';

beforeAll(async () => {
  metadata = await makeMetadata();
});

async function createConfigured(change: SamlChange = {}): Promise<SamlWorld> {
  const world = createSamlWorld();
  await world.saml.set(world.owner, { metadata, ...change });
  return world;
}

const refuseChange = ({ saml, owner }: SamlWorld, change: SamlChange) =>
  refusalOf(() => saml.set(owner, change));

describe('SAML settings', () => {
  it('are created with a certificate, and readable for sign-in', async () => {
    const { saml, owner, trail } = await createConfigured();
    expect(saml.get(owner)).toMatchObject({
      name: 'SSO',
      entity_id: BASE_URL,
      callback_url: `${BASE_URL}/api/saml2/callback`,
      logout_url: `${BASE_URL}/api/saml2/callback?client_name=SAML2Client&logoutendpoint=true`,
      metadata_url: null,
      identity_provider: { entity_id: 'https://idp.example.org/metadata', certificates: [{}] },
      attributes: { user_name: 'username', first_name: 'firstName', last_name: 'lastName', groups: 'groups' },
      jit: false,
      group_sync: true,
      create_groups: true,
      sso_only: false,
      sign_requests: false,
      skew_seconds: 60,
      certificate_validity: { count: 365, unit: 'days' },
      certificates: [{ state: 'active', not_after: '2027-03-01T00:00:00.000Z' }],
    });
    expect(saml.findSettings()).toMatchObject({ entityId: null, metadata: { url: null } });
    expect(saml.findRules()).toEqual({ jit: false, createGroups: true, bindSuperUsers: false });
    const { active, pending, former } = saml.findKeys()!;
    expect(new X509Certificate(active.certificate).checkPrivateKey(createPrivateKey(active.privateKey))).toBe(
      true,
    );
    expect([pending, former]).toEqual([null, null]);
    expect(trail.list(owner, {}).map(({ action, object }) => `${action} ${object}`)).toEqual([
      'sso.certificate saml: made, active',
      'sso.settings saml: metadata of https://idp.example.org/metadata',
    ]);
  });

  it('change only in the given properties', async () => {
    const { saml, owner, trail } = await createConfigured({ jit: true, attributes: { groups: 'roles' } });
    const before = saml.get(owner);
    const after = await saml.set(owner, {
      name: 'Contoso',
      entityId: 'urn:quern',
      attributes: { userName: 'uid' },
      certificateValidity: { unit: 'months', count: 6 },
    });
    expect(after).toEqual({
      ...before,
      name: 'Contoso',
      entity_id: 'urn:quern',
      attributes: { ...before.attributes, user_name: 'uid' },
      certificate_validity: { count: 6, unit: 'months' },
    });
    expect(trail.list(owner, { limit: 1 })[0]!.object).toBe(
      'saml: name Contoso, entity ID urn:quern, attribute uid, certificate validity',
    );
    expect((await saml.set(owner, { entityId: null })).entity_id).toBe(BASE_URL);
  });

  it('are due for a refresh once a day, when the refresh is on and there is a URL', async () => {
    const { saml, database, pass } = await createConfigured();
    expect(await saml.refreshIfDue()).toBeNull();
    const url = 'https://127.0.0.1:9/';
    const sql = `UPDATE identity_providers SET settings = json_set(settings, '$.metadata.url', '${url}')`;
    database.write(() => database.statement(sql).run());
    expect(await saml.refreshIfDue()).toBeNull();
    const on = `UPDATE identity_providers SET settings = json_set(settings, '$.metadataRefresh', 'apply')`;
    database.write(() => database.statement(on).run());
    expect(await saml.refreshIfDue()).toMatchObject({ kind: 'failed', url });
    pass(24 * 60 * 60_000 - 1);
    expect(await saml.refreshIfDue()).toBeNull();
    pass(1);
    expect(await saml.refreshIfDue()).toMatchObject({ kind: 'failed', url });
  });

  it('of an earlier version have the defaults of later properties', async () => {
    const { saml, owner, database } = await createConfigured();
    const sql = "UPDATE identity_providers SET settings = json_remove(settings, '$.metadataRefresh')";
    database.write(() => database.statement(sql).run());
    expect(saml.get(owner).metadata_refresh).toBe('off');
    expect((await saml.set(owner, { jit: true })).jit).toBe(true);
  });

  it('keep the last valid metadata when new metadata are refused', async () => {
    const world = await createConfigured();
    expect(await refuseChange(world, { metadata: '<html/>', name: 'Other' })).toMatch(
      /^422 Invalid identity provider/,
    );
    expect(await refuseChange(world, { metadataUrl: 'http://idp.example.org/metadata' })).toBe(
      '422 Metadata URL must be an https URL: http://idp.example.org/metadata',
    );
    expect(world.saml.findSettings()).toMatchObject({
      name: 'SSO',
      identityProvider: { entityId: 'https://idp.example.org/metadata' },
    });
  });

  it.each<[SamlChange, string]>([
    [{ name: ' ' }, '400 Name is required'],
    [{ name: 'a\nb' }, '400 Name must not have control characters'],
    [{ attributes: { groups: '' } }, '400 Group attribute is required'],
    [{ entityId: 'a b' }, '422 Entity ID must have 1 to 1024 characters, and no white space'],
    [{ entityId: '' }, '422 Entity ID must have 1 to 1024 characters, and no white space'],
    [{ skewSeconds: 301 }, '422 Skew must be 0 to 300 whole seconds'],
    [{ skewSeconds: 0.5 }, '422 Skew must be 0 to 300 whole seconds'],
    [{ certificateValidity: { count: 0 } }, '422 Certificate validity must be'],
    [{ certificateValidity: { count: 31, unit: 'years' } }, '422 Certificate validity must be'],
    [{ certificateValidity: { count: 1e9 } }, '422 Certificate validity must be'],
  ])('refuse %j', async (change, refusal) => {
    const world = createSamlWorld();
    expect(await refuseChange(world, { metadata, ...change })).toContain(refusal);
    expect(world.saml.findSettings()).toBeNull();
  });

  it('require metadata first', async () => {
    const world = createSamlWorld();
    expect(await refuseChange(world, { name: 'Contoso' })).toBe(
      '422 SAML is not configured: the metadata is required first',
    );
    expect(await refusalOf(() => world.saml.get(world.owner))).toBe('404 SAML is not configured');
    expect(await refusalOf(() => world.saml.getCertificate())).toBe('404 SAML is not configured');
    expect(await refusalOf(() => world.saml.printMetadata())).toBe('404 SAML is not configured');
  });

  it.each([null, 'http://quern.example.org'])('are refused with the base URL %s', async (baseUrl) => {
    const configured = await createConfigured();
    const { saml, owner } = createSamlWorld({ home: configured.home, baseUrl });
    const seen = baseUrl === null ? 'not set' : `\`${baseUrl}\``;
    const refusal = `409 SAML needs an https base URL, but the base URL of this instance is ${seen}`;
    const all = [
      () => saml.get(owner),
      () => saml.set(owner, { metadata }),
      () => saml.renewCertificate(owner),
      () => saml.activateCertificate(owner),
      () => saml.printMetadata(),
      () => saml.getCertificate(),
    ];
    expect(await Promise.all(all.map(refusalOf))).toEqual(all.map(() => refusal));
    expect([saml.findSettings(), saml.findRules(), saml.findBaseUrl()]).toEqual([null, null, null]);
    saml.delete(owner);
    expect(configured.saml.findSettings()).toBeNull();
  });

  it('can only be managed by administrators', async () => {
    const { saml, ada, owner } = await createConfigured();
    const reader = {
      ...owner,
      origin: { tokenId: 't', scope: 'read' as const, address: null, requestId: null },
    };
    const changes = [ada, reader].flatMap((principal) => [
      () => saml.set(principal, { jit: true }),
      () => saml.delete(principal),
      () => saml.renewCertificate(principal),
      () => saml.activateCertificate(principal),
    ]);
    for (const act of [() => saml.get(ada), ...changes]) {
      expect(await refusalOf(act)).toBe("403 You don't have permission to perform the request");
    }
    expect(saml.get(reader).jit).toBe(false);
  });

  it('are deleted together with their certificates', async () => {
    const { saml, owner } = await createConfigured();
    saml.delete(owner);
    expect([saml.findSettings(), saml.findKeys()]).toEqual([null, null]);
    expect(await refusalOf(() => saml.delete(owner))).toBe('404 SAML is not configured');
  });

  it('create one certificate when several callers set them at once', async () => {
    const { saml, owner, trail } = createSamlWorld();
    await Promise.all(['a', 'b', 'c'].map((name) => saml.set(owner, { metadata, name })));
    expect(saml.get(owner).certificates).toHaveLength(1);
    expect(trail.list(owner, { action: 'sso.certificate' })).toHaveLength(1);
  });
});

describe('certificates of the service provider', () => {
  const listStates = ({ saml, owner }: SamlWorld) => saml.get(owner).certificates.map(({ state }) => state);

  it('overlap while a new one replaces the old one', async () => {
    const world = await createConfigured({ certificateValidity: { count: 1, unit: 'years' } });
    const { saml, owner } = world;
    const first = saml.findKeys()!.active;
    expect(await refusalOf(() => saml.activateCertificate(owner))).toBe('409 No certificate is pending');
    await saml.renewCertificate(owner);
    await saml.renewCertificate(owner);
    const { active, pending } = saml.findKeys()!;
    expect(active).toEqual(first);
    expect(listStates(world)).toEqual(['active', 'pending']);
    const published = await saml.printMetadata();
    expect(published.match(/<md:KeyDescriptor/g)).toHaveLength(2);
    expect(saml.getCertificate()).toBe(first.certificate);
    saml.activateCertificate(owner);
    expect(saml.findKeys()).toEqual({ active: pending, pending: null, former: first });
    expect(saml.getCertificate()).toBe(pending!.certificate);
    await saml.renewCertificate(owner);
    expect(listStates(world)).toEqual(['active', 'pending']);
  });

  it('need the master key that encrypted their keys', async () => {
    const { home } = await createConfigured();
    const { saml, owner } = createSamlWorld({ home, masterKey: 'ab'.repeat(32) });
    expect(() => saml.findKeys()).toThrow(HomeError);
    await expect(saml.renewCertificate(owner)).rejects.toThrow(/encrypted with a different master key/);
  });
});
