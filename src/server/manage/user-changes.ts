import type { Static } from 'typebox';
import { MAX_USERS } from '../../identity/accounts/user-changes.ts';
import { UserOutcomesSchema } from '../../identity/accounts/user-changes-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { flag, requiredTexts, text, texts } from '../fields/kinds.ts';
import { createName } from '../fields/text-schemas.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';

export type UserOutcomesResponse = Static<typeof UserOutcomesSchema>;

const changes = defineFields(
  {
    users: requiredTexts('Users', { description: 'User names', maxItems: MAX_USERS }),
    active: flag('Active'),
    role: text('Role', createName('ADMIN, EDITOR or VIEWER, ignoring case; other roles give no rights')),
    add_groups: texts('Add groups', { description: 'Names of groups' }),
    remove_groups: texts('Remove groups', { description: 'Names of groups' }),
    end_sessions: flag('End sessions'),
    revoke_tokens: flag('Revoke tokens'),
    delete: flag('Delete'),
  },
  { title: 'UserChanges', description: 'Users, and exactly one change' },
);
export type UserChangesBody = Static<typeof changes.schema>;

/** `POST /manage/users/changes`: one change of several users (docs/reference/accounts.md#changing-several-users). */
export function addUserChanges(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['users'],
    summary: 'Change several users',
    operationId: 'changeUsers',
    scope: 'all',
    description:
      'Makes one change to up to 500 users, each as if alone. Returns one outcome for each. For administrators.',
    example: { body: { users: ['ada'], end_sessions: true } },
    body: changes.schema,
    response: { 200: UserOutcomesSchema, ...listFailures(400, 403, 413, 415) },
  };
  app.post('/manage/users/changes', { schema }, ({ principal, body }) =>
    accounts.changes.apply(principal, changes.read(body)),
  );
}
