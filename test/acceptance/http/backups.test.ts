import { chmodSync, copyFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, type Client, createClient, expectRefusal } from '../../support/http.ts';
import { makeFolder, quern } from '../../support/quern.ts';
import {
  createToken,
  makeAdminHome,
  runQuern,
  type Shared,
  serve,
  shareServer,
  withAdmin,
} from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';
import { setPassword, signIn } from '../console/console.ts';
import { BUSY, rowsOf, runSql, untilListed } from './executing.ts';

const NAME = /^quern-backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.tar$/;
const NO_BACKUP = 'quern-backup-2026-03-01T12-00-00-000Z.tar';

interface Listed {
  readonly name: string;
  readonly state: string;
  readonly bytes: number;
  readonly error: string | null;
}

async function list(client: Client): Promise<readonly Listed[]> {
  const { status, body, text } = await client.send('GET', '/manage/backups');
  expect(status, text).toBe(200);
  return (body as { data: readonly Listed[] }).data;
}

/** Starts a backup, and waits for its end. */
async function backUp(client: Client): Promise<Listed> {
  const answer = await client.send('POST', '/manage/backups');
  expect(answer.status, answer.text).toBe(202);
  return untilEnded(client, (answer.body as Listed).name);
}

function untilEnded(client: Client, name: string): Promise<Listed> {
  return eventually(async () => {
    const backup = (await list(client)).find((each) => each.name === name)!;
    expect(backup).not.toMatchObject({ state: 'running' });
    return backup;
  });
}

async function download({ server, token }: Shared, name: string, folder: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/v1/manage/backups/${name}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  expect(answer.headers.get('content-type')).toBe('application/x-tar');
  const file = path.join(folder, name);
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  return file;
}

async function listAudit(client: Client): Promise<readonly unknown[]> {
  const { body } = await client.send('GET', '/manage/audit?q=backup.&limit=10');
  return (body as { data: readonly { action: string; object: string }[] }).data.map(
    ({ action, object }) => `${action} ${object}`,
  );
}

/** A server on a new home with these settings. */
async function startWith(...lines: readonly string[]): Promise<Shared> {
  const { cwd } = await makeAdminHome();
  writeFileSync(path.join(cwd, '.quern', 'config.toml'), [...lines, ''].join('\n'));
  // The copied home has the modes of the copy.
  rmSync(path.join(cwd, '.quern', 'backups'), { recursive: true, force: true });
  const server = await serve(cwd);
  onTestFinished(() => server.kill());
  return withAdmin(server);
}

const filesOf = ({ server }: Shared) => readdirSync(path.join(server.cwd, '.quern', 'backups'));

