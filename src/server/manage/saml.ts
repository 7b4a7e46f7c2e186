import { Type } from 'typebox';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { appliedMetadata, LinkSchema, newLink, SamlSchema, samlChange, TestSchema } from './saml-schemas.ts';

const URL = '/manage/sso/saml';
/** Maximum bytes of a body: 1 MB of metadata as JSON. */
const BODY_LIMIT = 4 * 1024 * 1024;
const TAGS = ['single sign-on'];

/** SAML settings (docs/reference/saml.md), below `/manage/sso/saml`. */
export function addSaml(app: App): void {
  addSettings(app);
  addMetadata(app);
  addCertificates(app);
  addLinks(app);
  addTests(app);
}

function addSettings(app: App): void {
  const get = {
    tags: TAGS,
    summary: 'Retrieve the SAML settings',
    response: { 200: SamlSchema, ...listFailures(403, 404, 409) },
  };
  app.get(URL, { schema: get }, (request) => request.api.accounts.saml.get());
  const put = {
    tags: TAGS,
    summary: 'Update the SAML settings',
    body: samlChange.schema,
    response: { 200: SamlSchema, ...listFailures(400, 403, 409, 413, 415, 422) },
  };
  app.put(URL, { schema: put, bodyLimit: BODY_LIMIT }, (request) =>
    request.api.accounts.saml.set(samlChange.readChange(request.body)),
  );
  const remove = {
    tags: TAGS,
    summary: 'Delete the SAML settings',
    response: { 204: NoBodySchema, ...listFailures(403, 404) },
  };
  app.delete(URL, { schema: remove }, async (request, reply) => {
    await request.api.accounts.saml.delete();
    return reply.code(204).send(undefined);
  });
}

function addMetadata(app: App): void {
  const refresh = {
    tags: TAGS,
    summary: 'Refresh the metadata',
    response: { 200: SamlSchema, ...listFailures(400, 403, 404, 409, 413, 415, 422) },
  };
  app.post(`${URL}/metadata/refresh`, { schema: refresh }, (request) =>
    request.api.accounts.saml.refreshMetadata(),
  );
  const apply = {
    tags: TAGS,
    summary: 'Apply pending metadata',
    body: appliedMetadata.schema,
    response: { 200: SamlSchema, ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/metadata/apply`, { schema: apply }, (request) =>
    request.api.accounts.saml.applyMetadata(appliedMetadata.read(request.body).digest),
  );
}

function addCertificates(app: App): void {
  const renew = {
    tags: TAGS,
    summary: 'Create a pending certificate',
    response: { 200: SamlSchema, ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/certificates`, { schema: renew }, (request) =>
    request.api.accounts.saml.renewCertificate(),
  );
  const activate = {
    ...renew,
    summary: 'Activate the pending certificate',
  };
  app.post(`${URL}/certificates/activate`, { schema: activate }, (request) =>
    request.api.accounts.saml.activateCertificate(),
  );
}

function addLinks(app: App): void {
  const schema = {
    tags: TAGS,
    summary: 'Link a user to a NameID of the identity provider',
    body: newLink.schema,
    response: { 200: LinkSchema, ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/links`, { schema }, (request) => {
    const { userName, nameId } = newLink.read(request.body);
    return request.api.accounts.saml.link(userName, nameId);
  });
}

function addTests(app: App): void {
  const start = {
    tags: TAGS,
    summary: 'Start a test sign-in',
    response: { 201: withHeaders(TestSchema, 'location'), ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/tests`, { schema: start }, async (request, reply) => {
    const test = await request.api.accounts.saml.startTest();
    return reply.code(201).header('location', `/api/v1${URL}/tests/${test.id}`).send(test);
  });
  const get = {
    tags: TAGS,
    summary: 'Retrieve a test sign-in',
    params: Type.Object({ id: Type.String() }),
    response: { 200: TestSchema, ...listFailures(403, 404) },
  };
  app.get(`${URL}/tests/:id`, { schema: get }, (request) =>
    request.api.accounts.saml.getTest(request.params.id),
  );
}
