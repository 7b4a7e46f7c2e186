import { Type } from 'typebox';
import { getString, readFlag, readString, readTime, toFields } from '../../errors/fields.ts';
import type { NewToken } from '../../workspace/instance/instance.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { readOwner } from '../http/read-owner.ts';
import { withHeaders } from '../http/response-headers.ts';
import { createLine, createName, createTime } from '../http/text-schemas.ts';
import type { App } from '../http/typed-app.ts';
import { printLocation } from './location.ts';
import { MaybeText, MaybeTimestamp, Timestamp } from './schemas.ts';

const TokenSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    owner: Type.String({ description: 'User name' }),
    creator: MaybeText,
    first8: Type.String(),
    last4: Type.String(),
    read_only: Type.Boolean(),
    expires_at: MaybeTimestamp,
    last_used_at: MaybeTimestamp,
    created_at: Timestamp,
  },
  { title: 'Token' },
);

const ListSchema = Type.Object({ data: Type.Immutable(Type.Array(TokenSchema)) }, { title: 'TokenList' });

const MadeTokenSchema = Type.Object(
  {
    token: Type.String({ description: 'The token itself, which nothing shows again' }),
    ...TokenSchema.properties,
  },
  { title: 'MadeToken' },
);

const NewTokenSchema = Type.Object(
  {
    name: createName('Unique for its owner'),
    description: Type.Optional(createLine('What it is for', 1_000)),
    owner: Type.Optional(Type.String({ description: 'User name; the caller unless said otherwise' })),
    read_only: Type.Optional(Type.Boolean({ description: 'False if left out' })),
    expires_at: Type.Optional(createTime('A day or a moment of ISO 8601; never without one')),
  },
  { title: 'NewToken' },
);
const OwnerQuery = Type.Object({
  owner: Type.Optional(Type.String({ description: 'User name; the caller unless said otherwise' })),
});
const TokenParams = Type.Object({ id: Type.String({ description: 'The id of the token, or its name' }) });

/** Personal access tokens (interface 2.11; identity 1), below `/manage/tokens`. */
export function addTokens(app: App): void {
  addListTokens(app);
  addCreateToken(app);
  addDeleteToken(app);
}

function addListTokens(app: App): void {
  const schema = {
    tags: ['tokens'],
    summary: "List one's own tokens, or for administrators those of others",
    querystring: OwnerQuery,
    response: { 200: ListSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/tokens', { schema }, async (request) => ({
    data: await request.api.accounts.tokens.list(readOwner(request.query)),
  }));
}

function addCreateToken(app: App): void {
  const schema = {
    tags: ['tokens'],
    summary: 'Create a token, and see it this once',
    body: NewTokenSchema,
    response: {
      201: withHeaders(MadeTokenSchema, 'location'),
      ...listFailures(400, 403, 404, 409, 413, 415, 422),
    },
  };
  app.post('/manage/tokens', { schema }, async (request, reply) => {
    const given = checkNewToken(request.body);
    const { token, body } = await request.api.accounts.tokens.create(given);
    const owner = given.owner === undefined ? '' : `?owner=${encodeURIComponent(body.owner)}`;
    return reply
      .code(201)
      .header('location', `${printLocation('tokens', body.id)}${owner}`)
      .send({ token, ...body });
  });
}

function addDeleteToken(app: App): void {
  const schema = {
    tags: ['tokens'],
    summary: 'Delete a token, which is good for nothing from then on',
    params: TokenParams,
    querystring: OwnerQuery,
    response: { 204: NoBodySchema, ...listFailures(400, 403, 404) },
  };
  app.delete('/manage/tokens/:id', { schema }, async (request, reply) => {
    await request.api.accounts.tokens.delete(request.params.id, readOwner(request.query));
    return reply.code(204).send(undefined);
  });
}

/** In the order of the fields. Throws 400. */
function checkNewToken(body: unknown): NewToken {
  const fields = toFields(body);
  return {
    name: getString(fields, 'name', 'Token name'),
    description: readString(fields, 'description', 'Description'),
    owner: readString(fields, 'owner', 'Owner') || undefined,
    readOnly: readFlag(fields, 'read_only', 'Read only'),
    expiresAt: readTime(fields, 'expires_at', 'Expiry'),
  };
}