describe('a backup over HTTP', () => {
  const shared = shareServer();
  let backup: Listed;

  beforeAll(async () => {
    const { admin, server } = shared;
    await admin.make('assets', '@Shared/kept', { content: 'SELECT x FROM t' });
    rowsOf(await runSql(admin, 'CREATE TABLE t AS SELECT 42 AS x'));
    const secret = 'connection create dwh --kind postgresql --set host=h --set user=u --set database=d';
    await runQuern(server.cwd, [...secret.split(' '), '--secret', 'password'], 'hunter2\n');
    backup = await backUp(admin);
  });

  it('restores elsewhere with its data, and says which key its secrets need', async () => {
    const { server } = shared;
    expect(backup).toMatchObject({ name: expect.stringMatching(NAME), state: 'done', error: null });
    const cwd = makeFolder();
    const file = await download(shared, backup.name, cwd);
    expect(statSync(file).size).toBe(backup.bytes);
    const restored = await quern(['--home', 'new', 'admin', 'restore', file], { cwd });
    expect(restored).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('its secrets cannot be read yet: copy their secret.key to'),
    });
    const run = (...args: string[]) => quern(['--home', 'new', ...args], { cwd });
    expect(await run('exec', '@Shared/kept')).toMatchObject({ exitCode: 0, stdout: 'x\n42\n' });
    expect(await run('admin', 'check')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^problem +secrets .*secret\.key is missing/m),
    });
    const key = path.join(server.cwd, '.quern', 'secret.key');
    await quern(['--home', 'keyed', 'admin', 'restore', file], { cwd });
    copyFileSync(key, path.join(cwd, 'keyed', 'secret.key'));
    chmodSync(path.join(cwd, 'keyed', 'secret.key'), 0o600);
    expect(await quern(['--home', 'keyed', 'admin', 'check'], { cwd })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^ok +secrets +1, which the master key opens$/m),
    });
  });

  it('is one private file, and is in no other backup', async () => {
    const folder = path.join(shared.server.cwd, '.quern', 'backups');
    expect(statSync(path.join(folder, backup.name)).mode & 0o777).toBe(0o600);
    const { stdout } = await quern(['admin', 'check'], { cwd: shared.server.cwd });
    expect(stdout).toMatch(/^ok +backups +1 backups, [\d.]+ [KM]B$/m);
    const { bytes } = await backUp(shared.admin);
    expect(bytes).toBeLessThan(backup.bytes * 1.5);
  });

  it.each([
    NO_BACKUP,
    'catalog.db',
    '..%2Fcatalog.db',
    '%2e%2e%2fsecret.key',
    `..%2fbackups%2f${NO_BACKUP}`,
    `${NO_BACKUP}%00`,
    'a%22%0d%0aX-Injected:%201',
    '.',
  ])('is not found under the name %s', async (name) => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await shared.admin.send(method, `/manage/backups/${name}`);
      expect(answer.status).toBe(404);
      expect(answer.headers).not.toHaveProperty('x-injected');
    }
  });

  it('is downloaded and deleted only with the scope all, and listed with any', async () => {
    const { server, admin } = shared;
    for (const flag of ['--read-only', '--scope=write']) {
      const client = createClient(server.url, await createToken(server.cwd, 'admin', ...flag.split('=')));
      expect((await client.send('GET', '/manage/backups')).status).toBe(200);
      for (const method of ['GET', 'HEAD', 'DELETE']) {
        expect((await client.send(method, `/manage/backups/${backup.name}`)).status).toBe(403);
      }
      expect((await client.send('POST', '/manage/backups')).status).toBe(403);
    }
    const head = await admin.send('HEAD', `/manage/backups/${backup.name}`);
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': String(backup.bytes) } });
    expect(await listAudit(admin)).not.toContain(`backup.download ${backup.name}: incomplete`);
  });

  it('is audited when it begins and ends, and so are its downloads with their bytes', async () => {
    const { admin, server, token } = shared;
    const { name, bytes } = await backUp(admin);
    await download(shared, name, makeFolder());
    await eventually(async () =>
      expect((await listAudit(admin)).slice(0, 4)).toEqual([
        `backup.download ${name}: complete, ${bytes} bytes`,
        `backup.download ${name}: started`,
        `backup.create ${name}: done`,
        `backup.create ${name}: started`,
      ]),
    );
    const headers = { authorization: `Bearer ${token}` };
    const leaving = get(`${server.url}/api/v1/manage/backups/${name}`, { headers, agent: false });
    leaving.on('error', () => undefined);
    leaving.on('response', (response) => response.destroy());
    await eventually(async () =>
      expect((await listAudit(admin))[0]).toMatch(/^backup\.download .*: (in)?complete, \d+/),
    );
    expect((await admin.send('DELETE', `/manage/backups/${name}`)).status).toBe(204);
    expect(await listAudit(admin)).toContain(`backup.delete ${name}`);
    expect((await admin.send('GET', `/manage/backups/${name}`)).status).toBe(404);
  });

  it('is listed and deleted by commands', async () => {
    const { admin, server } = shared;
    const { name, bytes } = await backUp(admin);
    const listed = await runQuern(server.cwd, 'admin backup ls');
    expect(listed).toMatch(new RegExp(`^${name}  done  ${bytes}  `, 'm'));
    expect(JSON.parse(await runQuern(server.cwd, 'admin backup ls --json'))).toEqual({
      data: await list(admin),
    });
    expect(await quern(['admin', 'backup', 'rm', name], { cwd: server.cwd })).toMatchObject({
      exitCode: 0,
      stderr: `deleted the backup ${name}\n`,
    });
    expect((await list(admin)).map((each) => each.name)).not.toContain(name);
    const unknown = await quern(['admin', 'backup', 'rm', '../catalog.db'], { cwd: server.cwd });
    expect(unknown).toMatchObject({ exitCode: 1, stderr: 'error: Backup not found: ../catalog.db\n' });
    await runQuern(server.cwd, 'user create eve');
    const refused = await quern(['--as', 'eve', 'admin', 'backup', 'ls'], { cwd: server.cwd });
    expect(refused).toMatchObject({ exitCode: 4, stdout: '' });
  });
});

