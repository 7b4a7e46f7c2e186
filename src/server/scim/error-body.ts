import type { Static } from 'typebox';
import { ScimError } from '../../errors/scim-error.ts';
import type { ServiceError } from '../../errors/service-error.ts';
import { toErrorBody } from '../http/error-body.ts';
import type { ScimErrorSchema } from './schemas.ts';

/** The body of an error response. */
export function toScimErrorBody(error: ServiceError, requestId: string): Static<typeof ScimErrorSchema> {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(error.status),
    ...(error instanceof ScimError ? { scimType: error.scimType } : {}),
    ...toErrorBody(error, requestId),
  };
}
