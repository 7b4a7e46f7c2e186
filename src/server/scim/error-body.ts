import { ScimError } from '../../errors/scim-error.ts';
import type { ServiceError } from '../../errors/service-error.ts';

/** The body of every failure below the prefix (RFC 7644, 3.12). */
export interface ScimErrorBody {
  readonly schemas: readonly string[];
  readonly status: string;
  readonly scimType?: string;
  readonly detail: string;
}

/** The body that tells of a refusal. */
export function toScimErrorBody(refusal: ServiceError): ScimErrorBody {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(refusal.status),
    ...(refusal instanceof ScimError ? { scimType: refusal.scimType } : {}),
    detail: refusal.detail,
  };
}
