import { Type } from 'typebox';
import {
  type Fields,
  fieldErrors,
  getFields,
  getString,
  readFlag,
  readString,
  toFields,
} from '../../errors/fields.ts';
import type { SamlChange } from '../../workspace/api/saml-api.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import {
  AppliedMetadataSchema,
  LinkSchema,
  NewLinkSchema,
  SamlChangeSchema,
  SamlSchema,
  TestSchema,
} from './saml-schemas.ts';

const URL = '/manage/sso/saml';
/** Metadata of 1 MB as JSON. */
const BODY_LIMIT = 4 * 1024 * 1024;
const TAGS = ['single sign-on'];

/** How people sign in by SAML (interface 5.2; identity 4), below `/manage/sso/saml`. */
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
    summary: 'Read the settings of SAML',
    response: { 200: SamlSchema, ...listFailures(403, 404, 409) },
  };
  app.get(URL, { schema: get }, (request) => request.api.accounts.saml.get());
  const put = {
    tags: TAGS,
    summary: 'Change what is said of the settings; what is left out stays',
    body: SamlChangeSchema,
    response: { 200: SamlSchema, ...listFailures(400, 403, 409, 413, 415, 422) },
  };
  app.put(URL, { schema: put, bodyLimit: BODY_LIMIT }, (request) =>
    request.api.accounts.saml.set(readChange(getFields(request.body))),
  );
  const remove = {
    tags: TAGS,
    summary: 'Delete the settings and the certificates; accounts stay',
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
    summary: 'Read the metadata at their URL again',
    response: { 200: SamlSchema, ...listFailures(400, 403, 404, 409, 413, 415, 422) },
  };
  app.post(`${URL}/metadata/refresh`, { schema: refresh }, (request) =>
    request.api.accounts.saml.refreshMetadata(),
  );
  const apply = {
    tags: TAGS,
    summary: 'Apply the changed metadata that wait',
    body: AppliedMetadataSchema,
    response: { 200: SamlSchema, ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/metadata/apply`, { schema: apply }, (request) =>
    request.api.accounts.saml.applyMetadata(getString(toFields(request.body), 'digest', 'Digest')),
  );
}

function addCertificates(app: App): void {
  const renew = {
    tags: TAGS,
    summary: 'Create a certificate that is pending until it is activated',
    response: { 200: SamlSchema, ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/certificates`, { schema: renew }, (request) =>
    request.api.accounts.saml.renewCertificate(),
  );
  const activate = {
    ...renew,
    summary: 'Put the pending certificate in place of the active one',
  };
  app.post(`${URL}/certificates/activate`, { schema: activate }, (request) =>
    request.api.accounts.saml.activateCertificate(),
  );
}

function addLinks(app: App): void {
  const schema = {
    tags: TAGS,
    summary: 'Link a user to a NameID of the identity provider',
    body: NewLinkSchema,
    response: { 200: LinkSchema, ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/links`, { schema }, (request) => {
    const fields = toFields(request.body);
    const userName = getString(fields, 'user_name', 'User name');
    return request.api.accounts.saml.link(userName, getString(fields, 'name_id', 'NameID'));
  });
}

function addTests(app: App): void {
  const start = {
    tags: TAGS,
    summary: 'Begin a test sign-in, which signs nobody in',
    response: { 201: withHeaders(TestSchema, 'location'), ...listFailures(400, 403, 404, 409, 413, 415) },
  };
  app.post(`${URL}/tests`, { schema: start }, async (request, reply) => {
    const test = await request.api.accounts.saml.startTest();
    return reply.code(201).header('location', `/api/v1${URL}/tests/${test.id}`).send(test);
  });
  const get = {
    tags: TAGS,
    summary: 'Read a test sign-in that the caller has begun',
    params: Type.Object({ id: Type.String() }),
    response: { 200: TestSchema, ...listFailures(403, 404) },
  };
  app.get(`${URL}/tests/:id`, { schema: get }, (request) =>
    request.api.accounts.saml.getTest(request.params.id),
  );
}

/** In the order of the fields. Throws 400. */
function readChange(fields: Fields): SamlChange {
  const { attributes, certificate_validity: validity } = fields;
  const names = toFields(attributes);
  const period = toFields(validity);
  return {
    metadata: readString(fields, 'metadata', 'Metadata'),
    metadataUrl: readString(fields, 'metadata_url', 'Metadata URL'),
    metadataRefresh: readString(fields, 'metadata_refresh', 'Metadata refresh'),
    name: readString(fields, 'name', 'Name'),
    entityId: fields.entity_id === null ? null : readString(fields, 'entity_id', 'Entity ID'),
    attributes: {
      userName: readString(names, 'user_name', 'User name attribute'),
      firstName: readString(names, 'first_name', 'First name attribute'),
      lastName: readString(names, 'last_name', 'Last name attribute'),
      groups: readString(names, 'groups', 'Group attribute'),
    },
    jit: readFlag(fields, 'jit', 'JIT'),
    groupSync: readFlag(fields, 'group_sync', 'Group sync'),
    createGroups: readFlag(fields, 'create_groups', 'Create groups'),
    ssoOnly: readFlag(fields, 'sso_only', 'SSO only'),
    signRequests: readFlag(fields, 'sign_requests', 'Sign requests'),
    skewSeconds: readInteger(fields, 'skew_seconds', 'Skew'),
    certificateValidity: {
      count: readInteger(period, 'count', 'Certificate validity'),
      unit: readString(period, 'unit', 'Unit of the certificate validity'),
    },
  };
}

/** A whole number that may be left out. */
function readInteger(fields: Fields, key: string, label: string): number | undefined {
  const value = fields[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw fieldErrors.mustBeCount(label);
  return value;
}
