import { type Static, type TSchema, type TString, Type } from 'typebox';
import { fieldErrors, readString } from '../../errors/fields.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { defineFields, type Field } from '../fields/define-fields.ts';
import type { App } from '../http/typed-app.ts';
import { credential } from './sign-in.ts';

/** A required string that may be empty. */
const displayName: Field<string, TString> = {
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
export type ProfileChangeBody = Static<typeof profileChange.schema>;
export type PasswordChangeBody = Static<typeof passwordChange.schema>;
const SessionParams = Type.Object({ id: Type.String() });

type Profile = Instance['accounts']['profile'];
export type ProfileResponse = ReturnType<Profile['get']>;
export interface OwnSessionsResponse {
  readonly data: ReturnType<Profile['listSessions']>;
}

/**
 * `profile`, `profile/password` and `profile/sessions`: the caller's own account
 * (docs/reference/sessions.md#the-users-own-account). They have no twins below `/api/v1`, because a token must not
 * change how its owner signs in.
 */
export function addProfile(app: App, { accounts }: Instance): void {
  app.get('/profile', (request) => accounts.profile.get(request.principal));
  app.put('/profile', (request) =>
    accounts.profile.setDisplayName(request.principal, profileChange.read(request.body).displayName),
  );
  app.put('/profile/password', async (request, reply) => {
    await accounts.profile.setPassword(request.principal, passwordChange.read(request.body));
    return reply.code(204).send();
  });
  app.get(
    '/profile/sessions',
    async (request): Promise<OwnSessionsResponse> => ({
      data: accounts.profile.listSessions(request.principal),
    }),
  );
  app.delete('/profile/sessions', (request, reply) => {
    accounts.profile.endOtherSessions(request.principal);
    return reply.code(204).send();
  });
  app.delete('/profile/sessions/:id', { schema: { params: SessionParams } }, (request, reply) => {
    accounts.profile.endSession(request.principal, request.params.id);
    return reply.code(204).send();
  });
}

function optional<T, Schema extends TSchema>({
  schema,
  read,
}: Field<T, Schema>): Field<T | undefined, ReturnType<typeof Type.Optional<Schema>>> {
  return {
    schema: Type.Optional(schema),
    read: (fields, key) => (fields[key] === undefined ? undefined : read(fields, key)),
  };
}