describe('a download in the console', () => {
  const shared = shareServer();

  it('needs a sign-in of the last 10 minutes, with a password or single sign-on', async () => {
    const { server, admin } = shared;
    await setPassword(server.cwd, 'admin');
    const { name, bytes } = await backUp(admin);
    const visit = await signIn(server.url);
    const target = `manage/backups/${name}`;
    expect((await visit.send('GET', target)).status).toBe(200);
    const change = (text: string) => {
      const catalog = new Sqlite(path.join(server.cwd, '.quern', 'catalog.db'));
      catalog.prepare(`UPDATE sessions SET ${text}`).run();
      catalog.close();
    };
    const signedIn = Date.now();
    const createdAt = (minutes: number) => new Date(signedIn - minutes * 60_000).toISOString();
    change(`created_at = '${createdAt(9)}'`);
    expect((await visit.send('GET', target)).status).toBe(200);
    change(`method = 'sso'`);
    expect((await visit.send('HEAD', target)).headers['content-length']).toBe(String(bytes));
    change(`method = 'ui'`);
    const refused = await visit.send('GET', target);
    expect(refused).toMatchObject({ status: 403, body: { code: 'recent_sign_in_required' } });
    change(`method = 'password', created_at = '${createdAt(11)}'`);
    expect((await visit.send('GET', target)).body).toMatchObject({ code: 'recent_sign_in_required' });
    expect((await visit.send('HEAD', target)).status).toBe(403);
    expect((await visit.send('GET', 'manage/backups')).status).toBe(200);
    const again = await signIn(server.url);
    expect((await again.send('GET', target)).status).toBe(200);
  });
});

describe('only so many backups', () => {
  it('are kept, and the refusal names the oldest', async () => {
    const shared = await startWith('[admin]', 'backups_kept = 2');
    const { admin } = shared;
    const oldest = await backUp(admin);
    await backUp(admin);
    const detail = `There are 2 backups, and \`admin.backups_kept\` allows only 2: delete the oldest, ${oldest.name}`;
    expectRefusal(await admin.send('POST', '/manage/backups'), 409, detail);
    expect(filesOf(shared)).toHaveLength(2);
    expect(statSync(path.join(shared.server.cwd, '.quern', 'backups')).mode & 0o777).toBe(0o700);
    await admin.send('DELETE', `/manage/backups/${oldest.name}`);
    expect(await backUp(admin)).toMatchObject({ state: 'done' });
  });
});

describe('a backup while an execution runs', () => {
  /** A server with a database, an execution that does not end, and a backup that waits for it. */
  async function startWaiting(): Promise<
    Shared & { readonly name: string; readonly running: Promise<Answer> }
  > {
    const shared = await startWith('[server]', 'stop_grace = 1');
    const { admin } = shared;
    rowsOf(await runSql(admin, 'CREATE TABLE t AS SELECT 1 AS x'));
    const running = runSql(admin, BUSY);
    await untilListed(admin, 1);
    const answer = await admin.send('POST', '/manage/backups');
    expect(answer).toMatchObject({ status: 202, body: { state: 'running', error: null } });
    const { name } = answer.body as Listed;
    return { ...shared, name, running };
  }

  it('waits for it; others wait, another backup is refused, and deleting it stops it', async () => {
    const shared = await startWaiting();
    const { admin, name, running } = shared;
    const detail = `The backup ${name} is being written: wait until it has ended, or delete it`;
    expectRefusal(await admin.send('POST', '/manage/backups'), 409, detail);
    expectRefusal(await admin.send('GET', `/manage/backups/${name}`), 409, detail);
    await eventually(async () =>
      expect(await list(admin)).toMatchObject([{ name, bytes: expect.any(Number) }]),
    );
    expect((await admin.send('DELETE', `/manage/backups/${name}`)).status).toBe(204);
    expect(await list(admin)).toEqual([]);
    expect(filesOf(shared)).toEqual([]);
    // The execution was not ended.
    const [busy] = await untilListed(admin, 1);
    await admin.send('DELETE', `/executions/${busy!.id}`);
    await running;
    expect(await backUp(admin)).toMatchObject({ state: 'done' });
  });

  it('is not listed after the server was killed or stopped, and its file is removed', async () => {
    const shared = await startWaiting();
    const { server, running } = shared;
    running.catch(() => undefined);
    await eventually(() => expect(filesOf(shared)).toHaveLength(1));
    await server.kill();
    // What a machine leaves that loses its power.
    const left = path.join(server.cwd, '.quern', 'backups', `.quern-01234567-1-${'0'.repeat(36)}.served`);
    writeFileSync(left, 'half');
    const again = await serve(server.cwd);
    onTestFinished(() => again.kill());
    const { admin } = withAdmin(again);
    expect(await list(admin)).toEqual([]);
    await eventually(() => expect(filesOf(shared)).toEqual([]));
    const busy = runSql(admin, BUSY).catch(() => undefined);
    await untilListed(admin, 1);
    expect((await admin.send('POST', '/manage/backups')).status).toBe(202);
    await eventually(() => expect(filesOf(shared)).toHaveLength(1));
    expect(await again.stop()).toBe(0);
    await busy;
    expect(filesOf(shared)).toEqual([]);
    expect(readdirSync(path.join(server.cwd, '.quern', 'tmp'))).toEqual([]);
  });
});
