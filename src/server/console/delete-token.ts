import { Type } from 'typebox';
import { ownerQuery } from '../fields/owner.ts';
import type { App } from '../http/typed-app.ts';

const IdParams = Type.Object({ id: Type.String() });

/** `DELETE tokens/{id}`: revokes a token; later requests with it are refused (interface 5.1). */
export function addDeleteToken(app: App): void {
  app.delete('/tokens/:id', { schema: { params: IdParams } }, async (request, reply) => {
    await request.api.accounts.tokens.delete(request.params.id, ownerQuery.read(request.query).owner);
    return reply.code(204).send();
  });
}
