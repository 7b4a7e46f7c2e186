import { type Static, Type } from 'typebox';
import { EndedAccessSchema, UserSessionSchema } from '../../identity/accounts/session-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { awaitEnd, listRunningOf } from '../../workspace/runs/await-end.ts';
import { CancelledExecutionsSchema } from '../../workspace/runs/cancelled-body.ts';
import { listFailures, NoBodySchema } from '../http/error-schema.ts';
import { EXAMPLE_ID } from '../http/operation.ts';
import type { App } from '../http/typed-app.ts';

const SessionListSchema = Type.Object(
  { data: Type.Immutable(Type.Array(UserSessionSchema)) },
  { title: 'SessionList' },
);
export type UserSessionsResponse = Static<typeof SessionListSchema>;

const StoppedSchema = Type.Object(
  { ...EndedAccessSchema.properties, ...CancelledExecutionsSchema.properties },
  { title: 'StoppedUser' },
);
export type StoppedResponse = Static<typeof StoppedSchema>;

const userName = Type.String({ description: 'User name, ignoring case' });
const UserParams = Type.Object({ user_name: userName });
const SessionParams = Type.Object({ user_name: userName, session_id: Type.String() });

/** The sessions of a user, and all access at once (docs/reference/accounts.md#stopping-a-user). */
export function addUserAccess(app: App, instance: Instance): void {
  addSessions(app, instance);
  addStop(app, instance);
}

function addSessions(app: App, { accounts: { access } }: Instance): void {
  const list = {
    tags: ['users'],
    summary: 'List the sessions of a user',
    operationId: 'listUserSessions',
    scope: 'read',
    description: 'Lists the sessions of a user in the console, the last used first. For administrators.',
    example: { parameters: { user_name: 'ada' } },
    params: UserParams,
    response: { 200: SessionListSchema, ...listFailures(403, 404) },
  };
  app.get('/manage/users/:user_name/sessions', { schema: list }, (request) => ({
    data: access.listSessions(request.principal, request.params.user_name),
  }));
  const endAll = {
    tags: ['users'],
    summary: 'End the sessions of a user',
    operationId: 'endUserSessions',
    scope: 'all',
    description: 'Ends all sessions of a user. The user can sign in again. For administrators.',
    example: { parameters: { user_name: 'ada' } },
    params: UserParams,
    response: { 204: NoBodySchema, ...listFailures(403, 404) },
  };
  app.delete('/manage/users/:user_name/sessions', { schema: endAll }, async (request, reply) => {
    access.endSessions(request.principal, request.params.user_name);
    return reply.code(204).send(undefined);
  });
  const end = {
    tags: ['users'],
    summary: 'End a session',
    operationId: 'endUserSession',
    scope: 'all',
    description: 'Ends one session of a user. For administrators.',
    example: { parameters: { user_name: 'ada', session_id: EXAMPLE_ID } },
    params: SessionParams,
    response: { 204: NoBodySchema, ...listFailures(403, 404) },
  };
  app.delete('/manage/users/:user_name/sessions/:session_id', { schema: end }, async (request, reply) => {
    access.endSession(request.principal, request.params.user_name, request.params.session_id);
    return reply.code(204).send(undefined);
  });
}

function addStop(app: App, { accounts: { access }, executions }: Instance): void {
  const schema = {
    tags: ['users'],
    summary: 'Stop a user',
    operationId: 'stopUser',
    scope: 'all',
    description:
      'Disables a user, ends their sessions, revokes their tokens and invitation, and cancels their executions, at once. Waits two seconds at most for the executions to end. For administrators.',
    example: { parameters: { user_name: 'ada' } },
    params: UserParams,
    response: { 200: StoppedSchema, ...listFailures(403, 404, 409) },
  };
  app.post('/manage/users/:user_name/stop', { schema }, async ({ principal, params }) => {
    const before = executions?.list(principal) ?? [];
    const ended = access.stop(principal, params.user_name);
    const list = async () => executions?.list(principal) ?? [];
    return { ...ended, ...(await awaitEnd(listRunningOf(before, ended.user_name), list)) };
  });
}
