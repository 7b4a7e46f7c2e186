import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

/** The parameter of routes for one thing. */
export const IdParams = Type.Object({ id: Type.String() });

/** The id in the path of a route that has one. */
export function getId({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}
