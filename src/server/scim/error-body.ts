import { ScimError } from '../../errors/scim-error.ts';
import type { ServiceError } from '../../errors/service-error.ts';
import { type ErrorBody, toErrorBody } from '../http/error-body.ts';

/** The body of every error below the prefix (RFC 7644, 3.12), with the fields of all other error bodies. */
interface ScimErrorBody extends ErrorBody {
  readonly schemas: readonly string[];
  readonly status: string;
  readonly scimType?: string;
}

/** The body of an error response. */
export function toScimErrorBody(error: ServiceError, requestId: string): ScimErrorBody {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(error.status),
    ...(error instanceof ScimError ? { scimType: error.scimType } : {}),
    ...toErrorBody(error, requestId),
  };
}
