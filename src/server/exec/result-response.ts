import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Executions } from '../../workspace/runs/executions.ts';
import { chooseEncoding, openPassage } from './compression.ts';
import { execErrors } from './errors.ts';
import type { AnswerFormat } from './formats.ts';
import { setResultHeaders } from './response.ts';
import { toServiceError } from './to-service-error.ts';

/** Results up to this many bytes are not compressed. */
const SHORT_BYTES = 1_024;

/**
 * Sends the result or the error of an execution that has ended, as a synchronous request would have returned it.
 * Throws 404 for an execution that does not exist, and for a script that the caller may not view any more, and 409 for an
 * execution that has not ended.
 */
export async function answerResult(
  executions: Executions,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<void> {
  const {
    ended_at: endedAt,
    is_kept: isKept,
    is_recorded: isRecorded,
    error,
    targets,
  } = executions.get(request.principal, id);
  if (!isKept) throw execErrors.notKept(id);
  if (isRecorded) throw execErrors.oneForEachStatement(id);
  if (endedAt === null) throw execErrors.notEnded(id);
  const result = executions.findResult(request.principal, id);
  if (error !== null) throw toServiceError(error, targets);
  if (result === null) throw execErrors.broken();
  const { bytes, startedAt } = result;
  setResultHeaders(reply, { format: result.format as AnswerFormat, startedAt });
  const encoding = bytes > SHORT_BYTES ? chooseEncoding(request) : null;
  if (encoding === null) reply.header('content-length', bytes);
  else reply.header('content-encoding', encoding);
  if (request.method === 'HEAD') {
    reply.send(Readable.from([]));
    return;
  }
  const content = await result.read();
  // An error in one of the streams closes the connection.
  reply.send(encoding === null ? content : pipeline(content, openPassage(encoding).stream, () => undefined));
}
