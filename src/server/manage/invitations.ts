import { type Static, Type } from 'typebox';
import { MAX_NAME_LENGTH } from '../../errors/fields.ts';
import {
  InvitationListSchema,
  MadeInvitationSchema,
  RevokedInvitationSchema,
} from '../../identity/accounts/invitation-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields } from '../fields/define-fields.ts';
import { queryCount, text, texts } from '../fields/kinds.ts';
import { createName, createUserName, Email } from '../fields/text-schemas.ts';
import { listFailures } from '../http/error-schema.ts';
import { EXAMPLE_ID, inBody, linksTo } from '../http/operation.ts';
import { withHeaders } from '../http/response-headers.ts';
import type { App } from '../http/typed-app.ts';
import { printLocation } from './location.ts';

export type MadeInvitationResponse = Static<typeof MadeInvitationSchema>;

const newInvitation = defineFields(
  {
    user_name: text('User name', createUserName()),
    user: text(
      'User',
      Type.String({ description: 'User who exists, instead of `user_name`', maxLength: MAX_NAME_LENGTH }),
    ),
    email: text('E-mail', Email),
    role: text('Role', createName('ADMIN, EDITOR or VIEWER, ignoring case; other roles give no rights')),
    groups: texts('Groups', { description: 'Names of the groups of a new user' }),
  },
  { title: 'NewInvitation' },
);
export type NewInvitationBody = Static<typeof newInvitation.schema>;

const search = defineFields({
  q: text(
    'Q',
    Type.String({ description: 'Part of the user name, e-mail address or display name, ignoring case' }),
  ),
  limit: queryCount('Limit', { minimum: 1, maximum: 1000, description: 'Defaults to 100' }),
  after: text('After', Type.String({ description: 'User name; returns only invitations of users after it' })),
});

/** The invitations (docs/reference/invitations.md), below `/manage/invitations`. */
export function addInvitations(app: App, { accounts: { invitations } }: Instance): void {
  const list = {
    tags: ['users'],
    summary: 'List invitations',
    operationId: 'listInvitations',
    scope: 'read',
    description: 'Lists the invitations that were not used, by user name. For administrators.',
    querystring: search.schema,
    response: { 200: InvitationListSchema, ...listFailures(400, 403) },
  };
  app.get('/manage/invitations', { schema: list }, ({ principal, query }) =>
    invitations.search(principal, search.read(query)),
  );
  const create = {
    tags: ['users'],
    summary: 'Invite a user',
    operationId: 'createInvitation',
    scope: 'all',
    description:
      'Creates a link with which a new user, or one who exists, sets a password, within 7 days and once. An earlier invitation of the user is revoked. For administrators.',
    example: { body: { user_name: 'ivy', email: 'ivy@example.org', role: 'EDITOR' } },
    links: { 201: linksTo(inBody('id'), 'deleteInvitation') },
    body: newInvitation.schema,
    response: {
      201: withHeaders(MadeInvitationSchema, 'location'),
      ...listFailures(400, 403, 404, 409, 413, 415),
    },
  };
  app.post('/manage/invitations', { schema: create }, async ({ principal, body }, reply) => {
    const made = invitations.create(principal, newInvitation.read(body));
    return reply.code(201).header('location', printLocation('invitations', made.id)).send(made);
  });
  const remove = {
    tags: ['users'],
    summary: 'Revoke an invitation',
    operationId: 'deleteInvitation',
    scope: 'all',
    description:
      'Revokes an invitation. The user is deleted if the invitation had created the account and it was never used. For administrators.',
    example: { parameters: { id: EXAMPLE_ID } },
    params: Type.Object({ id: Type.String() }),
    response: { 200: RevokedInvitationSchema, ...listFailures(403, 404) },
  };
  app.delete('/manage/invitations/:id', { schema: remove }, ({ principal, params }) =>
    invitations.revoke(principal, params.id),
  );
}
