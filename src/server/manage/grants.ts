import { Type } from 'typebox';
import { getString, readFlag, readString, toFields } from '../../errors/fields.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { MaybeText, Timestamp } from './schemas.ts';

const Subject = Type.String({
  description: '`user:NAME`, `group:NAME` or `everyone`',
  pattern: '^(everyone|(user|group):[\\s\\S]+)$',
});
const Level = Type.Unsafe<string>({
  type: 'string',
  enum: ['VIEW', 'EDIT', 'MANAGE', 'USE'],
  description: 'VIEW, EDIT or MANAGE on content; USE or MANAGE on a connection',
});
const Target = Type.String({
  description: 'A catalog path, or `connection:NAME`',
  pattern: '^(/?@[\\s\\S]*|connection:[\\s\\S]+)$',
});
const ItemTarget = Type.String({ description: 'A catalog path', pattern: '^/?@' });

const GrantSchema = Type.Object(
  { subject: Subject, level: Level, target: Target, created_at: Timestamp },
  { title: 'Grant' },
);

const ListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(GrantSchema)),
    restricted: Type.Immutable(
      Type.Array(Type.String(), { description: 'Paths at which the grants above no longer count' }),
    ),
  },
  { title: 'GrantList' },
);

const NewGrantSchema = Type.Object({ subject: Subject, level: Level, target: Target }, { title: 'NewGrant' });

const NewRestrictionSchema = Type.Object(
  { target: ItemTarget, restricted: Type.Optional(Type.Boolean({ description: 'True if left out' })) },
  { title: 'NewRestriction' },
);

const RestrictionSchema = Type.Object(
  { target: Type.String(), restricted: Type.Boolean() },
  { title: 'Restriction' },
);

/** What the kinds of reasons have in them, taken together. */
const ReasonSchema = Type.Object(
  {
    kind: Type.Enum(['disabled', 'super_user', 'own_home', 'other_home', 'namespace', 'grant', 'role']),
    level: Type.Optional(Type.String()),
    subject: Type.Optional(Type.String()),
    target: Type.Optional(Type.String()),
    cut_off_by: Type.Optional(MaybeText),
    role: Type.Optional(Type.String()),
  },
  { title: 'Reason' },
);

const ExplanationSchema = Type.Object(
  {
    user: Type.String(),
    target: Type.String(),
    level: Type.String(),
    reasons: Type.Immutable(Type.Array(ReasonSchema)),
  },
  { title: 'Explanation' },
);

const TargetQuery = Type.Object({ target: Type.Optional(Target) });
const GrantQuery = Type.Object({ subject: Subject, target: Target });
const ExplainQuery = Type.Object({
  user: Type.String({ description: 'User name', minLength: 1 }),
  target: Target,
});

/** The grants (identity 2), below `/manage/grants`. */
export function addGrants(app: App): void {
  addListGrants(app);
  addSetGrant(app);
  addDeleteGrant(app);
  addRestrict(app);
  addExplain(app);
}

function addListGrants(app: App): void {
  const schema = {
    tags: ['grants'],
    summary: 'List the grants on a target, or for administrators all of them',
    querystring: TargetQuery,
    response: { 200: ListSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/grants', { schema }, (request) =>
    request.api.accounts.grants.list(readString(toFields(request.query), 'target', 'Target')),
  );
}

function addSetGrant(app: App): void {
  const schema = {
    tags: ['grants'],
    summary: 'Grant a level on a target, in place of the one that the subject has there',
    body: NewGrantSchema,
    response: { 200: GrantSchema, ...listFailures(400, 403, 404, 413, 415, 422) },
  };
  app.put('/manage/grants', { schema }, (request) => {
    const fields = toFields(request.body);
    return request.api.accounts.grants.set({
      subject: getString(fields, 'subject', 'Subject'),
      level: getString(fields, 'level', 'Level'),
      target: getString(fields, 'target', 'Target'),
    });
  });
}

function addDeleteGrant(app: App): void {
  const schema = {
    tags: ['grants'],
    summary: 'Take back a grant',
    querystring: GrantQuery,
    response: { 204: NoBodySchema, ...listFailures(400, 403, 404) },
  };
  app.delete('/manage/grants', { schema }, async (request, reply) => {
    const fields = toFields(request.query);
    const subject = getString(fields, 'subject', 'Subject');
    await request.api.accounts.grants.delete(subject, getString(fields, 'target', 'Target'));
    return reply.code(204).send(undefined);
  });
}

function addRestrict(app: App): void {
  const schema = {
    tags: ['grants'],
    summary: 'Have only the grants at or below an item count, or those above it again',
    body: NewRestrictionSchema,
    response: { 200: RestrictionSchema, ...listFailures(400, 403, 404, 413, 415, 422) },
  };
  app.post('/manage/grants/restrict', { schema }, (request) => {
    const fields = toFields(request.body);
    const target = getString(fields, 'target', 'Target');
    const isRestricted = readFlag(fields, 'restricted', 'Restricted') ?? true;
    return request.api.accounts.grants.restrict(target, isRestricted);
  });
}

function addExplain(app: App): void {
  const schema = {
    tags: ['grants'],
    summary: 'What a user may do with a target, and why',
    querystring: ExplainQuery,
    response: { 200: ExplanationSchema, ...listFailures(400, 403, 404) },
  };
  app.get('/manage/grants/explain', { schema }, (request) => {
    const fields = toFields(request.query);
    const user = getString(fields, 'user', 'User');
    return request.api.accounts.grants.explain(user, getString(fields, 'target', 'Target'));
  });
}
