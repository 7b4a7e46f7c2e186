import type { FastifySchema } from 'fastify';
import type { ScimOperation } from './kinds.ts';
import { MEDIA_TYPES } from './media-type.ts';
import { listScimFailures } from './schemas.ts';

/** Maximum bytes of a body. */
export const BODY_LIMIT = 10 * 1024 * 1024;

/** The schema of a route; 403 applies to all of them, because they are only for administrators. */
export function describeRoute(
  operation: ScimOperation,
  failures: readonly number[],
  { response, ...schema }: FastifySchema & { readonly response: object },
): FastifySchema {
  return {
    tags: ['provisioning'],
    ...operation,
    consumes: [...MEDIA_TYPES],
    produces: [MEDIA_TYPES[0]],
    ...schema,
    response: { ...response, ...listScimFailures(403, ...failures) },
  };
}
