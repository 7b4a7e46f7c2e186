import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { covers } from './rows.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

const connection = { name: 'duckdb' };
const NOT_USABLE = "You don't have permission to access this connection";
const NOT_FOR_YOU = "You don't have permission to perform the request";

const BODIES = {
  script: { path: '@Shared/team/one', connection },
  block: { package: '@Shared/team', block_name: 'One', connection },
  sql: { sql: 'SELECT 1', connection },
};
const WHATS = ['script', 'block', 'sql'] as const;

/** A restricted folder with a script; `viewer` may view it and, as every user, use the connection. */
async function createTeam(): Promise<ExecWorld & Readonly<Record<'viewer' | 'outsider' | 'reader', string>>> {
  const world = await createExecWorld();
  const [viewer, outsider, reader] = [
    await world.createUser('viewer'),
    await world.createUser('outsider'),
    await world.createUser('reader', 'VIEWER'),
  ];
  await world.put('@Shared/team/one', 'SELECT 1');
  await world.put('@Shared/team/block', '#+src sql One()\n#+begin SELECT 1 #+end');
  await world.ask('POST', '/api/v1/manage/grants/restrict', { body: { target: '@Shared/team' } });
  for (const name of ['viewer', 'reader']) await grant(world, `user:${name}`, 'VIEW', '@Shared/team');
  return { ...world, viewer, outsider, reader };
}

async function grant({ ask }: ExecWorld, subject: string, level: string, target: string): Promise<void> {
  const { status, text } = await ask('PUT', '/api/v1/manage/grants', { body: { subject, level, target } });
  if (status !== 200) throw new Error(text);
}

async function revokeUse({ ask }: ExecWorld): Promise<void> {
  const { status } = await ask('DELETE', '/api/v1/manage/grants?subject=everyone&target=connection:duckdb');
  expect(status).toBe(204);
}

describe('a user who runs a script', () => {
  it('needs only VIEW on the scripts and USE on the connection', async () => {
    const { exec, viewer, reader } = await createTeam();
    for (const what of WHATS) {
      for (const token of [undefined, viewer, reader]) {
        expect(rowsOf(await exec(what, BODIES[what], token === undefined ? {} : { token }))).toEqual([[1]]);
      }
    }
  });

  it(covers('hidden scripts'), async () => {
    const { exec, outsider: token } = await createTeam();
    expectRefusal(await exec('script', BODIES.script, { token }), 404, 'Path not found: @Shared/team/one');
    expectRefusal(await exec('block', BODIES.block, { token }), 404, 'Path not found: @Shared/team');
    const elsewhere = { name: 'nowhere' };
    const hidden = await exec('script', { ...BODIES.script, connection: elsewhere }, { token });
    expectRefusal(hidden, 404, 'Path not found: @Shared/team/one');
    const missing = await exec('script', { ...BODIES.script, path: '@Shared/team/two' }, { token });
    expectRefusal(missing, 404, 'Path not found: @Shared/team/two');
  });

  it(covers('no permission for a connection'), async () => {
    const world = await createTeam();
    const { exec, viewer: token } = world;
    await revokeUse(world);
    for (const what of WHATS) {
      expectRefusal(await exec(what, BODIES[what], { token }), 403, NOT_USABLE);
      expect((await exec(what, BODIES[what])).status).toBe(200);
    }
    const none = { ...BODIES.sql, connection: { name: 'nowhere' } };
    expectRefusal(await exec('sql', none, { token }), 404, 'Connection not found: nowhere');
    const unknown = { ...BODIES.sql, connection: { ...connection, overrides: { x: 'y' } } };
    expectRefusal(await exec('sql', unknown, { token }), 403, NOT_USABLE);
    await grant(world, 'user:viewer', 'USE', 'connection:duckdb');
    expect((await exec('sql', BODIES.sql, { token })).status).toBe(200);
  });

  it('runs scripts only with visible items: a hidden import counts as missing', async () => {
    const world = await createTeam();
    const { exec, put, viewer, outsider } = world;
    const uses = (path: string) => ({ path, connection });
    await put('@Shared/open/uses', '#+import "team"\nSELECT * FROM {{ team.One() }}');
    await put('@Shared/other/uses', '#+import "zzzz"\nSELECT * FROM {{ zzzz.One() }}');
    expect(rowsOf(await exec('script', uses('@Shared/open/uses'), { token: viewer }))).toEqual([[1]]);
    const detail = async (path: string) => {
      const { status, body } = await exec('script', uses(path), { token: outsider });
      expect(status).toBe(422);
      return (body as { detail: string }).detail.replaceAll(path, '…');
    };
    const hidden = await detail('@Shared/open/uses');
    expect(hidden.replaceAll('team', 'zzzz')).toBe(await detail('@Shared/other/uses'));
  });

  it('has a separate @Personal', async () => {
    const { put, exec, viewer, outsider } = await createTeam();
    await put('@Personal/mine', 'SELECT 7', viewer);
    const body = { path: '@Personal/mine', connection };
    expect(rowsOf(await exec('script', body, { token: viewer }))).toEqual([[7]]);
    expectRefusal(await exec('script', body, { token: outsider }), 404, 'Path not found: @Personal/mine');
    expectRefusal(await exec('script', body), 404, 'Path not found: @Personal/mine');
  });
});

describe('a token', () => {
  it(covers('no token'), async () => {
    const { exec } = await createTeam();
    for (const what of WHATS) {
      for (const token of [null, 'qrn_nonsense']) {
        const { status, headers } = await exec(what, '{"', { token });
        expect({ status, challenge: headers['www-authenticate'] }).toEqual({
          status: 401,
          challenge: 'Bearer',
        });
      }
    }
  });

  it(covers('read-only token'), async () => {
    const { exec, createUser, ask } = await createTeam();
    const token = await createUser('auditor', 'ADMIN', { scope: 'read' });
    for (const what of WHATS) {
      expectRefusal(await exec(what, BODIES[what], { token }), 403, NOT_FOR_YOU);
      expectRefusal(await exec(what, {}, { token }), 403, NOT_FOR_YOU);
    }
    expect((await ask('GET', '/api/v1/executions', { token })).status).toBe(200);
    expectRefusal(await ask('DELETE', '/api/v1/executions/x', { token }), 403, NOT_FOR_YOU);
  });

  it('of a disabled user runs nothing', async () => {
    const { exec, ask, viewer: token } = await createTeam();
    const { status } = await ask('PUT', '/api/v1/manage/users/viewer', { body: { active: false } });
    expect(status).toBe(200);
    expect((await exec('sql', BODIES.sql, { token })).status).toBe(401);
  });
});

describe('a server without a host for executions', () => {
  it('runs nothing, and has no routes for executions', async () => {
    const { createWorld } = await import('../world.ts');
    const { ask } = await createWorld();
    for (const what of WHATS) {
      const answer = await ask('POST', `/api/v1/exec/${what}`, { body: BODIES[what] });
      expectRefusal(answer, 404, `Route not found: POST /api/v1/exec/${what}`);
    }
    const { body } = await ask('GET', '/openapi.json');
    expect(Object.keys((body as { paths: object }).paths).filter((path) => path.includes('exec'))).toEqual(
      [],
    );
  });
});
