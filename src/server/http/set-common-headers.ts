import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sets the headers of every response: the request id, which the log has too, and `nosniff`. */
export function setCommonHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', id).header('x-content-type-options', 'nosniff');
}
