import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type Answer, expectErrorBody, send } from '../../support/http.ts';
import { share } from '../../support/rotation.ts';
import { expectScimRefusal, SCIM } from '../../support/scim.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { attempts, listRoutes, type OpenApi, type Route } from './openapi.ts';

const shared = shareServer();
let routes: readonly Route[];
let editor: string;

beforeAll(async () => {
  const { server, admin } = shared;
  await admin.make('folders', '@Shared/box');
  await admin.make('assets', '@Shared/box/script');
  await runQuern(server.cwd, 'user create ada');
  await runQuern(server.cwd, 'user create editor');
  await runQuern(server.cwd, 'group create team');
  editor = await createToken(server.cwd, 'editor');
  const { body } = await send(server.url, 'GET', '/openapi.json');
  routes = listRoutes(body as OpenApi);
});

/** The answers that any route may give to an unusual request: no URL, another route, unexpected bodies. */
const ODD = [400, 404, 405, 413, 415];

/** The properties of every answer to any request. */
function check(answer: Answer, isScim: boolean): void {
  const { status, headers, body, text } = answer;
  expect(status).toBeLessThan(500);
  expect(headers['x-request-id']).toMatch(/./);
  if (status === 204) {
    expect(text).toBe('');
    return;
  }
  // A file, such as an export, has the type of its format.
  if (headers['content-disposition'] !== undefined) return;
  expect(headers['content-type']).toBe(`application/${isScim ? 'scim+' : ''}json; charset=utf-8`);
  if (status < 400) return;
  const { scimType = null } = body as { scimType?: string };
  if (isScim) expectScimRefusal(answer, status, scimType);
  else expectErrorBody(answer);
  expect(text).not.toMatch(/\bat .*\.js:\d+|node_modules|SQLITE|\.quern/);
}

it('any request gets a response, and never an internal error', async () => {
  expect(routes.length).toBeGreaterThan(8);
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(attempts(routes), fc.boolean(), async ({ route, target, headers, body }, isAdmin) => {
      const authorization = `Bearer ${isAdmin ? shared.token : editor}`;
      const answer = await send(shared.server.url, route.method, target, {
        headers: { ...headers, authorization },
        body,
      });
      check(answer, route.path.startsWith(`/api/v1${SCIM}/`));
      expect([...ODD, ...Object.keys(route.operation.responses).map(Number)]).toContain(answer.status);
      seen.add(`${route.method} ${route.path} ${Math.floor(answer.status / 100)}`);
    }),
    { numRuns: share(3_000) },
  );
  // Some of the requests are valid, on several routes; on how many is a matter of chance.
  expect([...seen].filter((each) => each.endsWith(' 2')).length).toBeGreaterThan(10);
  expect((await shared.admin.list('')).status).toBe(200);
});
