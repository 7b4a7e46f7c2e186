import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

/** The path parameter of routes for one resource. */
export const IdParams = Type.Object({ id: Type.String() });

/** The id in the path of a request. */
export function getId({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}
