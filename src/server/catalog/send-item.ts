import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AssetBody, Content } from '../../workspace/api/workspace-api.ts';

/** Characters of a content from which on the answer takes so long to write that another thread does it. */
const LONG_CONTENT = 256 * 1024;

/** Answers with an item, its content among the rest. */
export async function sendItem(
  request: FastifyRequest,
  reply: FastifyReply,
  body: AssetBody<Content>,
): Promise<FastifyReply> {
  const content = 'content' in body.data ? body.data.content : '';
  if (content.length <= LONG_CONTENT) return reply.send(withText(body, content));
  // What cannot be written there, since the server stops, is written here.
  const bytes = await request.server
    .printJson(request, body)
    .catch(() => JSON.stringify(withText(body, content)));
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
}

function withText(body: AssetBody<Content>, content: Content): AssetBody {
  return { ...body, data: 'content' in body.data ? { content: content.toString() } : {} };
}
