import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { send } from '../../support/http.ts';
import { makeFolder, makeHome, quern } from '../../support/quern.ts';
import { serve, startServer } from '../../support/server.ts';
import { hasTerminal, type Typing, typeOnTerminal } from '../../support/type-on-terminal.ts';

const { version } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8'),
);

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

const readServerFile = (cwd: string) => path.join(cwd, '.quern', 'server.json');

/** The message and the exit code of a call that fails. */
async function refuse(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly [exitCode: number | undefined, stderr: string]> {
  const { exitCode, stdout, stderr } = await quern(['serve', ...args], { cwd, env });
  expect(stdout).toBe('');
  return [exitCode, String(stderr)];
}

describe('a server that starts', () => {
  it('prints its address, and records it in the home', async () => {
    const { server } = await startServer();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const file = readServerFile(server.cwd);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      pid: server.pid,
      url: server.url,
      version,
      started_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await send(server.url, 'GET', '/health/ready')).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('creates a missing home', async () => {
    const server = await serve(makeFolder());
    onTestFinished(() => server.kill());
    expect(server.log()).toContain(`created a home in ${server.cwd}/.quern, owned by admin\n`);
    expect(server.log()).toContain(`to undo this, stop the server and run \`rm -r ${server.cwd}/.quern\`\n`);
    expect((await send(server.url, 'GET', '/health/ready')).status).toBe(200);
  });

  it('creates a home in a folder with other files, and explains how to undo that without them', async () => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, 'notes'), 'mine');
    const server = await serve(cwd, ['--home', '.']);
    onTestFinished(() => server.kill());
    const undo = /^to undo this, stop the server and run `(rm -rf .*)`$/m.exec(server.log())![1]!;
    expect(await server.stop()).toBe(0);
    execFileSync('sh', ['-c', undo]);
    expect(readdirSync(cwd)).toEqual(['notes']);
  });

  it.skipIf(!hasTerminal)('asks nothing on a terminal when it creates a home', async () => {
    const cwd = makeFolder();
    const command = `${process.execPath} ${bin} serve --port 0`;
    const typing: Typing = [['listening on', '\x03']];
    const { screen } = await typeOnTerminal(command, { cwd, env: {}, columns: 200 }, typing);
    expect(screen).toContain('listening on http://127.0.0.1:');
    expect(screen).toContain('to undo this, stop the server and run `rm -r ');
    expect(screen).not.toContain('password (');
  });

  it('explains how the administrator gets a password, until there is one', async () => {
    const cwd = await makeHome();
    const hint = 'no administrator has a password yet: to sign in to the console, run `quern ui`';
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    expect(await server.stop()).toBe(0);
    expect(server.log()).toContain(hint);
    await quern(['admin', 'reset-password', '--password-stdin'], { cwd, input: 'a mill of two stones\n' });
    const next = await serve(cwd);
    onTestFinished(() => next.kill());
    expect(await next.stop()).toBe(0);
    expect(next.log()).not.toContain('no administrator has a password');
  });

  it('accepts a host name as address, and IPv6', async () => {
    const cwd = await makeHome();
    const named = await serve(cwd, ['--host', 'localhost']);
    onTestFinished(() => named.kill());
    expect(named.url).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/);
    expect(await named.stop()).toBe(0);
    const other = await serve(cwd, ['--host', '::1']);
    onTestFinished(() => other.kill());
    expect(other.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  });
});

