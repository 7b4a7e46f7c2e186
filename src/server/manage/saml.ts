import { type Static, Type } from 'typebox';
import { MetadataComparisonSchema, SamlSchema } from '../../identity/saml/settings/saml-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { SamlLinkSchema, SamlTestSchema } from '../../workspace/services/saml-admin-body.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { EXAMPLE_ID } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import {
  appliedMetadata,
  newLink,
  otherMetadata,
  samlChange,
  UnlinkedSchema,
  unlinkQuery,
} from './saml-schemas.ts';

export type SamlResponse = Static<typeof SamlSchema>;
export type MetadataComparisonResponse = Static<typeof MetadataComparisonSchema>;
export type SamlTestResponse = Static<typeof SamlTestSchema>;
export type SamlChangeBody = Static<typeof samlChange.schema>;

const URL = '/manage/sso/saml';
/** Maximum bytes of a body: 1 MB of metadata as JSON. */
const BODY_LIMIT = 4 * 1024 * 1024;
const TAGS = ['single sign-on'];

/** SAML settings (docs/reference/saml.md), below `/manage/sso/saml`. */
export function addSaml(app: App, instance: Instance): void {
  addSettings(app, instance);
  addMetadata(app, instance);
  addCertificates(app, instance);
  addLinks(app, instance);
  addTests(app, instance);
}

function addSettings(app: App, { accounts }: Instance): void {
  const get = {
    tags: TAGS,
    summary: 'Retrieve the SAML settings',
    operationId: 'getSaml',
    scope: 'read',
    description:
      'Retrieves the SAML settings. Private keys are not returned. Returns 409 without an https base URL. For administrators.',
    response: { 200: SamlSchema, ...listFailures(403, 404, 409) },
  };
  app.get(URL, { schema: get }, (request) => accounts.samlAdmin.get(request.principal));
  const put = {
    tags: TAGS,
    summary: 'Update the SAML settings',
    operationId: 'updateSaml',
    scope: 'all',
    description:
      'Updates the SAML settings. Absent fields stay unchanged. The first update requires metadata and creates a certificate. For administrators.',
    example: { body: { name: 'Contoso', jit: true, attributes: { groups: 'roles' } } },
    body: samlChange.schema,
    response: { 200: SamlSchema, ...listFailures(400, 403, 409, 413, 415, 422) },
  };
  app.put(URL, { schema: put, bodyLimit: BODY_LIMIT }, (request) =>
    accounts.samlAdmin.set(request.principal, samlChange.readChange(request.body)),
  );
  const remove = {
    tags: TAGS,
    summary: 'Delete the SAML settings',
    operationId: 'deleteSaml',
    scope: 'all',
    description: 'Deletes the SAML settings and certificates. Accounts are not deleted. For administrators.',
    response: { 204: NoBodySchema, ...listFailures(403, 404) },
  };
  app.delete(URL, { schema: remove }, async (request, reply) => {
    accounts.samlAdmin.delete(request.principal);
    return reply.code(204).send(undefined);
  });
}

