import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../support/http.ts';
import { makeHome, quern } from '../../support/quern.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';
import { BUSY, rowsOf, runSql, untilListed } from '../http/executing.ts';

interface Status {
  readonly version: string;
  readonly started_at: string | null;
  readonly health: readonly { readonly part: string; readonly state: string; readonly reasons: string[] }[];
  readonly sizes: Readonly<Record<string, number>>;
  readonly limits: readonly {
    readonly limit: string;
    readonly object: string | null;
    readonly used: number | null;
    readonly max: number | null;
  }[];
}

const limitOf = ({ limits }: Status, name: string) => limits.find(({ limit }) => limit === name);

describe('the state of a server', () => {
  const shared = shareServer();
  const read = async () => (await shared.admin.send('GET', '/manage/server')).body as Status;

  it('has its health, its sizes, and the use of its limits', async () => {
    const { admin, server } = shared;
    rowsOf(await runSql(admin, 'CREATE TABLE t AS SELECT range AS x FROM range(100000)'));
    writeFileSync(path.join(server.cwd, '.quern', 'publish', 'a.csv'), 'x'.repeat(1000));
    const running = runSql(admin, BUSY);
    await untilListed(admin, 1);
    const status = await read();
    expect(status.health).toEqual(
      ['catalog', 'engine', 'log', 'disk'].map((part) => ({
        part,
        state: expect.stringMatching(part === 'disk' ? /^(ok|warning)$/ : /^ok$/),
        reasons: expect.any(Array),
      })),
    );
    expect(status.started_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(status.sizes).toMatchObject({ published: 1000, uploaded: 0 });
    expect(status.sizes.catalog).toBeGreaterThan(100_000);
    expect(status.sizes.databases).toBeGreaterThan(1000);
    expect(status.sizes.disk).toBeGreaterThan(status.sizes.free!);
    expect(limitOf(status, 'running_executions')).toMatchObject({ used: 1, max: expect.any(Number) });
    expect(limitOf(status, 'queued_executions')).toMatchObject({ used: 0, max: 100 });
    expect(limitOf(status, 'connections')!.used).toBeGreaterThan(1);
    await eventually(async () =>
      expect(limitOf(await read(), 'database_bytes')).toMatchObject({
        object: 'duckdb',
        used: expect.any(Number),
        max: expect.any(Number),
      }),
    );
    const [busy] = await untilListed(admin, 1);
    await admin.send('DELETE', `/executions/${busy!.id}`);
    await running;
  });

  it('is the same by the command, which refuses other users', async () => {
    const { admin, server } = shared;
    const { version, started_at } = await read();
    expect(JSON.parse(await runQuern(server.cwd, 'admin server --json'))).toMatchObject({
      version,
      started_at,
    });
    expect(await runQuern(server.cwd, 'admin server')).toMatch(
      /^server +version +\S+\nserver +state +running since .*\nhealth +catalog +ok\nhealth +engine +ok\n[\s\S]*^limit +connections +\d+ of 1,000 \(server\.max_connections\)$/m,
    );
    await runQuern(server.cwd, 'user create eve');
    const client = createClient(server.url, await createToken(server.cwd, 'eve'));
    expect((await client.send('GET', '/manage/server')).status).toBe(403);
    const refused = await quern(['--as', 'eve', 'admin', 'server'], { cwd: server.cwd });
    expect(refused).toMatchObject({ exitCode: 4, stdout: '' });
    expect((await admin.send('POST', '/manage/server')).status).toBe(405);
  });
});

describe('the state of a home without a server', () => {
  it('says what is not known', async () => {
    const cwd = await makeHome();
    const status: Status = JSON.parse(await runQuern(cwd, 'admin server --json'));
    expect(status).toMatchObject({ started_at: null, sizes: { catalog: expect.any(Number) } });
    expect(status.health.filter(({ state }) => state === 'unknown')).toEqual(
      ['engine', 'log'].map((part) => ({ part, state: 'unknown', reasons: ['no server runs on this home'] })),
    );
    expect(status.limits.map(({ used }) => used)).toEqual([null, null, null, 0]);
    expect(await runQuern(cwd, 'admin server')).toMatch(/^server +state +no server runs on this home$/m);
    await runQuern(cwd, 'user create eve');
    expect(await quern(['--as', 'eve', 'admin', 'server'], { cwd })).toMatchObject({ exitCode: 4 });
  });

  it('refuses options of `admin backup` that its commands do not have', async () => {
    const cwd = await makeHome();
    expect(await quern(['admin', 'backup', 'ls', '--force'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: "error: unknown option '--force'\nSee `quern admin backup ls --help`\n",
    });
    expect(await quern(['admin', 'backup', 'ls', '--json'], { cwd })).toMatchObject({
      exitCode: 0,
      stdout: '{"data":[]}\n',
    });
    const own = await quern(['admin', 'backup', 'ls', '--help'], { cwd });
    expect(own).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('--with-key') });
    expect(own.stdout).toContain('--home <dir>');
    const help = await quern(['admin', 'backup', 'home.tar', '--help'], { cwd });
    expect(help).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Write a backup of the home'),
    });
  });
});
