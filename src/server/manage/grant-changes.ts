import { type Static, Type } from 'typebox';
import { GrantSubject, GrantTarget } from '../../identity/grants/grant-body.ts';
import { GrantChangesSchema } from '../../identity/grants/grant-changes-body.ts';
import { ALL_CONNECTIONS, MAX_SUBJECTS } from '../../identity/grants/grant-levels.ts';
import { AnyLevel, GrantLevelsSchema } from '../../identity/grants/grant-levels-body.ts';
import { MAX_CHANGES } from '../../identity/grants/plan-changes.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { queryCount, querySwitch, requiredQueryTexts, text } from '../fields/kinds.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';
import { readGrantChanges } from './read-grant-changes.ts';

export type GrantLevelsResponse = Static<typeof GrantLevelsSchema>;
export type GrantChangesResponse = Static<typeof GrantChangesSchema>;

const search = defineFields({
  subject: requiredQueryTexts('Subject', GrantSubject, {
    maxItems: MAX_SUBJECTS,
    description: 'Repeated for several subjects',
  }),
  under: text(
    'Under',
    Type.String({
      description: `Path of a folder, or \`${ALL_CONNECTIONS}\`. Without it, the namespaces, for administrators`,
      pattern: `^(/?@[\\s\\S]*|${ALL_CONNECTIONS})$`,
    }),
  ),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to 100' }),
  after: text('After', Type.String({ description: 'Name; returns only rows after it' })),
});

const GrantChangeSchema = Type.Object(
  {
    target: GrantTarget,
    subject: Type.Optional(GrantSubject),
    level: Type.Optional(AnyLevel),
    restricted: Type.Optional(Type.Boolean()),
  },
  {
    title: 'GrantChange',
    description: 'Either subject and level, where NONE revokes the grant, or restricted',
  },
);

const changes = defineFields(
  {
    changes: {
      schema: Type.Array(GrantChangeSchema, { minItems: 1, maxItems: MAX_CHANGES }),
      read: (fields) => readGrantChanges(fields),
    },
  },
  { title: 'NewGrantChanges' },
);
export type NewGrantChangesBody = Static<typeof changes.schema>;

const applyQuery = defineFields({ dry_run: querySwitch('Dry run', 'Whether to apply nothing') });

const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(Type.String({ description: 'The `etag` of a preview of the same changes' })),
});

/** The levels of several subjects, and several changes at once, below `/manage/grants`. */
export function addGrantChanges(app: App, instance: Instance): void {
  addListLevels(app, instance);
  addApplyChanges(app, instance);
}

function addListLevels(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['grants'],
    summary: 'List the levels of several subjects',
    operationId: 'listLevels',
    scope: 'read',
    description:
      'Lists the own and the effective levels of up to 50 subjects on the children of a folder that the caller manages, or on all connections. Use `after` for the next page.',
    example: { parameters: { subject: 'group:analysts', under: '@Shared' } },
    querystring: search.schema,
    response: { 200: GrantLevelsSchema, ...listFailures(400, 403, 404, 422) },
  };
  app.get('/manage/grants/levels', { schema }, (request) => {
    const { subject: subjects, ...page } = search.read(request.query);
    return accounts.grants.listLevels(request.principal, { subjects, ...page });
  });
}

function addApplyChanges(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['grants'],
    summary: 'Change several grants and restrictions',
    operationId: 'changeGrants',
    scope: 'all',
    description:
      'Applies up to 500 grants, revocations and restrictions, all or none. With `dry_run=true`, applies nothing and says who would gain and lose what. `If-Match` with the `etag` of that preview refuses changes that are out of date.',
    example: {
      body: {
        changes: [
          { subject: 'group:analysts', level: 'EDIT', target: '@Shared/reports' },
          { subject: 'everyone', level: 'NONE', target: '@Shared/reports' },
        ],
      },
    },
    headers: IfMatchHeaders,
    querystring: applyQuery.schema,
    body: changes.schema,
    response: { 200: GrantChangesSchema, ...listFailures(400, 403, 404, 409, 412, 413, 415, 422) },
  };
  app.post('/manage/grants/changes', { schema }, (request) => {
    const { dryRun } = applyQuery.read(request.query);
    const { changes: list } = changes.read(request.body);
    return dryRun
      ? accounts.grants.previewChanges(request.principal, list)
      : accounts.grants.applyChanges(request.principal, list, request.headers['if-match']);
  });
}
