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

/** The folder of the console's built pages. */
export const WEB_FOLDER = path.join(PACKAGE_ROOT, 'dist/web');
/** The placeholder of the nonce in the built page. */
const NONCE_PLACE = '__NONCE__';
/** The paths of the pages in `web/routes`, in its notation: `/$` at the end is every path below, or none. */
const PAGES = [
  '/',
  '/login',
  '/catalog/$',
  '/sql/$',
  '/runs/$',
  '/choose-password',
  '/invitation',
  '/administration',
  '/administration/users',
  '/administration/groups',
  '/administration/permissions',
  '/administration/connections',
  '/administration/single-sign-on',
  '/administration/provisioning',
  '/administration/api-keys',
  '/administration/audit',
  '/administration/server',
  '/administration/settings',
  '/profile',
  '/profile/tokens',
].map(toPattern);
/** Paths that are never a page. */
const NO_PAGE = /^\/(api|console\/api|assets|health|metrics|openapi\.json|saml2)([/?]|$)/;

/**
 * Serves the console's files, and its single page at every path without another route; the page does its own routing.
 * Unknown paths get the status 404. Clients that do not accept HTML get JSON errors (docs/reference/errors.md).
 */
export function addConsolePages(app: App, folder: string): void {
  const file = path.join(folder, 'index.html');
  const page = existsSync(file) ? readFileSync(file, 'utf8') : null;
  if (page !== null) app.register(addFiles, { folder: path.join(folder, 'assets') });
  app.setNotFoundHandler((request, reply) => {
    if (!isPageWanted(request)) throw toRouteNotFound(request);
    if (page === null) throw consoleErrors.notBuilt();
    return sendPage(reply.code(isPage(request.url) ? 200 : 404), page);
  });
}

/** Files whose names contain a hash of their content, so that browsers can cache them without a time limit. */
async function addFiles(scope: App, { folder }: { readonly folder: string }): Promise<void> {
  scope.setErrorHandler((error: FastifyError, request) => {
    // Paths outside the folder, and failed preconditions.
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

/** Browsers accept HTML explicitly when they navigate; clients that accept anything get JSON. */
function isPageWanted(request: FastifyRequest): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && !NO_PAGE.test(request.url) && request.accepts().type(['json', 'html']) === 'html';
}

function isPage(url: string): boolean {
  const [pathname = ''] = url.split('?', 1);
  return PAGES.some((page) => page.test(pathname));
}

function toPattern(page: string): RegExp {
  return new RegExp(`^${page.replace(/\/\$$/, '(/.*)?')}$`);
}

/** The page's styles have a nonce that is used once, so the page must not be cached. */
function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .header('content-security-policy', printContentPolicy(nonce))
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(NONCE_PLACE, nonce));
}
