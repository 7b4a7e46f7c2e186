import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, createClient } from '../../support/http.ts';
import {
  createToken,
  makeAdminHome,
  runQuern,
  type Shared,
  serve,
  startServer,
  withAdmin,
} from '../../support/server.ts';
import { waitUntil } from '../../support/waiting.ts';
import { connection, runScript } from './executing.ts';

const strace = '/usr/bin/strace';
const hasStrace = process.platform === 'linux' && existsSync(strace);
const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

/** A script that publishes the rows of a query as a file. */
const publishing = (file: string, query: string) => `
#+import "std/publication"
#+src sql T() #+meta { :publication { :type "csv", :path "${file}", :options { :overwrite true } } }
#+begin ${query} #+end
{{ publication.Run(blocks=[T]) }};`;

const DONE = { status: 200 };
const refusedBy = (by: string) => ({
  status: 422,
  body: { code: 'script_error', message: expect.stringContaining(`cannot be replaced, because ${by} has`) },
});

/** Creates an editor with USE. */
async function createEditor(cwd: string, name: string): Promise<void> {
  await runQuern(cwd, `user create ${name} --role editor`);
  await runQuern(cwd, `grant add user:${name} use connection:duckdb`);
}

/** Two editors of a served home. */
async function withEditors({ server }: Pick<Shared, 'server'>): Promise<readonly [Client, Client]> {
  const { cwd, url } = server;
  const signIn = async (name: string) => createClient(url, await createToken(cwd, name));
  return [await signIn('ada'), await signIn('bob')];
}

async function startWithEditors() {
  const shared = await startServer();
  const { cwd } = shared.server;
  for (const name of ['ada', 'bob']) await createEditor(cwd, name);
  const [ada, bob] = await withEditors(shared);
  const folder = path.join(cwd, '.quern/publish');
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8').trim();
  return { ...shared, ada, bob, cwd, folder, read };
}

/** Stores a script in the `@Personal` of a user, and runs it. */
async function publish(client: Client, file: string, query: string) {
  const name = `${path.basename(file)}-${query.replaceAll(/\W/g, '')}`;
  await client.make('assets', `@Personal/${name}`, { content: publishing(file, query) });
  return runScript(client, `@Personal/${name}`);
}

