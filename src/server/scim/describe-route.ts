import type { FastifySchema } from 'fastify';
import { MEDIA_TYPES } from './media-type.ts';
import { listScimFailures } from './schemas.ts';

/** How many bytes a body may have. */
export const BODY_LIMIT = 10 * 1024 * 1024;

/** A route's part of the document; 403 is a failure of all of them, since they are for administrators alone. */
export function describeRoute(
  summary: string,
  failures: readonly number[],
  { response, ...schema }: FastifySchema & { readonly response: object },
): FastifySchema {
  return {
    tags: ['provisioning'],
    summary,
    consumes: [...MEDIA_TYPES],
    produces: [MEDIA_TYPES[0]],
    ...schema,
    response: { ...response, ...listScimFailures(403, ...failures) },
  };
}
