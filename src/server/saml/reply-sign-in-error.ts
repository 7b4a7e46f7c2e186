import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors/service-error.ts';
import { isSignOnError } from '../../workspace/instance/instance.ts';
import { type PlainPage, sendPage } from '../http/page.ts';

/**
 * Sends a page for a failed sign-in (docs/reference/saml-sign-in.md#response). The log has the reason and the name of
 * the failed check, under the reference on the page. The page itself only shows reasons that an administrator can fix.
 */
export function replySignInError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const reference = request.id;
  if (isSignOnError(error)) {
    const { check, detail, userText } = error;
    request.log.warn({ request_id: reference, check, detail }, 'single sign-on refused');
    const sentences = [
      userText ?? 'Ask your administrator. The server log has the reason under this reference.',
    ];
    return sendPage(reply, { status: 403, title: 'Sign-in failed', sentences, reference });
  }
  // The app's error handler sends the response.
  if (!(error instanceof ServiceError)) throw error;
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  return sendPage(reply, toPage(error, reference));
}

function toPage({ status, message }: ServiceError, reference: string): PlainPage {
  return { status, title: 'Sign-in failed', sentences: [`${message}.`], reference };
}
