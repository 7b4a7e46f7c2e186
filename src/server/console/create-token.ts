import { Type } from 'typebox';
import { getString } from '../../errors/fields.ts';
import { defineFields, type Field } from '../fields/define-fields.ts';
import { filledText, flag, requiredText, text } from '../fields/kinds.ts';
import type { App } from '../http/typed-app.ts';
import { parseExpiry } from './parse-expiry.ts';

/** Expiration: a date, a duration, or `never`. */
const expires: Field<Date | null> = {
  schema: Type.String(),
  read: (fields, key) => parseExpiry(getString(fields, key, 'Expiration'), new Date()),
};

const newToken = defineFields({
  name: requiredText('Token name'),
  description: text('Description'),
  expires,
  owner: filledText('Owner'),
  read_only: flag('Read only'),
});

/** `POST tokens`: creates a personal access token and returns its value once (interface 2.11). */
export function addCreateToken(app: App): void {
  app.post('/tokens', async (request, reply) => {
    const { expires: expiresAt, ...given } = newToken.read(request.body);
    const { token, body } = await request.api.accounts.tokens.create({ ...given, expiresAt });
    return reply.code(201).send({ token, ...body });
  });
}
