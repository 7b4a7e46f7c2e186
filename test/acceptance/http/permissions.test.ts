import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, expectErrorBody, expectRefusal, send } from '../../support/http.ts';
import { expectScimRefusal, SCIM } from '../../support/scim.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { createCast, ROLES, type Role, TEAM } from './cast.ts';
import { MATRIX } from './matrix.ts';

const shared = shareServer();
let cast: Readonly<Record<Role, Client>>;

beforeAll(async () => {
  cast = await createCast(shared);
});

describe('the matrix of routes and roles', () => {
  it('has a line for every route of the OpenAPI document', async () => {
    const { body } = await send(shared.server.url, 'GET', '/openapi.json');
    const { paths } = body as { paths: Record<string, Record<string, unknown>> };
    const routes = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/v1/'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
      );
    expect(MATRIX.map(({ route }) => route).toSorted()).toEqual(routes.toSorted());
  });

  it.each(MATRIX)('$route', async ({ route, prepare, ask, statuses }) => {
    const found: Partial<Record<Role, number>> = {};
    for (const [index, role] of ROLES.entries()) {
      const id = `${expect.getState().currentTestName!.replace(/\W+/g, '-').toLowerCase()}-${index}`;
      await prepare?.(shared.admin, id);
      const answer = await ask(cast[role], id);
      found[role] = answer.status;
      if (answer.status < 400) continue;
      if (route.includes(` ${SCIM}/`)) expectScimRefusal(answer, answer.status, null);
      else expectErrorBody(answer);
      expect(answer.headers.etag).toBeUndefined();
    }
    expect(found).toEqual(statuses);
  });

  it('applies to the other methods of reads', async () => {
    for (const role of ROLES) {
      const answer = await cast[role].send('HEAD', `/catalog/list/${encodeURIComponent(TEAM)}`);
      const { statuses } = MATRIX.find(({ route }) => route === 'GET /catalog/list/{path}')!;
      expect([role, answer.status, answer.text]).toEqual([role, statuses[role], '']);
    }
  });
});

describe('a user without rights learns nothing', () => {
  it('of existing items or their revisions', async () => {
    const { admin } = shared;
    await admin.make('assets', `${TEAM}/there`);
    const second = { description: 'the second revision' };
    const { etag } = (await admin.update('assets', `${TEAM}/there`, '*', second)).headers;
    const ask = async (name: string) => {
      const path = `${TEAM}/${name}`;
      const { outsider } = cast;
      const answers = await Promise.all([
        outsider.read(path),
        outsider.list(path),
        outsider.list(`${path}/x`),
        ...(['folders', 'assets'] as const).flatMap((kind) => [
          ...[undefined, '"1"', etag, '*', `W/${etag}`].flatMap((ifMatch) => [
            outsider.update(kind, path, ifMatch, { name: '/' }),
            outsider.update(kind, path, ifMatch, { description: 'x' }),
            outsider.remove(kind, path, ifMatch),
          ]),
          outsider.create(kind, { parent_path: path, name: 'x', content: '' }),
        ]),
      ]);
      return answers.map(({ status, text, headers }) => ({
        status,
        text: text.replaceAll(name, 'NAME').replaceAll(String(headers['x-request-id']), 'REQUEST'),
        headers: Object.keys(headers).toSorted(),
        etag: headers.etag,
      }));
    };
    expect(await ask('there')).toEqual(await ask('gone1'));
  });

  it('from moving an item to the name of another', async () => {
    const { outsider } = cast;
    await shared.admin.make('folders', '@Shared/open');
    await outsider.make('assets', '@Shared/open/probe');
    for (const name of ['there', 'nowhere']) {
      const answer = await outsider.update('assets', '@Shared/open/probe', '*', {
        parent_path: TEAM,
        name,
      });
      expectRefusal(answer, 404, `Path not found: ${TEAM}`);
    }
  });
});

describe('a revoked right has no effect at the next request', () => {
  const path = `${TEAM}/revoked`;
  let client: Client;
  let user: string;
  let count = 0;
  const run = (line: string) => runQuern(shared.server.cwd, line);

  beforeAll(async () => {
    await shared.admin.make('folders', path);
  });

  async function arrive(options: string): Promise<void> {
    user = `guest${++count}`;
    await run(`user create ${user}${options}`);
    client = createClient(shared.server.url, await createToken(shared.server.cwd, user));
  }

  it('a grant, and its level', async () => {
    await arrive('');
    expect((await client.read(path)).status).toBe(404);
    await run(`grant add user:${user} edit ${TEAM}`);
    expect((await client.update('folders', path, '*', { description: 'x' })).status).toBe(200);
    await run(`grant add user:${user} view ${TEAM}`);
    expectRefusal(await client.update('folders', path, '*', {}), 404, `Path not found: ${path}`);
    expect((await client.list(path)).status).toBe(200);
    await run(`grant rm user:${user} ${TEAM}`);
    expect([(await client.read(path)).status, (await client.list(path)).status]).toEqual([404, 403]);
  });

  it('a membership, and a group', async () => {
    await arrive('');
    await run('group create team');
    await run(`group add-member team ${user}`);
    await run(`grant add group:team edit ${TEAM}`);
    expect((await client.update('folders', path, '*', { description: 'x' })).status).toBe(200);
    await run(`group remove-member team ${user}`);
    expect((await client.read(path)).status).toBe(404);
    await run(`group add-member team ${user}`);
    expect((await client.read(path)).status).toBe(200);
    await run('group rm team --yes');
    expect((await client.read(path)).status).toBe(404);
  });

  it('a role', async () => {
    await arrive(' --role ADMIN');
    expect((await client.update('folders', path, '*', { description: 'x' })).status).toBe(200);
    await run(`user set ${user} --role EDITOR`);
    expect((await client.read(path)).status).toBe(404);
    expect((await client.send('GET', '/manage/users')).status).toBe(403);
    await client.make('folders', `@Shared/of ${user}`);
    await run(`user set ${user} --role VIEWER`);
    expect((await client.update('folders', `@Shared/of ${user}`, '*', {})).status).toBe(404);
  });

  it('a deleted user, also after a user of that name is created', async () => {
    await arrive('');
    expect((await client.list('')).status).toBe(200);
    await run(`user set ${user} --disabled`);
    expect((await client.list('')).status).toBe(401);
    await run(`user set ${user} --enabled`);
    expect((await client.list('')).status).toBe(200);
    await run(`user rm ${user} --yes`);
    expect((await client.list('')).status).toBe(401);
    await run(`user create ${user}`);
    expect((await client.list('')).status).toBe(401);
  });

  it('a restriction of a folder, and its removal', async () => {
    await arrive('');
    await shared.admin.make('folders', '@Shared/shutting');
    expect((await client.read('@Shared/shutting')).status).toBe(200);
    await run('grant restrict @Shared/shutting');
    expect((await client.read('@Shared/shutting')).status).toBe(404);
    await run('grant restrict @Shared/shutting --off');
    expect((await client.read('@Shared/shutting')).status).toBe(200);
  });
});
