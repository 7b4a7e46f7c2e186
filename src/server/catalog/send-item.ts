import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Content } from '../../catalog/contents/content-store.ts';
import type { AssetBody } from '../../catalog/item-body.ts';

/** Minimum characters of content for which another thread serializes the response. */
const LONG_CONTENT = 256 * 1024;

/** A response with the content of an asset. */
type WithContent = Pick<AssetBody<Content>, 'data'>;

/** Sends a response with a content. */
export async function sendItem(
  request: FastifyRequest,
  reply: FastifyReply,
  body: WithContent,
): Promise<FastifyReply> {
  const content = 'content' in body.data ? body.data.content : '';
  if (content.length <= LONG_CONTENT) return reply.send(withText(body, content));
  // While the server stops, the thread is not available.
  const bytes = await request.server
    .printJson(request, body)
    .catch(() => JSON.stringify(withText(body, content)));
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
}

function withText(body: WithContent, content: Content): Pick<AssetBody, 'data'> {
  return { ...body, data: 'content' in body.data ? { content: content.toString() } : {} };
}
