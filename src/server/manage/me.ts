import { Type } from 'typebox';
import { MaybeTimestamp } from '../../bodies/field-schemas.ts';
import { UserSchema } from '../../identity/accounts/user-body.ts';
import { SCOPES } from '../../identity/principal/scopes.ts';
import { notNull, present } from '../../invariants/must.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import { listFailures } from '../http/error-schema.ts';
import type { App } from '../http/typed-app.ts';

const MeSchema = Type.Object(
  {
    ...UserSchema.properties,
    token: Type.Object({
      id: Type.String(),
      name: Type.String(),
      scope: Type.Enum([...SCOPES]),
      read_only: Type.Boolean(),
      expires_at: MaybeTimestamp,
    }),
  },
  { title: 'Me' },
);

/** `GET /me`: the user and token of the request; clients test their credentials with it. */
export function addMe(app: App, { accounts }: Instance): void {
  const schema = {
    tags: ['users'],
    summary: 'Retrieve the caller’s account and token',
    operationId: 'getMe',
    scope: 'any',
    description:
      'Returns the user and the token of the request, and their rights. Works with any valid token.',
    response: { 200: MeSchema, ...listFailures(401) },
  };
  app.get('/me', { schema }, ({ principal }) => {
    const { id, name, scope, read_only, expires_at } = accounts.tokens.get(
      principal,
      notNull(present(principal.origin).tokenId),
    );
    return { ...accounts.users.getOwn(principal), token: { id, name, scope, read_only, expires_at } };
  });
}
