import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld, type World } from '../world.ts';

const CONNECTIONS = '/api/v1/manage/connections';
const postgresql = {
  kind: 'postgresql',
  options: { host: 'db.example.org', user: 'quern' },
  secrets: { password: 'correct horse' },
};

const grant = ({ ask }: World, level: string) =>
  ask('PUT', '/api/v1/manage/grants', { body: { subject: 'user:ed', level, target: 'connection:pg' } });

describe('connections', () => {
  it('are created, read, replaced and deleted; their secrets never appear', async () => {
    const { ask } = await createWorld();
    const made = await ask('POST', CONNECTIONS, { body: { name: 'my pg', ...postgresql } });
    expect(made).toMatchObject({
      status: 201,
      headers: { location: `${CONNECTIONS}/my%20pg` },
      body: { name: 'my pg', options: postgresql.options, secrets: ['password'], revision: 1 },
    });
    const url = made.headers.location!;
    expect((await ask('GET', url)).body).toEqual(made.body);
    expect((await ask('GET', CONNECTIONS)).body).toMatchObject({
      data: [{ name: 'duckdb' }, { name: 'my pg' }],
    });
    expect((await ask('GET', CONNECTIONS)).text).not.toContain('correct horse');

    const body = { ...postgresql, name: 'ignored', secrets: null, description: 'ours', timeout_ms: 5000 };
    const replaced = await ask('PUT', url, { body });
    expect(replaced).toMatchObject({
      status: 200,
      body: { name: 'my pg', secrets: [], description: 'ours', timeout_ms: 5000, revision: 2 },
    });
    expect(replaced.headers.location).toBeUndefined();
    expect((await ask('DELETE', url, { headers: { 'content-type': 'application/json' } })).status).toBe(204);
    expectRefusal(await ask('GET', url), 404, 'Connection not found: my pg');
    const again = await ask('PUT', url, { body });
    expect([again.status, again.headers.location]).toEqual([201, url]);
  });

  it('have kinds, under a name that no connection can have', async () => {
    const { ask } = await createWorld();
    const { body } = await ask('GET', '/api/v1/manage/connection-kinds');
    const { data } = body as { data: { kind: string; options: { name: string; secret: boolean }[] }[] };
    expect(data.map(({ kind }) => kind)).toEqual(['duckdb', 'postgresql', 'mysql', 'trino', 'semantic']);
    expect(data[1]!.options.find(({ name }) => name === 'password')?.secret).toBe(true);
    await ask('POST', CONNECTIONS, { body: { name: 'connection-kinds', ...postgresql } });
    expect((await ask('GET', `${CONNECTIONS}/connection-kinds`)).body).toMatchObject({ kind: 'postgresql' });
  });

  it('have no relative paths', async () => {
    const { ask } = await createWorld();
    const file = (path: string) => ({ name: 'f', kind: 'duckdb', options: { file: path } });
    expectRefusal(
      await ask('POST', CONNECTIONS, { body: file('shop.duckdb') }),
      400,
      'Option file must be an absolute path',
    );
    expect((await ask('POST', CONNECTIONS, { body: file('/data/shop.duckdb') })).status).toBe(201);
  });

  it('are created only by administrators, and open only allowed files for other users', async () => {
    const world = await createWorld();
    const { ask, createUser } = world;
    const token = await createUser('ed');
    const refused = await ask('POST', CONNECTIONS, { token, body: { name: 'mine', ...postgresql } });
    expectRefusal(refused, 403, "You don't have permission to perform the request");
    await ask('POST', CONNECTIONS, { body: { name: 'pg', ...postgresql } });
    const noAccess = "You don't have permission to access this connection";
    expectRefusal(await ask('GET', `${CONNECTIONS}/pg`, { token }), 403, noAccess);
    await grant(world, 'USE');
    expect((await ask('GET', `${CONNECTIONS}/pg`, { token })).status).toBe(200);
    expectRefusal(await ask('PUT', `${CONNECTIONS}/pg`, { token, body: postgresql }), 403, noAccess);
    await grant(world, 'MANAGE');
    expect((await ask('PUT', `${CONNECTIONS}/pg`, { token, body: postgresql })).status).toBe(200);
    for (const [kind, options] of [
      ['duckdb', { file: '/etc/passwd' }],
      ['postgresql', { ...postgresql.options, sslmode: 'verify-full', sslrootcert: '/etc/passwd' }],
    ] as const) {
      const answer = await ask('PUT', `${CONNECTIONS}/pg`, { token, body: { kind, options } });
      expectRefusal(answer, 403, 'Only administrators may name files of the server');
    }
    expect((await ask('DELETE', `${CONNECTIONS}/pg`, { token })).status).toBe(204);
  });

  it('show the paths of files only to administrators', async () => {
    const { ask, createUser, home } = await createWorld();
    const token = await createUser('ed');
    const { text } = await ask('GET', CONNECTIONS, { token });
    expect(JSON.parse(text)).toMatchObject({ data: [{ name: 'duckdb', options: {} }] });
    expect(text).not.toContain(home);
    expect((await ask('GET', `${CONNECTIONS}/duckdb`)).text).toContain(home);
  });

  it.each([
    ['POST', '', {}, 400, 'Connection name is required'],
    ['POST', '', [], 400, 'Body must be a JSON object'],
    ['POST', '', { name: 'a/b', ...postgresql }, 400, "Connection name cannot contain '/' character"],
    ['POST', '', { name: 'duckdb', ...postgresql }, 409, 'Connection already exists: duckdb'],
    [
      'PUT',
      '/duckdb',
      postgresql,
      422,
      'Connection duckdb is part of every home: it can be neither removed nor replaced',
    ],
    [
      'DELETE',
      '/duckdb',
      undefined,
      422,
      'Connection duckdb is part of every home: it can be neither removed nor replaced',
    ],
    ['DELETE', '/nothing', undefined, 404, 'Connection not found: nothing'],
  ])('refuse %s %s %j', async (method, path, body, status, detail) => {
    const { ask } = await createWorld();
    expectRefusal(await ask(method, `${CONNECTIONS}${path}`, { body }), status, detail);
  });
});
