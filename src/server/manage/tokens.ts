import { type Static, Type } from 'typebox';
import { SCOPES } from '../../identity/principal/scopes.ts';
import { TokenListSchema, TokenSchema } from '../../identity/tokens/token-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { filledText, flag, queryCount, requiredText, text, time, timeOrNever } from '../fields/kinds.ts';
import { createLine, createName } from '../fields/text-schemas.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { inBody, linksTo } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printLocation } from './location.ts';

/** The owner of tokens; an empty name counts as absent. */
const owner = filledText(
  'Owner',
  Type.String({ description: 'User name of the owner. Defaults to the caller' }),
);
const ownerQuery = defineFields({ owner });
const search = defineFields({
  owner: filledText(
    'Owner',
    Type.String({ description: 'User name of the owner, or `*` for all users. Defaults to the caller' }),
  ),
  q: text('Q', Type.String({ description: 'Part of the name, description or owner, ignoring case' })),
  unused_since: time('Unused since', 'Only tokens without a request since this time'),
  expires_before: time('Expires before', 'Only tokens that expire before this time'),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to 100' }),
  after: text('After', Type.String({ description: 'Id of a token; returns only tokens after it' })),
});

const MadeTokenSchema = Type.Object(
  {
    token: Type.String({ description: 'Token value. It is returned only once' }),
    ...TokenSchema.properties,
  },
  { title: 'MadeToken' },
);
export type TokenListResponse = Static<typeof TokenListSchema>;
export type TokenResponse = Static<typeof TokenSchema>;
export type MadeTokenResponse = Static<typeof MadeTokenSchema>;

const newToken = defineFields(
  {
    name: requiredText('Token name', createName('Unique among the tokens of the owner')),
    description: text('Description', createLine('Purpose of the token', 1_000)),
    owner,
    scope: text(
      'Scope',
      Type.Enum([...SCOPES], { description: 'What the token may do at most. Defaults to `all`' }),
    ),
    read_only: flag('Read only', { description: 'Whether the scope is `read`, without `scope`' }),
    expires_at: timeOrNever('Expiry', 'ISO 8601 date or time, or `never`. Defaults to 90 days from now'),
  },
  { title: 'NewToken' },
);
export type NewTokenBody = Static<typeof newToken.schema>;
const TokenParams = Type.Object({ id: Type.String({ description: 'Id or name of the token' }) });

/** Personal access tokens (docs/reference/tokens.md), below `/manage/tokens`. */
export function addTokens(app: App, instance: Instance): void {
  addListTokens(app, instance);
  addGetToken(app, instance);
  addCreateToken(app, instance);
  addDeleteToken(app, instance);
}

function addListTokens(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['tokens'],
    summary: 'List tokens',
    operationId: 'listTokens',
    scope: 'read',
    description:
      'Lists the caller’s tokens by name. Administrators may list those of another user, or of all users by owner. Use `after` for the next page.',
    querystring: search.schema,
    response: { 200: TokenListSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/tokens', { schema }, (request) =>
    accounts.tokens.search(request.principal, search.read(request.query)),
  );
}

function addGetToken(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['tokens'],
    summary: 'Retrieve a token',
    operationId: 'getToken',
    scope: 'read',
    description: 'Retrieves a token by its id or name, without its value.',
    example: { parameters: { id: 'dashboard' } },
    params: TokenParams,
    querystring: ownerQuery.schema,
    response: { 200: TokenSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/tokens/:id', { schema }, ({ principal, params, query }) =>
    accounts.tokens.get(principal, params.id, ownerQuery.read(query).owner),
  );
}

function addCreateToken(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['tokens'],
    summary: 'Create a token',
    operationId: 'createToken',
    scope: 'all',
    description: 'Creates a personal access token. Only this response contains the token value.',
    example: { body: { name: 'dashboard', scope: 'query' } },
    links: { 201: linksTo(inBody('id'), 'deleteToken') },
    body: newToken.schema,
    response: {
      201: withHeaders(MadeTokenSchema, 'location'),
      ...listFailures(400, 403, 404, 409, 413, 415, 422),
    },
  };
  app.post('/manage/tokens', { schema }, async (request, reply) => {
    const fields = newToken.read(request.body);
    const { token, body } = accounts.tokens.create(request.principal, fields);
    const owner = fields.owner === undefined ? '' : `?owner=${encodeURIComponent(body.owner)}`;
    return reply
      .code(201)
      .header('location', `${printLocation('tokens', body.id)}${owner}`)
      .send({ token, ...body });
  });
}

function addDeleteToken(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['tokens'],
    summary: 'Revoke a token',
    operationId: 'deleteToken',
    scope: 'all',
    description: 'Revokes a token by its id or name. Later requests with it return 401.',
    example: { parameters: { id: 'dashboard' } },
    params: TokenParams,
    querystring: ownerQuery.schema,
    response: { 204: NoBodySchema, ...listFailures(400, 403, 404) },
  };
  app.delete('/manage/tokens/:id', { schema }, async (request, reply) => {
    accounts.tokens.delete(request.principal, request.params.id, ownerQuery.read(request.query).owner);
    return reply.code(204).send(undefined);
  });
}
