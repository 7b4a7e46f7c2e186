import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { fieldErrors, readString } from '../../errors/fields.ts';
import { defineFields, type Field } from '../fields/define-fields.ts';
import type { App } from '../http/typed-app.ts';
import { credential } from './sign-in.ts';

/** A required string that may be empty. */
const displayName: Field<string> = {
  schema: Type.String(),
  read: (fields, key) => {
    const text = readString(fields, key, 'Display name');
    if (text === undefined) throw fieldErrors.required('Display name');
    return text;
  },
};

const profileChange = defineFields({ display_name: displayName });
const passwordChange = defineFields({
  current: optional(credential('Current password')),
  next: credential('New password'),
});
const SessionParams = Type.Object({ id: Type.String() });

type ProfileApi = FastifyRequest['api']['accounts']['profile'];
export type ProfileResponse = Awaited<ReturnType<ProfileApi['get']>>;
export interface OwnSessionsResponse {
  readonly data: Awaited<ReturnType<ProfileApi['listSessions']>>;
}

/**
 * `profile`, `profile/password` and `profile/sessions`: the caller's own account
 * (docs/reference/sessions.md#the-users-own-account). They have no twins below `/api/v1`, because a token must not
 * change how its owner signs in.
 */
export function addProfile(app: App): void {
  app.get('/profile', (request) => request.api.accounts.profile.get());
  app.put('/profile', (request) =>
    request.api.accounts.profile.setDisplayName(profileChange.read(request.body).displayName),
  );
  app.put('/profile/password', async (request, reply) => {
    await request.api.accounts.profile.setPassword(passwordChange.read(request.body));
    return reply.code(204).send();
  });
  app.get(
    '/profile/sessions',
    async (request): Promise<OwnSessionsResponse> => ({
      data: await request.api.accounts.profile.listSessions(),
    }),
  );
  app.delete('/profile/sessions', async (request, reply) => {
    await request.api.accounts.profile.endOtherSessions();
    return reply.code(204).send();
  });
  app.delete('/profile/sessions/:id', { schema: { params: SessionParams } }, async (request, reply) => {
    await request.api.accounts.profile.endSession(request.params.id);
    return reply.code(204).send();
  });
}

function optional<T>({ schema, read }: Field<T>): Field<T | undefined> {
  return {
    schema: Type.Optional(schema),
    read: (fields, key) => (fields[key] === undefined ? undefined : read(fields, key)),
  };
}
