import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { listPageNames } from '../../documentation/find-pages.ts';
import { INDEX, readPages } from '../../documentation/pages.ts';
import { createSearch } from '../../documentation/search-pages.ts';
import { suggest } from '../../text/suggest.ts';
import { DOCUMENTATION_FOLDER } from '../../workspace/home/package-root.ts';
import { setPageHeaders } from '../console/page-headers.ts';
import { namesEntityTag } from '../http/names-entity-tag.ts';
import { refuseOtherMethods } from '../http/refuse-other-methods.ts';
import { toRouteNotFound } from '../http/refuse-unknown-routes.ts';
import type { App } from '../http/typed-app.ts';
import { PREFIX, printNotFound, printPage, printResults } from './print-pages.ts';
import { STYLE } from './style.ts';

/** Pages have no scripts, and nothing from other sites. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
const IMAGE_TYPES: Readonly<Record<string, string>> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

/** A file that stays the same while the server runs. */
interface Constant {
  readonly type: string;
  readonly body: string | Buffer;
  readonly etag: string;
}

/** The parameters of the routes; the values have not been checked. */
interface RouteParameters {
  readonly Params: { readonly '*': string };
  readonly Querystring: { readonly q?: unknown };
}

/**
 * Serves the documentation of the package at `/docs`, without a token: it is the same for every home. Pages, images and
 * styles are found by their names in tables, so that no request names a file.
 */
export function addDocumentation(app: App, folder = DOCUMENTATION_FOLDER): void {
  app.register(
    async (scope: App) => {
      await setPageHeaders(scope, POLICY);
      const refuseOthers = refuseOtherMethods(scope);
      addRoutes(scope, folder);
      refuseOthers();
    },
    { prefix: PREFIX },
  );
}

function addRoutes(scope: App, folder: string): void {
  const pages = readPages(folder);
  const search = createSearch(pages);
  const find = createFiles(folder, pages);
  const options = { schema: { hide: true } };
  scope.get('', options, (request, reply) => sendConstant(request, reply, find(INDEX)));
  scope.get<RouteParameters>('/search', options, async ({ query: { q = '' } }, reply) => {
    const query = typeof q === 'string' ? q : '';
    const hits = typeof q === 'string' ? await search(query) : null;
    reply.code(hits === null ? 400 : 200).header('cache-control', 'no-cache');
    return reply.type(HTML).send(printResults(query, hits, pages));
  });
  scope.get<RouteParameters>('/*', options, (request, reply) => {
    const { '*': name } = request.params;
    const file = find(name);
    if (file !== undefined) return sendConstant(request, reply, file);
    if (request.accepts().type(['json', 'html']) !== 'html') throw toRouteNotFound(request);
    const near = suggest(name, listPageNames(pages));
    const page = pages.find((candidate) => candidate.name === near || candidate.name.endsWith(`/${near}`));
    return reply.code(404).header('cache-control', 'no-cache').type(HTML).send(printNotFound(page, pages));
  });
}

/** Finds pages, images and the style by their path; each is printed or read when it is first asked for. */
function createFiles(folder: string, pages: ReturnType<typeof readPages>) {
  const images = globSync('images/*', { cwd: folder }).map((file) => file.replaceAll(path.sep, '/'));
  const names = new Set(pages.map(({ name }) => name));
  const site = {
    prefix: PREFIX,
    hasPage: (name: string) => names.has(name),
    hasImage: (file: string) => images.includes(file),
  };
  const makers = new Map<string, () => Constant>([
    ['style.css', () => toConstant('text/css; charset=utf-8', STYLE)],
    ...images.flatMap((file): [string, () => Constant][] => {
      const type = IMAGE_TYPES[path.extname(file)];
      return type === undefined
        ? []
        : [[file, () => toConstant(type, readFileSync(path.join(folder, file)))]];
    }),
    ...pages.map((page): [string, () => Constant] => [
      page.name,
      () => toConstant(HTML, printPage(page, pages, site)),
    ]),
  ]);
  const made = new Map<string, Constant>();
  return (name: string): Constant | undefined => {
    const file = made.get(name) ?? makers.get(name)?.();
    if (file !== undefined) made.set(name, file);
    return file;
  };
}

function toConstant(type: string, body: string | Buffer): Constant {
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

/** Sends a file, or 304 if the client has it. Clients ask each time, because an upgrade changes the pages. */
function sendConstant(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Constant | undefined,
): FastifyReply {
  if (file === undefined) throw toRouteNotFound(request);
  reply.header('etag', file.etag).header('cache-control', 'no-cache');
  if (namesEntityTag(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  return reply.type(file.type).send(file.body);
}
