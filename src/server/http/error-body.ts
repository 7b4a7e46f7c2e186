import type { Static } from 'typebox';
import type { ServiceError } from '../../errors/service-error.ts';
import type { ErrorSchema } from './error-schema.ts';

/** The body of every error response (docs/reference/http-api.md#failures) except those of SCIM. */
export type ErrorBody = Static<typeof ErrorSchema>;

/** An error, wherever it appears. */
export type ErrorFields = Omit<ErrorBody, 'request_id'>;

/** An error as JSON, for bodies that report on more than one request. */
export function toErrorFields({ message, detail, code, hint }: ServiceError): ErrorFields {
  return { message, detail, code, ...toHints(hint) };
}

/** The body of an error response. */
export function toErrorBody(
  { message, detail, code, hint, fields }: ServiceError,
  requestId: string,
): ErrorBody {
  return { message, detail, code, request_id: requestId, ...toHints(hint), ...fields };
}

/** Makes a sentence of a phrase; a place such as `sql:1:1:` stays as it is. */
function toHints(hint: string | undefined): Pick<ErrorFields, 'hints'> {
  if (hint === undefined) return {};
  const isPlace = /^\S+:\d/.test(hint);
  return { hints: [isPlace ? hint : hint.charAt(0).toUpperCase() + hint.slice(1)] };
}
