import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../../src/workspace/instance/open-workspace.ts';
import { expectRefusal } from '../../support/http.ts';
import { eventually } from '../../support/waiting.ts';
import { covers } from './rows.ts';
import { WITHDRAWALS } from './withdrawals.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

/** Few rows and much work. */
const BUSY = 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3';

interface Listed {
  readonly id: string;
  readonly user: string;
  readonly state: string;
}

async function list({ ask }: ExecWorld, token?: string): Promise<readonly Listed[]> {
  const { status, body } = await ask('GET', '/api/v1/executions', token === undefined ? {} : { token });
  expect(status).toBe(200);
  return (body as { data: readonly Listed[] }).data;
}

async function untilListed(world: ExecWorld, count: number): Promise<readonly Listed[]> {
  return eventually(async () => {
    const found = await list(world);
    expect(found).toHaveLength(count);
    return found;
  });
}

describe('the executions', () => {
  it('are listed while they run, with user, name and connection', async () => {
    const world = await createExecWorld();
    await world.put('@Shared/busy', BUSY);
    const running = world.script('@Shared/busy');
    const [found] = await untilListed(world, 1);
    const time = expect.stringMatching(/^\d{4}-.*\.\d{9}Z$/);
    const expected = {
      id: expect.stringMatching(/./),
      user: 'admin',
      connection: 'duckdb',
      name: '@Shared/busy',
      state: 'running',
      is_queued_by_database: false,
      requested_at: time,
      started_at: time,
      ended_at: null,
      kept_until: null,
      rows: null,
      bytes: 0,
      tests: null,
      progress: null,
      error: null,
      result: null,
      results: null,
    };
    expect(found).toEqual(expected);
    const one = await world.ask('GET', `/api/v1/executions/${found!.id}`);
    expect(one.body).toEqual(expected);
    expect((await world.ask('DELETE', `/api/v1/executions/${found!.id}`)).status).toBe(204);
    expectRefusal(await running, 409, 'the execution was cancelled');
    expect(await untilListed(world, 0)).toEqual([]);
    const missing = await world.ask('GET', `/api/v1/executions/${found!.id}`);
    expectRefusal(missing, 404, `Execution not found: ${found!.id}`);
  });

  it('are visible to their owners and administrators, and only these can cancel them', async () => {
    const world = await createExecWorld();
    const [ada, eve] = [await world.createUser('ada'), await world.createUser('eve')];
    const running = world.sql(BUSY, {}, { token: ada });
    const [found] = await untilListed(world, 1);
    expect((await list(world, ada)).map(({ user }) => user)).toEqual(['ada']);
    expect(await list(world, eve)).toEqual([]);
    const refused = await world.ask('DELETE', `/api/v1/executions/${found!.id}`, { token: eve });
    expectRefusal(refused, 404, `Execution not found: ${found!.id}`);
    expect((await world.ask('DELETE', `/api/v1/executions/${found!.id}`, { token: ada })).status).toBe(204);
    expect((await running).status).toBe(409);
  });

  it(covers('queue'), async () => {
    const world = await createExecWorld({ limits: { running: 1, queued: 1 } });
    const first = world.sql(BUSY);
    await untilListed(world, 1);
    const second = world.sql('SELECT 2');
    await untilListed(world, 2);
    const refused = await world.sql('SELECT 3');
    expectRefusal(refused, 429, expect.stringContaining('waiting'));
    expect(refused.headers['retry-after']).toBe('5');
    // The error of an invalid request comes first.
    expect((await world.script('@Shared/nothing')).status).toBe(404);
    const [one, two] = await list(world);
    expect([one!.state, two!.state]).toEqual(['running', 'queued']);
    await world.ask('DELETE', `/api/v1/executions/${one!.id}`);
    expect((await first).status).toBe(409);
    expect(rowsOf(await second)).toEqual([[2]]);
  });

  it("of one user wait at the user's limit, and those of other users continue", async () => {
    const world = await createExecWorld({ limits: { perOwner: 1 } });
    const token = await world.createUser('ada');
    const first = world.sql(BUSY);
    const [found] = await untilListed(world, 1);
    const second = world.sql('SELECT 2');
    const [, waiting] = await untilListed(world, 2);
    expect(waiting!.state).toBe('queued');
    expect(rowsOf(await world.sql('SELECT 1', {}, { token }))).toEqual([[1]]);
    await world.ask('DELETE', `/api/v1/executions/${found!.id}`);
    expect((await first).status).toBe(409);
    expect(rowsOf(await second)).toEqual([[2]]);
  });

  it('end at the deadline of the server', async () => {
    const { sql } = await createExecWorld({ timeoutMs: 4_000 });
    expect(rowsOf(await sql('SELECT 1'))).toEqual([[1]]);
    expect((await sql(BUSY)).status).toBe(504);
    expect(rowsOf(await sql('SELECT 1'))).toEqual([[1]]);
  });
});

