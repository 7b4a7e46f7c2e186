import { getString, readFlag, readString, toFields } from '../../errors/fields.ts';
import type { NewToken } from '../../workspace/instance/instance.ts';
import type { App } from '../http/typed-app.ts';
import { parseExpiry } from './parse-expiry.ts';

/** `POST tokens`: makes a personal access token, and answers the token itself, this once (interface 2.11). */
export function addCreateToken(app: App): void {
  app.post('/tokens', async (request, reply) => {
    const { token, body } = await request.api.accounts.tokens.create(checkNewToken(request.body, new Date()));
    return reply.code(201).send({ token, ...body });
  });
}

/** In the order of the fields. Throws 400. */
function checkNewToken(body: unknown, now: Date): NewToken {
  const fields = toFields(body);
  return {
    name: getString(fields, 'name', 'Token name'),
    description: readString(fields, 'description', 'Description'),
    expiresAt: parseExpiry(getString(fields, 'expires', 'Expiration'), now),
    owner: readString(fields, 'owner', 'Owner') || undefined,
    readOnly: readFlag(fields, 'read_only', 'Read only'),
  };
}
