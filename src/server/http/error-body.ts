import type { ServiceError } from '../../errors/service-error.ts';

/** An error, wherever it appears (docs/reference/http-api.md#failures). */
export interface ErrorFields {
  /** The first line of the detail. */
  readonly message: string;
  readonly detail: string;
  /** A stable code for programs. */
  readonly code: string;
  /** Further sentences; absent without any. */
  readonly hints?: readonly string[];
}

/** The body of every error response (docs/reference/http-api.md#failures) except those of SCIM. */
export interface ErrorBody extends ErrorFields {
  /** The id of the request in the log of the server. */
  readonly request_id: string;
}

/** An error as JSON, for bodies that report on more than one request. */
export function toErrorFields({ message, detail, code, hint }: ServiceError): ErrorFields {
  return { message, detail, code, ...toHints(hint) };
}

/** The body of an error response. */
export function toErrorBody({ message, detail, code, hint }: ServiceError, requestId: string): ErrorBody {
  return { message, detail, code, request_id: requestId, ...toHints(hint) };
}

/** Makes a sentence of a phrase; a place such as `sql:1:1:` stays as it is. */
function toHints(hint: string | undefined): Pick<ErrorFields, 'hints'> {
  if (hint === undefined) return {};
  const isPlace = /^\S+:\d/.test(hint);
  return { hints: [isPlace ? hint : hint.charAt(0).toUpperCase() + hint.slice(1)] };
}