describe('an execution', () => {
  it.each(WITHDRAWALS)('ends when %s, and others continue', async (_, change) => {
    const world = await createExecWorld();
    const token = await world.createUser('ada');
    const [own, other] = [world.sql(BUSY, {}, { token }), world.sql(BUSY)];
    await untilListed(world, 2);
    expect((await change(world)).status).toBeLessThan(300);
    expectRefusal(await own, 409, 'the execution was cancelled');
    const [left] = await untilListed(world, 1);
    expect(left!.user).toBe('admin');
    await world.ask('DELETE', `/api/v1/executions/${left!.id}`);
    expect((await other).status).toBe(409);
  });

  it('ends when the command line revokes the right to it', async () => {
    const world = await createExecWorld();
    const token = await world.createUser('ada');
    const running = world.sql(BUSY, {}, { token });
    await untilListed(world, 1);
    const workspace = openWorkspace({ home: world.home });
    workspace.accounts.tokens.delete(workspace.principal, 'tests', 'ada');
    await workspace.close();
    expectRefusal(await running, 409, 'the execution was cancelled');
  });

  it('that was requested in a session ends with the session', async () => {
    const world = await createExecWorld();
    const password = 'correct horse';
    const { instance } = world;
    await world.ask('PUT', '/api/v1/manage/users/admin', { body: { password } });
    const visitor = { address: '127.0.0.1', requestId: 'r' };
    const { session } = await instance.accounts.signIn.signIn({ login: 'admin', password }, visitor);
    const { principal, sessionId } = instance.accounts.sessions.verify(session.cookieValue, visitor)!;
    const request = {
      target: { kind: 'sql', source: { name: 'sql', text: BUSY } },
      params: {},
      connection: 'duckdb',
      overrides: {},
      format: 'json',
    } as const;
    const open = () => ({ write: () => undefined });
    const [own, other] = [
      instance.executions!.run(principal, request, open, new AbortController().signal),
      world.sql(BUSY),
    ];
    await untilListed(world, 2);
    instance.accounts.signIn.signOut(principal, sessionId);
    expect(await own).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    const [left] = await untilListed(world, 1);
    await world.ask('DELETE', `/api/v1/executions/${left!.id}`);
    expect((await other).status).toBe(409);
  });
});

describe.skipIf(process.platform !== 'linux')('the engine process', () => {
  it('can be killed: its executions report that they are lost, stored data remain, and the next execution runs', async () => {
    const world = await createExecWorld();
    expect((await world.sql('CREATE TABLE kept AS SELECT 7 AS x')).status).toBe(200);
    const lost = world.sql(BUSY);
    await untilListed(world, 1);
    await eventually(() => kill());
    const answer = await lost;
    expectRefusal(answer, 503, expect.stringContaining('again'));
    expect(answer.headers['retry-after']).toBe('1');
    expect(rowsOf(await world.sql('SELECT x FROM kept'))).toEqual([[7]]);
  });
});

describe.skipIf(process.platform !== 'linux')(
  'a user whose executions crash the engine process repeatedly',
  () => {
    it('waits for a minute, gets an error and log entries about it, and others continue', async () => {
      const lines: string[] = [];
      const world = await createExecWorld({ log: (line) => lines.push(line) });
      const eve = await world.createUser('eve');
      await world.ask('PUT', '/api/v1/manage/grants', {
        body: { subject: 'everyone', target: 'connection:duckdb', level: 'USE' },
      });
      for (let i = 0; i < 3; i++) {
        // The engine process has started.
        await world.sql('SELECT 1');
        const lost = world.sql(BUSY, {}, { token: eve });
        await untilListed(world, 1);
        await eventually(() => kill());
        expectRefusal(await lost, 503, expect.stringContaining('again'));
      }
      const refused = await world.sql('SELECT 1', {}, { token: eve });
      const seconds = refused.headers['retry-after'];
      const message = `your executions have repeatedly ended the engine; try again in ${seconds} s`;
      expectRefusal(refused, 429, message);
      expect(refused.body).toMatchObject({ code: 'executions_paused' });
      expect(rowsOf(await world.sql('SELECT 2'))).toEqual([[2]]);
      expect(lines).toContain(
        'executions of eve wait for 60 s: they have crashed the engine process repeatedly',
      );
      const audit = await world.ask('GET', '/api/v1/manage/audit?action=execution.pause');
      expect(audit.body).toMatchObject({ data: [{ actor: null, object: 'eve' }] });
    });
  },
);

describe.skipIf(process.platform !== 'linux')(
  'a user whose executions crash it while others have executions',
  () => {
    it('is found, and only this user waits', async () => {
      const world = await createExecWorld();
      const eve = await world.createUser('eve');
      await world.ask('PUT', '/api/v1/manage/grants', {
        body: { subject: 'everyone', target: 'connection:duckdb', level: 'USE' },
      });
      const crash = async () => {
        await world.sql('SELECT 1');
        const lost = [world.sql(BUSY), world.sql(BUSY, {}, { token: eve })];
        await untilListed(world, 2);
        await eventually(() => kill());
        for (const answer of await Promise.all(lost)) {
          expectRefusal(answer, 503, expect.stringContaining('again'));
        }
      };
      for (let count = 0; count < 3; count += 1) await crash();
      const refused = await world.sql('SELECT 1', {}, { token: eve });
      expect([refused.status, refused.body]).toMatchObject([429, { code: 'executions_paused' }]);
      expect(rowsOf(await world.sql('SELECT 2'))).toEqual([[2]]);
    });
  },
);

/** Kills the engine process, a child of this process. */
function kill(): void {
  const own = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return (
        Number(parent) === process.pid &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('engine-process')
      );
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
  expect(own).toHaveLength(1);
  process.kill(Number(own[0]), 'SIGKILL');
}
