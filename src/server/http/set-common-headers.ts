import type { FastifyReply, FastifyRequest } from 'fastify';

/** Gives an answer what every one of ours carries: the id under which the log knows it, and no guessing of types. */
export function setCommonHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', id).header('x-content-type-options', 'nosniff');
}
