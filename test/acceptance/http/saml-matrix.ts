import type { Line } from './matrix-lines.ts';
import { listScimLines } from './scim-matrix.ts';

type Statuses = (done: number) => Line['statuses'];

/** The lines of SAML. The server has no https base URL, and reports that to permitted callers. */
function listSamlLines(changes: Statuses, looks: Statuses): readonly Line[] {
  return [
    {
      route: 'GET /manage/sso/saml',
      ask: (client) => client.send('GET', '/manage/sso/saml'),
      statuses: looks(409),
    },
    {
      route: 'PUT /manage/sso/saml',
      ask: (client) => client.send('PUT', '/manage/sso/saml', { body: { jit: true } }),
      statuses: changes(409),
    },
    {
      route: 'DELETE /manage/sso/saml',
      ask: (client) => client.send('DELETE', '/manage/sso/saml'),
      statuses: changes(404),
    },
    {
      route: 'POST /manage/sso/saml/metadata/refresh',
      ask: (client) => client.send('POST', '/manage/sso/saml/metadata/refresh'),
      statuses: changes(409),
    },
    {
      route: 'POST /manage/sso/saml/metadata/compare',
      ask: (client) => client.send('POST', '/manage/sso/saml/metadata/compare', { body: { metadata: 'x' } }),
      statuses: changes(409),
    },
    {
      route: 'POST /manage/sso/saml/metadata/apply',
      ask: (client) => client.send('POST', '/manage/sso/saml/metadata/apply', { body: { digest: 'x' } }),
      statuses: changes(409),
    },
    {
      route: 'POST /manage/sso/saml/certificates',
      ask: (client) => client.send('POST', '/manage/sso/saml/certificates'),
      statuses: changes(409),
    },
    {
      route: 'POST /manage/sso/saml/certificates/activate',
      ask: (client) => client.send('POST', '/manage/sso/saml/certificates/activate'),
      statuses: changes(409),
    },
    {
      route: 'POST /manage/sso/saml/links',
      ask: (client) =>
        client.send('POST', '/manage/sso/saml/links', {
          body: { user_name: 'viewer', name_id: 'v@example.org' },
        }),
      statuses: changes(409),
    },
    {
      route: 'DELETE /manage/sso/saml/links',
      ask: (client) => client.send('DELETE', '/manage/sso/saml/links?user_name=viewer'),
      statuses: changes(404),
    },
    {
      route: 'POST /manage/sso/saml/tests',
      ask: (client) => client.send('POST', '/manage/sso/saml/tests'),
      statuses: changes(409),
    },
    {
      route: 'GET /manage/sso/saml/tests/{id}',
      ask: (client, id) => client.send('GET', `/manage/sso/saml/tests/${id}`),
      statuses: looks(404),
    },
  ];
}

/** The lines of provisioning, as `listScimLines` returns them. */
export function listProviderLines(changes: Statuses, looks: Statuses): readonly Line[] {
  return [...listSamlLines(changes, looks), ...listScimLines(changes, looks)];
}
