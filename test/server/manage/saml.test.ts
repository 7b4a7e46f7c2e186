import { beforeAll, describe, expect, it } from 'vitest';
import { makeMetadata } from '../../identity/saml/saml-world.ts';
import { createWorld, type World } from '../world.ts';

const SAML = '/api/v1/manage/sso/saml';
const BASE_URL = 'https://quern.example.org';

let metadata = '';

beforeAll(async () => {
  metadata = await makeMetadata();
});

async function createConfigured(): Promise<World> {
  const world = await createWorld({ baseUrl: BASE_URL });
  const { status } = await world.ask('PUT', SAML, { body: { metadata } });
  expect(status).toBe(200);
  return world;
}

describe('the settings of SAML over HTTP', () => {
  it('are set, partially changed, and deleted', async () => {
    const { ask } = await createWorld({ baseUrl: BASE_URL });
    expect(await ask('GET', SAML)).toMatchObject({ status: 404, body: { code: 'saml_not_configured' } });
    const change = {
      metadata,
      name: 'Contoso',
      entity_id: 'urn:quern',
      attributes: { user_name: 'uid', first_name: 'given', last_name: 'family', groups: 'roles' },
      jit: true,
      group_sync: false,
      create_groups: false,
      sso_only: true,
      sign_requests: true,
      skew_seconds: 90,
      certificate_validity: { count: 2, unit: 'years' },
    };
    const { metadata: _, ...shown } = change;
    const first = await ask('PUT', SAML, { body: change });
    expect(first).toMatchObject({ status: 200, body: shown });
    const second = await ask('PUT', SAML, {
      body: { jit: false, entity_id: null, certificate_validity: { count: 3 }, attributes: null },
    });
    expect(second).toMatchObject({
      status: 200,
      body: { ...shown, jit: false, entity_id: BASE_URL, certificate_validity: { count: 3, unit: 'years' } },
    });
    expect((await ask('GET', SAML)).body).toEqual(second.body);
    expect(JSON.stringify(second.body)).not.toContain('PRIVATE KEY');
    expect((await ask('DELETE', SAML)).status).toBe(204);
    expect((await ask('GET', SAML)).status).toBe(404);
  });

  it.each<[unknown, number, string]>([
    [[], 400, 'body_not_an_object'],
    [{ metadata: 1 }, 400, 'field_not_a_string'],
    [{ jit: 'on' }, 400, 'field_not_a_boolean'],
    [{ skew_seconds: '60' }, 400, 'field_not_a_count'],
    [{ attributes: 'groups' }, 400, 'body_not_an_object'],
    [{ skew_seconds: 301 }, 422, 'saml_skew_invalid'],
    [{ entity_id: '' }, 422, 'saml_entity_id_invalid'],
    [{ certificate_validity: { unit: 'hours' } }, 422, 'saml_validity_invalid'],
    [{ jit: true }, 422, 'saml_metadata_required'],
    [{ metadata: '<x/>' }, 422, 'saml_metadata_invalid'],
    [{ metadata: '<x/>', metadata_url: 'https://idp.example.org' }, 422, 'saml_metadata_twice'],
    [{ metadata_url: 'file:///etc/passwd' }, 422, 'saml_metadata_url_invalid'],
    [{ metadata_url: 'https://127.0.0.1:9/' }, 422, 'saml_metadata_unreachable'],
  ])('cannot be %j', async (body, status, code) => {
    const { ask } = await createWorld({ baseUrl: BASE_URL });
    expect(await ask('PUT', SAML, { body })).toMatchObject({ status, body: { code } });
  });

  it('accept metadata of 1 MB, and refuse longer ones', async () => {
    const { ask } = await createWorld({ baseUrl: BASE_URL });
    const pad = (bytes: number) => `${metadata}${'\n'.repeat(bytes - metadata.length)}`;
    expect((await ask('PUT', SAML, { body: { metadata: pad(1024 * 1024) } })).status).toBe(200);
    expect(await ask('PUT', SAML, { body: { metadata: pad(1024 * 1024 + 1) } })).toMatchObject({
      status: 422,
      body: { code: 'saml_metadata_invalid' },
    });
  });

  it('need an https base URL', async () => {
    const { ask } = await createWorld({ baseUrl: 'http://quern.example.org' });
    expect(await ask('PUT', SAML, { body: { metadata } })).toMatchObject({
      status: 409,
      body: {
        code: 'saml_needs_https',
        detail:
          'SAML needs an https base URL, but the base URL of this instance is `http://quern.example.org`',
        hints: [expect.stringContaining('QUERN_BASE_URL')],
      },
    });
  });
});

describe('certificates, links and tests over HTTP', () => {
  it('renew and activate a certificate', async () => {
    const { ask } = await createConfigured();
    const statesOf = ({ body }: { readonly body: unknown }) =>
      (body as { certificates: { state: string }[] }).certificates.map(({ state }) => state);
    expect(await ask('POST', `${SAML}/certificates/activate`)).toMatchObject({
      status: 409,
      body: { code: 'saml_no_pending_certificate' },
    });
    expect(statesOf(await ask('POST', `${SAML}/certificates`))).toEqual(['active', 'pending']);
    expect(statesOf(await ask('POST', `${SAML}/certificates/activate`))).toEqual(['active', 'former']);
  });

  it('link a user to a NameID', async () => {
    const { ask, createUser } = await createConfigured();
    await createUser('ada');
    const link = (user_name: string, name_id = 'ada@idp.example.org') =>
      ask('POST', `${SAML}/links`, { body: { user_name, name_id } });
    expect(await link('ada')).toMatchObject({
      status: 200,
      body: {
        user_name: 'ada',
        name_id: 'ada@idp.example.org',
        issuer: 'https://idp.example.org/metadata',
      },
    });
    expect(await link('admin')).toMatchObject({ status: 409, body: { code: 'identity_linked' } });
    expect(await link('nobody')).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    expect(await link('ada', 'ada')).toMatchObject({ status: 400, body: { code: 'email_invalid' } });
    expect(await link('', '')).toMatchObject({ status: 400, body: { code: 'field_required' } });
  });

  it('start a test sign-in, whose result its administrator reads', async () => {
    const { ask, createUser } = await createConfigured();
    const { status, headers, body } = await ask('POST', `${SAML}/tests`);
    const { id, url } = body as { id: string; url: string };
    expect([status, headers.location, url]).toEqual([
      201,
      `${SAML}/tests/${id}`,
      `${BASE_URL}/api/auth/login/saml2?test=${id}`,
    ]);
    expect(await ask('GET', `${SAML}/tests/${id}`)).toMatchObject({ status: 200, body });
    const token = await createUser('other', 'ADMIN');
    expect(await ask('GET', `${SAML}/tests/${id}`, { token })).toMatchObject({
      status: 404,
      body: { code: 'test_sign_in_not_found' },
    });
  });
});
