import type { ServiceError } from '../../errors/service-error.ts';

/** What a refusal says, wherever it stands (catalog 5). */
export interface RefusalBody {
  /** The first line of the detail. */
  readonly message: string;
  readonly detail: string;
  /** A stable word for programs. */
  readonly code: string;
  /** Further sentences, if there are any. */
  readonly hints?: readonly string[];
}

/** The body of every failure (interface 7) except those of SCIM. */
export interface ErrorBody extends RefusalBody {
  /** The id of the request in the log of the server. */
  readonly request_id: string;
}

/** A refusal in JSON, for bodies that tell of more than one request. */
export function toRefusalBody({ message, detail, code, hint }: ServiceError): RefusalBody {
  return { message, detail, code, ...toHints(hint) };
}

/** The body that tells of a refusal. */
export function toErrorBody({ message, detail, code, hint }: ServiceError, requestId: string): ErrorBody {
  return { message, detail, code, request_id: requestId, ...toHints(hint) };
}

/** What can continue a sentence becomes one. */
function toHints(hint: string | undefined): Pick<RefusalBody, 'hints'> {
  return hint === undefined ? {} : { hints: [hint.charAt(0).toUpperCase() + hint.slice(1)] };
}