describe('a published file over HTTP', () => {
  it('is replaced by each run of its script, and by no bundle or script of another user', async () => {
    const { admin, ada, bob, read, cwd } = await startWithEditors();
    await admin.make('folders', '@Shared/reports');
    await admin.make('assets', '@Shared/reports/daily', { content: publishing('out.csv', 'SELECT $n') });
    await runQuern(cwd, 'grant restrict @Shared/reports');
    await runQuern(cwd, 'grant add everyone view @Shared/reports');
    for (const [client, n] of [
      [ada, 1],
      [bob, 2],
      [ada, 3],
    ] as const) {
      expect(await runScript(client, '@Shared/reports/daily', { params: { n } })).toMatchObject(DONE);
      expect(read('out.csv')).toBe(String(n));
    }
    expect(await publish(bob, 'out.csv', 'SELECT 4')).toMatchObject(refusedBy('`@Shared/reports/daily`'));
    const files = [{ path: 'daily', content: publishing('out.csv', 'SELECT 5') }];
    const bundle = { what: 'run', path: 'daily', files, base: '@Shared/reports', connection };
    const sent = await bob.send('POST', '/exec/bundle', { body: bundle });
    expect(sent).toMatchObject(refusedBy('`@Shared/reports/daily`'));
    expect(read('out.csv')).toBe('3');
    await runQuern(cwd, 'grant add user:bob edit @Shared/reports');
    expect(await bob.send('POST', '/exec/bundle', { body: bundle })).toMatchObject(DONE);
    expect(read('out.csv')).toBe('5');
    // The bundle was not the script.
    expect(await runScript(ada, '@Shared/reports/daily', { params: { n: 6 } })).toMatchObject(
      refusedBy('another user'),
    );
  });

  it('of one user is refused to another before anything runs, also through a link', async () => {
    const { ada, bob, admin, folder, read } = await startWithEditors();
    mkdirSync(path.join(folder, 'real'));
    symlinkSync('real', path.join(folder, 'link'));
    expect(await publish(ada, 'real/out.csv', 'SELECT 1')).toMatchObject(DONE);
    const refused = await publish(bob, 'link/out.csv', "SELECT error('it ran')");
    expect(refused).toMatchObject(refusedBy('another user'));
    expect(await publish(ada, 'link/out.csv', 'SELECT 2')).toMatchObject(DONE);
    expect(read('real/out.csv')).toBe('2');
    expect(await publish(admin, 'real/out.csv', 'SELECT 3')).toMatchObject(DONE);
    expect(await publish(ada, 'real/out.csv', 'SELECT 4')).toMatchObject(refusedBy('another user'));
  });

  it('belongs to the first of two users who publish its path at the same time', async () => {
    const { ada, bob, read } = await startWithEditors();
    const answers = await Promise.all([
      publish(ada, 'out.csv', 'SELECT count(*) + 1 FROM range(1000000)'),
      publish(bob, 'out.csv', 'SELECT count(*) + 2 FROM range(1000000)'),
    ]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(answers[1 - winner]).toMatchObject(refusedBy('another user'));
    expect(read('out.csv')).toBe(String(1_000_001 + winner));
  });
});

/** A home where Ada has published a file, and the administrator has a script that replaces it. */
async function makePublished() {
  const { cwd } = await makeAdminHome();
  for (const name of ['ada', 'bob']) await createEditor(cwd, name);
  for (const [user, number] of [
    ['ada', 1],
    ['admin', 2],
  ] as const) {
    const file = path.join(cwd, `${user}.sql`);
    writeFileSync(file, publishing('out.csv', `SELECT ${number}`));
    await runQuern(cwd, ['--as', user, 'catalog', 'put', file, `@Personal/${user}`]);
  }
  await runQuern(cwd, ['--as', 'ada', 'exec', '@Personal/ada']);
  return { cwd, file: path.join(cwd, '.quern/publish/out.csv') };
}

/** Whether Ada may replace the file of `makePublished`. */
async function isOfAda(cwd: string): Promise<boolean> {
  const server = await serve(cwd);
  onTestFinished(() => server.kill());
  const [ada] = await withEditors({ server });
  const answer = await runScript(ada, '@Personal/ada');
  if (answer.status !== 200) expect(answer).toMatchObject(refusedBy('another user'));
  return answer.status === 200;
}

/** Starts the administrator's script under strace, which disturbs the call that gives the file its path. */
function execWith(cwd: string, fault: string): ChildProcess {
  const calls = '?rename,?renameat,?renameat2';
  const inject = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:${fault}`];
  const args = [...inject, process.execPath, bin, 'exec', '@Personal/admin'];
  return spawn(strace, args, { cwd, stdio: 'ignore', env: { ...process.env, HOME: cwd }, detached: true });
}

/** Waits until no process of the group of a command runs: strace can end before the program. */
async function untilOver(command: ChildProcess): Promise<void> {
  await once(command, 'exit');
  await waitUntil(() => {
    try {
      return !process.kill(-command.pid!, 0);
    } catch {
      return true;
    }
  });
}

describe.skipIf(!hasStrace)('a command that is killed (needs strace)', () => {
  it('before the file has its path leaves the old file with the old owner', async () => {
    const { cwd, file } = await makePublished();
    await untilOver(execWith(cwd, 'error=EIO:signal=KILL'));
    expect(readFileSync(file, 'utf8')).toBe('1\n');
    expect(await isOfAda(cwd)).toBe(true);
  });

  it('after the file has its path leaves the new file with the new owner', async () => {
    const { cwd, file } = await makePublished();
    const before = statSync(file).ino;
    const command = execWith(cwd, 'delay_exit=30000000');
    await waitUntil(() => statSync(file).ino !== before);
    process.kill(-command.pid!, 'SIGKILL');
    await untilOver(command);
    expect(readFileSync(file, 'utf8')).toBe('2\n');
    expect(await isOfAda(cwd)).toBe(false);
  });
});

describe('the owners that an earlier version has recorded', () => {
  /** A home as an earlier version left it. */
  async function makeFormer() {
    const { cwd } = await makeAdminHome();
    for (const name of ['ada', 'bob']) await createEditor(cwd, name);
    const { data } = JSON.parse(await runQuern(cwd, 'user ls --json'));
    const { id } = data.find((user: { user_name: string }) => user.user_name === 'ada');
    mkdirSync(path.join(cwd, '.quern/publish'), { recursive: true });
    writeFileSync(path.join(cwd, '.quern/publish/out.csv'), '0\n');
    writeFileSync(path.join(cwd, '.quern/published.jsonl'), `["out.csv","${id}"]\n["cut`);
    return cwd;
  }

  async function expectTakenOver(cwd: string) {
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    expect(existsSync(path.join(cwd, '.quern/published.jsonl'))).toBe(false);
    const [ada, bob] = await withEditors(withAdmin(server));
    expect(await publish(bob, 'out.csv', 'SELECT 1')).toMatchObject(refusedBy('another user'));
    expect(await publish(ada, 'out.csv', 'SELECT 2')).toMatchObject(DONE);
  }

  it('are taken over at the first start', async () => {
    await expectTakenOver(await makeFormer());
  });

  it('are in a backup before the first start, and are taken over after it is restored', async () => {
    const cwd = await makeFormer();
    const ledger = path.join(cwd, '.quern/published.jsonl');
    const text = readFileSync(ledger, 'utf8');
    await runQuern(cwd, 'admin backup b.tar --with-key');
    await runQuern(cwd, 'admin restore b.tar --force');
    expect(readFileSync(ledger, 'utf8')).toBe(text);
    await expectTakenOver(cwd);
  });
});