describe('a server that cannot start', () => {
  it('names the port in use', async () => {
    const { server } = await startServer();
    const { port } = new URL(server.url);
    const cwd = await makeHome();
    expect(await refuse(cwd, ['--port', port])).toEqual([
      5,
      `error: 127.0.0.1:${port} is in use: choose another --port, or 0 for any\n`,
    ]);
    const next = await serve(cwd);
    expect(await next.stop()).toBe(0);
  });

  it.each([
    [
      ['--host', 'nowhere.invalid'],
      /^error: nowhere\.invalid is not an address of this machine: choose another --host/,
    ],
    [
      ['--host', '192.0.2.7'],
      /^error: 192\.0\.2\.7 is not an address of this machine: choose another --host/,
    ],
    [['--host', ''], /^error: --host is empty/],
    [['--port', '65536'], /^error: port 65536: use 1 to 65535/],
    [['--port', 'http'], /It must be a whole number/],
    [['--log-level', 'loud'], /^error: unknown log level loud: it must be one of fatal, /],
    [['--base-url', 'https://x/y'], /^error: https:\/\/x\/y is not the address of an instance/],
    [['--base-url', 'ftp://x'], /is not the address of an instance/],
    [['--base-url', 'https://a:b@x'], /is not the address of an instance/],
    [['--exec-timeout', '0'], /^error: exec_timeout is 0 seconds: it must be from 1 to 86400/],
    [['--exec-timeout', '1.5'], /It must be a whole number/],
    [['--exec-memory', '4'], /^error: exec_memory is 4: expected a value such as 4GB, 512MiB or 50%/],
    [['--exec-memory', '1MB'], /^error: exec_memory is 1MB: at least 64MiB/],
    [
      ['--exec-memory', '100%'],
      /^error: exec_memory is 100%: at most 80% of the memory, which is \d+MiB here/,
    ],
    [['--exec-disk', '4'], /^error: exec_disk is 4: expected a value such as 20GB, 512MiB or 50%/],
    [['--exec-disk', '1MB'], /^error: exec_disk is 1MB: at least 16MiB/],
    [['--exec-disk', '0%'], /^error: exec_disk is 0%: it must be above 0% and at most 100%/],
    [['--exec-disk', '101%'], /^error: exec_disk is 101%: it must be above 0% and at most 100%/],
    [['--trust-proxy', '10.0.0.0/33'], /^error: 10\.0\.0\.0\/33 is not the address of a proxy/],
    [['--trust-proxy', '0.0.0.0/0'], /is not the address of a proxy/],
    [['--trust-proxy', 'proxy.example.org'], /is not the address of a proxy/],
    [['--tls-cert', 'a.crt'], /^error: TLS needs both --tls-cert and --tls-key/],
    [['--tls-cert', 'a.crt', '--tls-key', 'a.key'], /^error: \/.*\/a\.crt cannot be read: ENOENT/],
  ])('gives advice about %j', async (args, message) => {
    const [exitCode, stderr] = await refuse(await makeHome(), ['--port', '0', ...args]);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it.each([
    [{ QUERN_PORT: 'x' }, /^error: QUERN_PORT must be a whole number, not x/],
    [{ QUERN_RATE_LIMIT: '-1' }, /^error: QUERN_RATE_LIMIT must be a whole number, not -1/],
    [{ QUERN_EXEC_TIMEOUT: '86401' }, /^error: exec_timeout is 86401 seconds: it must be from 1 to 86400/],
    [{ QUERN_EXEC_RUNNING: '0' }, /^error: exec_running is 0: it must be from 1 to 1000/],
    [{ QUERN_EXEC_QUEUED: 'many' }, /^error: QUERN_EXEC_QUEUED must be a whole number, not many/],
    [{ QUERN_EXEC_PER_USER: '0' }, /^error: exec_per_user is 0: it must be from 1 to 1000/],
    [{ QUERN_EXEC_RESULT_TTL: '0' }, /^error: exec_result_ttl is 0 seconds: it must be from 1 to 604800/],
    [{ QUERN_EXEC_MEMORY: 'all' }, /^error: exec_memory is all: expected a value such as/],
    [{ QUERN_EXEC_DISK: 'all' }, /^error: exec_disk is all: expected a value such as/],
    [{ QUERN_TRUST_PROXY: '10.0.0.1,x' }, /^error: x is not the address of a proxy/],
  ])('gives advice about %j in the environment', async (env, message) => {
    const [exitCode, stderr] = await refuse(await makeHome(), [], env);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('one home', () => {
  it('is served by one process, and by the next one after that has ended', async () => {
    const { server } = await startServer();
    const [exitCode, stderr] = await refuse(server.cwd, ['--port', '0']);
    expect([exitCode, stderr]).toEqual([
      5,
      expect.stringMatching(/^error: .*\.quern is served by (another process|process \d+) already/),
    ]);
    if (process.platform === 'linux') expect(stderr).toContain(`by process ${server.pid} already`);
    expect(JSON.parse(readFileSync(readServerFile(server.cwd), 'utf8')).pid).toBe(server.pid);
    await server.kill();
    expect(JSON.parse(readFileSync(readServerFile(server.cwd), 'utf8')).pid).toBe(server.pid);
    const next = await serve(server.cwd);
    onTestFinished(() => next.kill());
    expect(JSON.parse(readFileSync(readServerFile(server.cwd), 'utf8'))).toMatchObject({
      pid: next.pid,
      url: next.url,
    });
  });

  it('is served by one of many that start at once', async () => {
    const cwd = await makeHome();
    const started = await Promise.allSettled(Array.from({ length: 4 }, () => serve(cwd)));
    const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    onTestFinished(async () => {
      for (const server of servers) await server.kill();
    });
    expect(servers).toHaveLength(1);
    expect(JSON.parse(readFileSync(readServerFile(cwd), 'utf8')).pid).toBe(servers[0]!.pid);
  });
});

describe('config.toml', () => {
  const writeConfig = async (text: string) => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, '.quern', 'config.toml'), text);
    return cwd;
  };

  it('comes after the environment, which comes after flags', async () => {
    const cwd = await writeConfig('[server]\nhost = "127.0.0.2"\nport = 1\nlog_level = "silent"\n');
    const start = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      for (const [name, value] of Object.entries(env)) process.env[name] = value;
      try {
        const server = await serve(cwd, args);
        await server.stop();
        return [new URL(server.url).hostname, server.log().includes('"level":"info"')];
      } finally {
        for (const name of Object.keys(env)) delete process.env[name];
      }
    };
    expect(await start([])).toEqual(['127.0.0.2', false]);
    const env = { QUERN_HOST: '127.0.0.3', QUERN_LOG_LEVEL: 'info' };
    expect(await start([], env)).toEqual(['127.0.0.3', true]);
    expect(await start(['--host', '127.0.0.4', '--log-level', 'error'], env)).toEqual(['127.0.0.4', false]);
    expect(await start([], { QUERN_HOST: '' })).toEqual(['127.0.0.2', false]);
  });

  it.each([
    ['[server]\nhst = "x"\n', ':2:7: error: there is no setting `hst`; did you mean `host`?'],
    ['[server]\nratelimit = 5\n', 'there is no setting `ratelimit`; did you mean `rate_limit`?'],
    ['[sever]\nhost = "x"\n', ':1:2: error: there is no table `sever`; did you mean `server`?'],
    ['host = "x"\n', ':1:8: error: there is no table `host`'],
    ['[server]\nexec_disk = 4\n', '`server.exec_disk` must be a string, not a number'],
    ['[server]\nexec_memory = 4\n', '`server.exec_memory` must be a string, not a number'],
    ['[server]\nexec_per_users = 4\n', 'there is no setting `exec_per_users`; did you mean `exec_per_user`?'],
    ['[server]\nport = "8080"\n', ':2:8: error: `server.port` must be a whole number, not a string'],
    ['[server]\nlimit_loopback = 1\n', '`server.limit_loopback` must be true or false, not a number'],
    ['[server]\ntrust_proxy = "x"\n', '`server.trust_proxy` must be a list of strings, not a string'],
    ['server = 1\n', '`server` must be a table, not a number'],
    ['[server\n', 'invalid TOML'],
  ])('with an error reports its position: %j', async (text, message) => {
    const cwd = await writeConfig(text);
    const [exitCode, stderr] = await refuse(cwd, ['--port', '0']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain(path.join(cwd, '.quern', 'config.toml'));
  });

  it.each([
    ['[server]\nport = 70000\n', /^error: port 70000: use 1 to 65535/],
    ['[server]\nquery_log = "all"\n', /^error: unknown query_log all: it must be one of hash, text, off/],
    ['[server]\nquery_log_days = 0\n', /^error: query_log_days is 0: it must be between 1 and 3650/],
    ['[server]\nquery_log_days = 3651\n', /^error: query_log_days is 3651/],
    ['[server]\nstop_grace = 3000000\n', /^error: stop_grace is 3000000 seconds: at most 86400/],
    ['[server]\nexec_running = 1001\n', /^error: exec_running is 1001: it must be from 1 to 1000/],
    ['[server]\nexec_queued = 10001\n', /^error: exec_queued is 10001: it must be from 0 to 10000/],
    ['[server]\ntrust_proxy = ["x"]\n', /^error: x is not the address of a proxy/],
  ])('with impossible values is refused: %j', async (text, message) => {
    const [exitCode, stderr] = await refuse(await writeConfig(text), []);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('that cannot be read is named', async () => {
    const cwd = await makeHome();
    const file = path.join(cwd, '.quern', 'config.toml');
    mkdirSync(file);
    expect(await refuse(cwd, [])).toEqual([
      2,
      expect.stringContaining(`error: ${file} cannot be read: EISDIR`),
    ]);
  });

  it('names files relative to the home', async () => {
    const cwd = await writeConfig('[server]\ntls_cert = "tls/a.crt"\ntls_key = "tls/a.key"\n');
    const [exitCode, stderr] = await refuse(cwd, ['--port', '0']);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(`${cwd}/.quern/tls/a.crt cannot be read`),
    ]);
  });
});
