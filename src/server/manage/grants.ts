import { type Static, Type } from 'typebox';
import {
  AccessSchema,
  ExplanationSchema,
  GrantLevel,
  GrantListSchema,
  GrantSchema,
  GrantSubject,
  GrantTarget,
  OwnLevelSchema,
  RestrictionSchema,
} from '../../identity/grants/grant-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { flag, queryCount, requiredText, text } from '../fields/kinds.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { inBody, linksTo } from '../http/operation.ts';
import type { App } from '../http/typed-app.ts';

const ItemTarget = Type.String({ description: 'A catalog path', pattern: '^/?@' });

const subject = requiredText('Subject', GrantSubject);
const target = requiredText('Target', GrantTarget);

const newGrant = defineFields(
  { subject, level: requiredText('Level', GrantLevel), target },
  { title: 'NewGrant' },
);

export type NewGrantBody = Static<typeof newGrant.schema>;

const newRestriction = defineFields(
  {
    target: requiredText('Target', ItemTarget),
    restricted: flag('Restricted', { description: 'Defaults to true' }),
  },
  { title: 'NewRestriction' },
);

export type NewRestrictionBody = Static<typeof newRestriction.schema>;

export type GrantListResponse = Static<typeof GrantListSchema>;
export type OwnLevelResponse = Static<typeof OwnLevelSchema>;
export type ExplanationResponse = Static<typeof ExplanationSchema>;
export type AccessResponse = Static<typeof AccessSchema>;

const listQuery = defineFields({
  target: text('Target', GrantTarget),
  subject: text('Subject', GrantSubject),
});
const accessQuery = defineFields({
  target,
  q: text('Q', Type.String({ description: 'Part of the user name, e-mail address or display name' })),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to all users' }),
  after: text('After', Type.String({ description: 'User name; returns only users after it' })),
});
const levelQuery = defineFields({ target: requiredText('Target', ItemTarget) });
const grantQuery = defineFields({ subject, target });
const explainQuery = defineFields({
  user: requiredText('User', Type.String({ description: 'User name', minLength: 1 })),
  target,
});

/** The grants (docs/reference/permissions.md), below `/manage/grants`. */
export function addGrants(app: App, instance: Instance): void {
  addListGrants(app, instance);
  addSetGrant(app, instance);
  addDeleteGrant(app, instance);
  addRestrict(app, instance);
  addExplain(app, instance);
  addFindLevel(app, instance);
  addListAccess(app, instance);
}

function addListGrants(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['grants'],
    summary: 'List grants',
    operationId: 'listGrants',
    scope: 'read',
    description:
      'Lists the grants on a target, of all subjects or of one. Without a target, for administrators: all grants, or those that affect a subject (its grants, those of the groups of a user, and those of everyone).',
    example: { parameters: { target: '@Shared/reports' } },
    querystring: listQuery.schema,
    response: { 200: GrantListSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/grants', { schema }, (request) => {
    const query = listQuery.read(request.query);
    return accounts.grants.list(request.principal, query.target, query.subject);
  });
}

function addSetGrant(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['grants'],
    summary: 'Grant a level on a target',
    operationId: 'putGrant',
    scope: 'all',
    description:
      'Grants a level on content or on a connection. Replaces the subject’s earlier grant on the same target.',
    example: { body: { subject: 'group:analysts', level: 'VIEW', target: '@Shared/reports' } },
    links: { 200: linksTo({ ...inBody('subject'), ...inBody('target') }, 'deleteGrant') },
    body: newGrant.schema,
    response: { 200: GrantSchema, ...listFailures(400, 403, 404, 413, 415, 422) },
  };
  app.put('/manage/grants', { schema }, (request) =>
    accounts.grants.set(request.principal, newGrant.read(request.body)),
  );
}

function addDeleteGrant(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['grants'],
    summary: 'Revoke a grant',
    operationId: 'deleteGrant',
    scope: 'all',
    description: 'Revokes the grant of a subject on a target.',
    example: { parameters: { subject: 'group:analysts', target: '@Shared/reports' } },
    querystring: grantQuery.schema,
    response: { 204: NoBodySchema, ...listFailures(400, 403, 404) },
  };
  app.delete('/manage/grants', { schema }, async (request, reply) => {
    const query = grantQuery.read(request.query);
    accounts.grants.delete(request.principal, query.subject, query.target);
    return reply.code(204).send(undefined);
  });
}

function addRestrict(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['grants'],
    summary: 'Restrict an item, or lift its restriction',
    operationId: 'restrictAsset',
    scope: 'all',
    description:
      'Restricts an item, so that it no longer inherits grants from parent folders; `restricted: false` inherits them again.',
    example: { body: { target: '@Shared/reports', restricted: false } },
    body: newRestriction.schema,
    response: { 200: RestrictionSchema, ...listFailures(400, 403, 404, 413, 415, 422) },
  };
  app.post('/manage/grants/restrict', { schema }, (request) => {
    const { target: item, restricted = true } = newRestriction.read(request.body);
    return accounts.grants.restrict(request.principal, item, restricted);
  });
}

function addExplain(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['grants'],
    summary: 'Explain a user’s level on a target',
    operationId: 'explainGrant',
    scope: 'read',
    description: 'Returns a user’s level on a target, with the reasons.',
    example: { parameters: { user: 'ada', target: '@Shared/reports' } },
    querystring: explainQuery.schema,
    response: { 200: ExplanationSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/grants/explain', { schema }, (request) => {
    const query = explainQuery.read(request.query);
    return accounts.grants.explain(request.principal, query.user, query.target);
  });
}

function addFindLevel(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['grants'],
    summary: 'Retrieve the caller’s level on an item',
    operationId: 'getOwnLevel',
    scope: 'read',
    description: 'Returns the caller’s own level on a folder or a script.',
    example: { parameters: { target: '@Shared/reports' } },
    querystring: levelQuery.schema,
    response: { 200: OwnLevelSchema, ...listFailures(400, 404) },
  };
  app.get('/manage/grants/level', { schema }, (request) =>
    accounts.grants.findLevel(request.principal, levelQuery.read(request.query).target),
  );
}

function addListAccess(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['grants'],
    summary: 'List the users with access to a target, and the reasons',
    operationId: 'listAccess',
    scope: 'read',
    description: 'Lists the active users with a level on a target, with the reasons for it.',
    example: { parameters: { target: '@Shared/reports' } },
    querystring: accessQuery.schema,
    response: { 200: AccessSchema, ...listFailures(400, 403, 404) },
  };
  // A flat string: the list can have thousands of users.
  app.get('/manage/grants/access', { schema, serializerCompiler: () => JSON.stringify }, (request) => {
    const { target: text, limit = null, ...search } = accessQuery.read(request.query);
    return accounts.grants.listAccess(request.principal, text, { ...search, limit });
  });
}
