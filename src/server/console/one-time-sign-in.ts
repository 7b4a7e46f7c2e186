import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors/service-error.ts';
import { isLoopback } from '../../identity/sessions/client-address.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { Executions } from '../../workspace/runs/executions.ts';
import { printPathSegments } from '../catalog/item-headers.ts';
import { receiveSmallBody } from '../http/bodies/receive-body.ts';
import { sendPage } from '../http/page.ts';
import type { App } from '../http/typed-app.ts';
import { consoleErrors } from './errors.ts';
import { findForwardedFor } from './forwarded-for.ts';
import { isSameOrigin, usesLoopback } from './origin.ts';
import { getSessionCookie } from './session-cookie.ts';

/** Maximum bytes of the form; the route is public. */
const BODY_LIMIT = 16 * 1024;
/** Headers that a proxy adds. */
const OF_A_PROXY = /^(x-forwarded-|forwarded$|x-real-ip$|via$)/;

/**
 * `POST one-time-sign-in`: signs the home's owner in with the secret of a file that `quern ui` has written
 * (docs/reference/sessions.md#one-time-sign-in), and redirects to the start page, or to the page for the first
 * password. If the form names a script, runs it for the owner, and redirects to the editor with its result. Returns
 * pages, because a form of that file sends the request.
 */
export function addOneTimeSignIn(app: App, instance: Instance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: Parameters<typeof receiveSmallBody>[0]) =>
      new URLSearchParams((await receiveSmallBody(request)).toString('latin1')),
  );
  app.setErrorHandler(replyRefusal);
  app.post('/one-time-sign-in', { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    const credentials = {
      secret: readSecret(request.body),
      isLocal: isDirect(request) && isFromFile(request),
      countedAt: findForwardedFor(request),
      userAgent: request.headers['user-agent'],
    };
    const visitor = { address: request.ip, requestId: request.id };
    const { principal, session } = instance.accounts.ownerSignIn.signIn(credentials, visitor);
    const cookie = getSessionCookie(request);
    reply.setCookie(cookie.name, session.cookieValue, cookie.options);
    const target = await openScript(instance.executions, principal, readScript(request.body));
    const chooses = instance.accounts.profile.get(principal).password === 'first';
    return reply.redirect(chooses ? `/choose-password?return=${encodeURIComponent(target)}` : target, 303);
  });
}

/** Whether no page of another site has sent the form; the origin of a file is `null`. */
function isFromFile(request: FastifyRequest): boolean {
  return request.headers.origin === 'null' || isSameOrigin(request);
}

/** Whether the request comes from this machine, to its loopback address, without a proxy. */
function isDirect(request: FastifyRequest): boolean {
  return (
    isLoopback(request.socket.remoteAddress ?? '') &&
    usesLoopback(request) &&
    !Object.keys(request.headers).some((name) => OF_A_PROXY.test(name))
  );
}

function readSecret(form: unknown): string {
  const secrets = form instanceof URLSearchParams ? form.getAll('secret') : [];
  const [secret] = secrets;
  if (secret === undefined || secrets.length > 1) throw consoleErrors.secretRequired(secrets.length);
  return secret;
}

/** The path of the script to open; null without one. */
function readScript(form: unknown): string | null {
  return form instanceof URLSearchParams ? form.get('script') : null;
}

/** Runs a script, and returns the address that shows it with its result; without a script, that of the start page. */
async function openScript(
  executions: Executions | null,
  principal: FastifyRequest['principal'],
  path: string | null,
): Promise<string> {
  if (path === null) return '/';
  const page = `/sql/${printPathSegments(path)}`;
  const started = await executions
    ?.start(principal, {
      target: { kind: 'script', path },
      params: {},
      overrides: {},
      format: 'arrow',
      recordsAll: true,
    })
    .catch((error: unknown) => {
      // The page says what is wrong with the script when it shows or runs it.
      if (error instanceof ServiceError) return null;
      throw error;
    });
  return started?.status === 'started' ? `${page}?run=${started.id}&show=chart` : page;
}

function replyRefusal(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // The app's error handler sends the response.
  if (!(error instanceof ServiceError)) throw error;
  const { status, message, retryAfter } = error;
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  return sendPage(reply, {
    status,
    title: 'Sign-in failed',
    sentences: [`${message}.`],
    reference: request.id,
  });
}
