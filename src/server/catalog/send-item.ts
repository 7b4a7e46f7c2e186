import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AssetBody } from '../../workspace/api/workspace-api.ts';

/** Characters of a content from which on the answer takes so long to write that another thread does it. */
const LONG_CONTENT = 256 * 1024;

/** Answers with an item, its content among the rest. */
export async function sendItem(
  request: FastifyRequest,
  reply: FastifyReply,
  body: AssetBody,
): Promise<FastifyReply> {
  const content = 'content' in body.data ? body.data.content : '';
  if (content.length <= LONG_CONTENT) return reply.send(body);
  // What cannot be written there, since the server stops, is written here.
  const bytes = await request.server.printJson(request, body).catch(() => JSON.stringify(body));
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
}
