import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors/service-error.ts';
import { isSignOnRefusal } from '../../workspace/instance/instance.ts';
import { type PlainPage, sendPage } from './page.ts';

/**
 * Answers a failure of a sign-in with a page (identity 4): the reason stands in the log, under the reference that the page
 * has, with the name of the check that refused. A user reads only what an administrator can change for them.
 */
export function replyRefusal(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const reference = request.id;
  if (isSignOnRefusal(error)) {
    const { check, detail, userText } = error;
    request.log.warn({ request_id: reference, check, detail }, 'single sign-on refused');
    const sentences = [
      userText ?? 'Ask your administrator, who finds the reason in the log under this reference.',
    ];
    return sendPage(reply, { status: 403, title: 'Sign-in failed', sentences, reference });
  }
  // The handler of the whole app answers it.
  if (!(error instanceof ServiceError)) throw error;
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  return sendPage(reply, toPage(error, reference));
}

function toPage({ status, message }: ServiceError, reference: string): PlainPage {
  return { status, title: 'Sign-in failed', sentences: [`${message}.`], reference };
}