function addMetadata(app: App, { accounts }: Instance): void {
  const refresh = {
    tags: TAGS,
    summary: 'Refresh the metadata',
    operationId: 'refreshSamlMetadata',
    scope: 'all',
    description:
      'Fetches the metadata from their URL. Changes are applied if `metadata_refresh` is `apply` and the entity ID is unchanged; otherwise they are returned as `pending_metadata`. For administrators.',
    response: { 200: SamlSchema, ...listFailures(400, 403, 404, 409, 413, 415, 422) },
  };
  app.post(`${URL}/metadata/refresh`, { schema: refresh }, (request) =>
    accounts.samlAdmin.refreshMetadata(request.principal),
  );
  const compare = {
    tags: TAGS,
    summary: 'Compare other metadata',
    operationId: 'compareSamlMetadata',
    scope: 'all',
    description:
      'Reads other metadata of the identity provider, and returns what they would change. Nothing is stored. For administrators.',
    example: { body: { metadata_url: 'https://idp.example.org/metadata' } },
    body: otherMetadata.schema,
    response: { 200: MetadataComparisonSchema, ...listFailures(400, 403, 404, 409, 413, 415, 422) },
  };
  app.post(`${URL}/metadata/compare`, { schema: compare, bodyLimit: BODY_LIMIT }, (request) =>
    accounts.samlAdmin.compareMetadata(request.principal, otherMetadata.read(request.body)),
  );
  const apply = {
    tags: TAGS,
    summary: 'Apply pending metadata',
    operationId: 'applySamlMetadata',
    scope: 'all',
    description:
      'Applies the pending metadata that `digest` names. Returns 409 if other metadata are pending now. For administrators.',
    example: { body: { digest: '0'.repeat(64) } },
    body: appliedMetadata.schema,
    response: { 200: SamlSchema, ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/metadata/apply`, { schema: apply }, (request) =>
    accounts.samlAdmin.applyMetadata(request.principal, appliedMetadata.read(request.body).digest),
  );
}

function addCertificates(app: App, { accounts }: Instance): void {
  const renew = {
    tags: TAGS,
    summary: 'Create a pending certificate',
    operationId: 'renewSamlCertificate',
    scope: 'all',
    description:
      'Creates a pending certificate. The metadata contain it next to the active one until it is activated. For administrators.',
    response: { 200: SamlSchema, ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/certificates`, { schema: renew }, (request) =>
    accounts.samlAdmin.renewCertificate(request.principal),
  );
  const activate = {
    ...renew,
    summary: 'Activate the pending certificate',
    operationId: 'activateSamlCertificate',
    scope: 'all',
    description: 'Replaces the active certificate with the pending one. For administrators.',
  };
  app.post(`${URL}/certificates/activate`, { schema: activate }, (request) =>
    accounts.samlAdmin.activateCertificate(request.principal),
  );
}

function addLinks(app: App, { accounts }: Instance): void {
  const schema = {
    tags: TAGS,
    summary: 'Link a user to a NameID of the identity provider',
    operationId: 'linkSamlUser',
    scope: 'all',
    description: 'Links a user to a NameID of the identity provider. For administrators.',
    example: { body: { user_name: 'ada', name_id: 'ada@example.org' } },
    body: newLink.schema,
    response: { 200: SamlLinkSchema, ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/links`, { schema }, (request) => {
    const { userName, nameId } = newLink.read(request.body);
    return accounts.samlAdmin.link(request.principal, userName, nameId);
  });
  const remove = {
    tags: TAGS,
    summary: 'Delete links to an identity provider',
    operationId: 'unlinkSamlUsers',
    scope: 'all',
    description:
      'Deletes the links of a user, or all links to a former identity provider. After that, e-mail addresses link again. For administrators.',
    example: { parameters: { user_name: 'ada' } },
    querystring: unlinkQuery.schema,
    response: { 200: UnlinkedSchema, ...listFailures(400, 403, 404) },
  };
  app.delete(`${URL}/links`, { schema: remove }, (request) => {
    const { userName, entityId: issuer } = unlinkQuery.read(request.query);
    return { count: accounts.samlAdmin.unlink(request.principal, { userName, issuer }) };
  });
}

function addTests(app: App, { accounts }: Instance): void {
  const start = {
    tags: TAGS,
    summary: 'Start a test sign-in',
    operationId: 'startSamlTest',
    scope: 'all',
    description:
      'Starts a test sign-in. A browser that opens `url` signs in at the identity provider only, not in Quern. For administrators.',
    response: { 201: withHeaders(SamlTestSchema, 'location'), ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/tests`, { schema: start }, async (request, reply) => {
    const test = accounts.samlAdmin.startTest(request.principal);
    return reply.code(201).header('location', `/api/v1${URL}/tests/${test.id}`).send(test);
  });
  const get = {
    tags: TAGS,
    summary: 'Retrieve a test sign-in',
    operationId: 'getSamlTest',
    scope: 'read',
    description:
      'Retrieves a test sign-in of the caller: the received attributes, and the effect that a real sign-in would have on the account. It is stored for ten minutes.',
    example: { parameters: { id: EXAMPLE_ID } },
    params: Type.Object({ id: Type.String() }),
    response: { 200: SamlTestSchema, ...listFailures(403, 404) },
  };
  app.get(`${URL}/tests/:id`, { schema: get }, (request) =>
    accounts.samlAdmin.getTest(request.principal, request.params.id),
  );
}
