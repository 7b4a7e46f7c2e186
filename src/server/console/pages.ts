import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import serveFiles from '@fastify/static';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { PACKAGE_ROOT } from '../../workspace/home/package-root.ts';
import { refuseOtherMethods } from '../http/refuse-other-methods.ts';
import { toRouteNotFound } from '../http/refuse-unknown-routes.ts';
import type { App } from '../http/typed-app.ts';
import { printContentPolicy } from './content-policy.ts';
import { consoleErrors } from './errors.ts';

/** Where the console's pages are built. */
export const WEB_FOLDER = path.join(PACKAGE_ROOT, 'dist/web');
/** What the built page has where a number goes that is used once. */
const NONCE_PLACE = '__NONCE__';
/** Addresses that are never a page. */
const NO_PAGE = /^\/(api|console\/api|assets|health|metrics|openapi\.json|saml2)([/?]|$)/;

/**
 * Serves the console's files, and its one page at every address that nothing else answers: the page finds out what to
 * show there. Whoever does not ask for HTML is answered in the shape of interface 7.
 */
export function addConsolePages(app: App, folder: string): void {
  const file = path.join(folder, 'index.html');
  const page = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (page !== null) app.register(addFiles, { folder: path.join(folder, 'assets') });
  app.setNotFoundHandler((request, reply) => {
    if (!isPageWanted(request)) throw toRouteNotFound(request);
    if (page === null) throw consoleErrors.notBuilt();
    return sendPage(reply, page);
  });
}

/** Files whose names change with what is in them, so that browsers may keep them for ever. */
async function addFiles(scope: App, { folder }: { readonly folder: string }): Promise<void> {
  scope.setErrorHandler((error: FastifyError, request) => {
    // Paths that lead elsewhere, and conditions that a file does not meet.
    throw (error.statusCode ?? 500) < 500 ? toRouteNotFound(request) : error;
  });
  const refuseOthers = refuseOtherMethods(scope);
  await scope.register(serveFiles, {
    root: folder,
    prefix: '/assets/',
    decorateReply: false,
    schemaHide: true,
    index: false,
    acceptRanges: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  });
  refuseOthers();
}

/** Browsers name HTML when they go to an address; what takes anything gets JSON. */
function isPageWanted(request: FastifyRequest): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && !NO_PAGE.test(request.url) && request.accepts().type(['json', 'html']) === 'html';
}

/** The page's own style sheets carry a number that no other answer has; so it is never kept. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(200)
    .header('content-security-policy', printContentPolicy(nonce))
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(NONCE_PLACE, nonce));
}
