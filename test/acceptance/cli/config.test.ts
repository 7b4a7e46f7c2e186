import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, makeHome, quern } from '../../support/quern.ts';

const KEY = 'ab'.repeat(32);

const fileOf = (cwd: string) => path.join(cwd, '.quern', 'config.toml');

async function run(cwd: string, line: string, env: Readonly<Record<string, string>> = {}) {
  const { exitCode, stdout, stderr } = await quern(['config', ...line.split(' ').filter(Boolean)], {
    cwd,
    env: { QUERN_PORT: '', ...env },
  });
  return { exitCode, stdout, stderr };
}

async function makeConfigured(text: string): Promise<string> {
  const cwd = await makeHome();
  writeFileSync(fileOf(cwd), text);
  return cwd;
}

describe('quern config get', () => {
  it('prints the effective value: of a variable, otherwise of config.toml, otherwise the default', async () => {
    const cwd = await makeConfigured('[server]\nport = 8443\ntls_cert = "a.pem"\ntrust_proxy = ["::1"]\n');
    const get = async (key: string, env = {}) => (await run(cwd, `get ${key}`, env)).stdout;
    expect(await get('server.port')).toBe('8443\n');
    expect(await get('server.port', { QUERN_PORT: '9000' })).toBe('9000\n');
    expect(await get('server.host')).toBe('127.0.0.1\n');
    expect(await get('server.base_url')).toBe('\n');
    expect(await get('server.exec_memory')).toBe('50%\n');
    expect(await get('server.trust_proxy')).toBe('::1\n');
    expect(await get('server.tls_cert')).toBe(`${cwd}/.quern/a.pem\n`);
    expect(await get('server.tls_cert', { QUERN_TLS_CERT: 'b.pem' })).toBe(`${cwd}/b.pem\n`);
    expect(await get('home')).toBe(`${cwd}/.quern\n`);
  });

  it.each([
    ['get server.prot', {}, 'there is no setting `server.prot`: did you mean `server.port`?'],
    ['get base_url', {}, 'there is no setting `base_url`: did you mean `server.base_url`?'],
    ['get exec_memry', {}, 'there is no setting `exec_memry`: did you mean `server.exec_memory`?'],
    ['get x', {}, 'there is no setting `x`: run `quern config explain` for a list'],
    ['get master_key', { QUERN_MASTER_KEY: KEY }, '`master_key` is secret: it is never printed'],
    ['get server.port', { QUERN_PORT: 'x' }, 'QUERN_PORT must be a whole number, not x'],
    ['get server.port', { QUERN_PORT: '65536' }, 'port 65536: use 1 to 65535'],
    ['get server.port --as admin', {}, '--as admin has no effect here: settings are of the home'],
  ])('refuses %j with %j', async (line, env, message) => {
    const cwd = await makeHome();
    expect(await run(cwd, line, env)).toEqual({ exitCode: 2, stdout: '', stderr: `error: ${message}\n` });
  });

  it('reports what to do without a home, and the error in config.toml', async () => {
    const { exitCode, stderr } = await run(makeFolder(), 'get server.port', { QUERN_HOME: '' });
    expect([exitCode, stderr]).toEqual([2, 'error: no home here: run `quern init`\n']);
    const faulty = await run(await makeConfigured('[server]\nprot = 1\nhst = 2\n'), 'get server.port');
    expect(faulty).toMatchObject({ exitCode: 2, stdout: '' });
    expect(faulty.stderr).toContain('config.toml:2:8: error: there is no setting `prot`');
    expect(faulty.stderr).toContain('config.toml:3:7: error: there is no setting `hst`');
  });
});

describe('quern config set', () => {
  it('creates config.toml, readable by its owner only, if it does not exist', async () => {
    const cwd = await makeHome();
    expect(await run(cwd, 'set server.port 8443')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `set server.port in ${fileOf(cwd)}\n`,
    });
    expect(readFileSync(fileOf(cwd), 'utf8')).toBe('[server]\nport = 8443\n');
    expect(statSync(fileOf(cwd)).mode & 0o777).toBe(0o600);
  });

  it('keeps comments, the other settings and the permissions of the file', async () => {
    const cwd = await makeConfigured('# ours\n[server] # here\nport = 1 # one\n\n[users]\n');
    chmodSync(fileOf(cwd), 0o640);
    await run(cwd, 'set server.port 8443');
    await run(cwd, 'set server.trust_proxy 10.0.0.7,10.1.0.0/16');
    await run(cwd, 'set server.limit_loopback true');
    await run(cwd, 'set users.default_role viewer');
    expect(readFileSync(fileOf(cwd), 'utf8')).toBe(
      '# ours\n[server] # here\nport = 8443 # one\ntrust_proxy = [ "10.0.0.7", "10.1.0.0/16" ]\n' +
        'limit_loopback = true\n\n[users]\ndefault_role = "viewer"\n',
    );
    expect(statSync(fileOf(cwd)).mode & 0o777).toBe(0o640);
    expect((await run(cwd, 'get users.default_role')).stdout).toBe('VIEWER\n');
  });

  it('writes through a link, and leaves no other file', async () => {
    const cwd = await makeConfigured('[server]\n');
    const elsewhere = path.join(cwd, 'etc');
    mkdirSync(elsewhere);
    renameSync(fileOf(cwd), path.join(elsewhere, 'quern.toml'));
    symlinkSync('../etc/quern.toml', fileOf(cwd));
    const before = readdirSync(path.join(cwd, '.quern'));
    expect((await run(cwd, 'set server.port 8443')).exitCode).toBe(0);
    expect(lstatSync(fileOf(cwd)).isSymbolicLink()).toBe(true);
    expect(readFileSync(path.join(elsewhere, 'quern.toml'), 'utf8')).toBe('[server]\nport = 8443\n');
    expect(readdirSync(elsewhere)).toEqual(['quern.toml']);
    expect(readdirSync(path.join(cwd, '.quern'))).toEqual(before);
  });

  it('replaces a wrong value of the same setting', async () => {
    const cwd = await makeConfigured('[server]\nport = "x"\n');
    expect((await run(cwd, 'set server.port 8443')).exitCode).toBe(0);
    expect((await run(cwd, 'get server.port')).stdout).toBe('8443\n');
  });

  it('warns of a variable that overrides the setting', async () => {
    const { stderr } = await run(await makeHome(), 'set server.port 8443', { QUERN_PORT: '9000' });
    expect(stderr).toContain('warning: QUERN_PORT is set in this environment and overrides it\n');
  });

  it.each([
    ['server.prot 1', 'there is no setting `server.prot`: did you mean `server.port`?'],
    ['server.port x', '`server.port` must be a whole number, not x'],
    ['server.port -- -1', '`server.port` must be a whole number, not -1'],
    ['server.port 65536', 'port 65536: use 1 to 65535'],
    ['server.exec_queued 10001', 'exec_queued is 10001: it must be from 0 to 10000'],
    ['server.stop_grace 86401', 'stop_grace is 86401 seconds: at most 86400'],
    ['server.limit_loopback yes', '`server.limit_loopback` must be true or false, not yes'],
    ['server.log_level loud', 'unknown log level loud: it must be one of fatal, error, warn, info, debug,'],
    ['server.exec_memory 4', 'exec_memory is 4: expected a value such as 4GB, 512MiB or 50%'],
    [
      'server.trust_proxy 10.0.0.0/8,x',
      'x is not the address of a proxy: use the form 10.0.0.7 or 10.0.0.0/8',
    ],
    ['server.base_url x', 'x is not the address of an instance: use the form https://quern.example.org'],
    ['users.default_role ADMIN', '`users.default_role` must be EDITOR or VIEWER, not `ADMIN`'],
    [
      'master_key secret',
      '`master_key` is not stored in config.toml: set QUERN_MASTER_KEY in the environment',
    ],
    ['home /tmp', '`home` is not stored in config.toml: set QUERN_HOME in the environment'],
  ])('refuses %j and changes nothing', async (line, message) => {
    const text = '[server]\nport = 1\n';
    const cwd = await makeConfigured(text);
    const { exitCode, stdout, stderr } = await run(cwd, `set ${line}`);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(`error: ${message}`)).toBe(true);
    expect(readFileSync(fileOf(cwd), 'utf8')).toBe(text);
  });

  it.each([
    ['[server\n', 'config.toml:1:8: error: invalid TOML'],
    ['[server]\nhst = 1\n', 'config.toml:2:7: error: there is no setting `hst`; did you mean `host`?'],
    ['server = { host = "::1" }\n', 'in a form that this command cannot edit: set `port` there by hand'],
  ])('changes nothing in a file that is %j', async (text, message) => {
    const cwd = await makeConfigured(text);
    const { exitCode, stderr } = await run(cwd, 'set server.port 8443');
    expect([exitCode, readFileSync(fileOf(cwd), 'utf8')]).toEqual([2, text]);
    expect(stderr).toContain(message);
  });
});

describe('quern config unset', () => {
  it('removes only one setting, and prints the effective value', async () => {
    const cwd = await makeConfigured(
      '# ours\n[server] # here\nport = 8443 # one\nbase_url = "https://a.example"\ntrust_proxy = [\n  "::1", # own\n]\n[users]\n',
    );
    expect(await run(cwd, 'unset server.port')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `unset server.port in ${fileOf(cwd)}\nserver.port is now 8080 (default)\n`,
    });
    expect((await run(cwd, 'unset server.base_url')).stderr).toContain(
      '\nserver.base_url has no value now\n',
    );
    expect((await run(cwd, 'unset server.trust_proxy')).stderr).toContain('is now none (default)\n');
    expect(readFileSync(fileOf(cwd), 'utf8')).toBe('# ours\n[server] # here\n[users]\n');
  });

  it('reports that a variable is effective, or that its value is wrong', async () => {
    const cwd = await makeConfigured('server.port = 8443\nserver.host = "::1"\n');
    const { stderr } = await run(cwd, 'unset server.port', { QUERN_PORT: '9000' });
    expect(stderr).toContain('\nserver.port is now 9000 (QUERN_PORT)\n');
    expect(readFileSync(fileOf(cwd), 'utf8')).toBe('server.host = "::1"\n');
    await run(cwd, 'set server.port 8443');
    const wrong = await run(cwd, 'unset server.port', { QUERN_PORT: 'x' });
    expect(wrong.exitCode).toBe(0);
    expect(wrong.stderr).toContain('\nwarning: QUERN_PORT must be a whole number, not x\n');
  });

  it('removes a wrong value', async () => {
    const cwd = await makeConfigured('[server]\nport = "x"\n');
    expect((await run(cwd, 'unset server.port')).exitCode).toBe(0);
    expect((await run(cwd, 'get server.port')).stdout).toBe('8080\n');
  });

  it.each([
    ['server.prot', '', 'there is no setting `server.prot`: did you mean `server.port`?'],
    ['server.port', '[server]\nhost = "::1"\n', '`server.port` is not set in '],
    ['server.port', '', '`server.port` is not set in '],
    ['home', '', '`home` is not stored in config.toml: unset QUERN_HOME in the environment'],
    [
      'server.port',
      'server = { port = 1, host = "::1" }\n',
      'form that this command cannot edit: remove `port` there',
    ],
    ['server.port', '[server]\nport = 1\nhst = 1\n', 'there is no setting `hst`; did you mean `host`?'],
    ['server.port', '[server\n', 'config.toml:1:8: error: invalid TOML'],
    ['server.port --as admin', '', '--as admin has no effect here: settings are of the home'],
  ])('refuses %j in %j and changes nothing', async (line, text, message) => {
    const cwd = await makeConfigured(text);
    const { exitCode, stdout, stderr } = await run(cwd, `unset ${line}`);
    expect([exitCode, stdout, readFileSync(fileOf(cwd), 'utf8')]).toEqual([2, '', text]);
    expect(stderr).toContain(message);
  });
});

describe('a mistyped command of quern config', () => {
  it.each([
    ['gett server.port', "'gett'\n(Did you mean get?)"],
    ['explian', "'explian'\n(Did you mean explain?)"],
    ['server.prot', "'server.prot'\n(Did you mean server.port?)"],
    ['x --help', "'x'"],
  ])('is reported: %j', async (line, message) => {
    expect(await run(await makeHome(), line)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `error: unknown command ${message}\nSee \`quern config --help\`\n`,
    });
  });

  it('is not a setting, or the value of an option', async () => {
    const cwd = await makeHome();
    expect((await run(cwd, 'server.port')).stdout).toMatch(/^server\.port = 8080\n/);
    expect((await run(cwd, '--port 9000')).stdout).toContain('\nserver.port = 9000 (--port)\n');
  });
});

describe('quern config explain', () => {
  it('shows the source of a value, and the allowed values', async () => {
    const cwd = await makeConfigured('\n[server]\nport = 8443\n');
    const explain = async (line: string, env = {}) =>
      (await run(cwd, `explain ${line}`, env)).stdout.split('\n');
    const rest = [
      '  port to listen on; 0 selects a free port',
      '  0 to 65535; default: 8080; --port, QUERN_PORT',
      '',
    ];
    expect(await explain('server.port')).toEqual([`server.port = 8443 (${fileOf(cwd)}:3)`, ...rest]);
    const env = { QUERN_PORT: '9000' };
    expect(await explain('server.port', env)).toEqual(['server.port = 9000 (QUERN_PORT)', ...rest]);
    expect(await explain('server.port --port 9001', env)).toEqual(['server.port = 9001 (--port)', ...rest]);
    expect((await explain('server.host'))[0]).toBe('server.host = 127.0.0.1');
    expect((await explain('server.base_url'))[0]).toBe('server.base_url is not set');
    expect((await explain('server.trust_proxy'))[0]).toBe('server.trust_proxy = none');
  });

  it('shows all settings, as `quern config` does, and no secret', async () => {
    const cwd = await makeHome();
    const env = { QUERN_MASTER_KEY: KEY, QUERN_ADMIN_PASSWORD: 'hunter2hunter2' };
    const [short, long, json] = await Promise.all([
      run(cwd, '', env),
      run(cwd, 'explain', env),
      run(cwd, 'explain --json', env),
    ]);
    expect(short).toEqual(long);
    expect(long.stdout).toContain('\nmaster_key is set (QUERN_MASTER_KEY)\n');
    expect(long.stdout).toContain('\nscim_token is not set\n');
    expect(long.stdout + json.stdout).not.toMatch(/abab|hunter2/);
    const { data } = JSON.parse(json.stdout);
    expect(data.map(({ key }: { key: string }) => key)).toEqual(
      [...long.stdout.matchAll(/^([\w.]+) (?:=|is)/gm)].map(([, key]) => key),
    );
    expect(data[2]).toEqual({
      key: 'server.port',
      value: 8080,
      is_set: false,
      origin: 'default',
      source: null,
      error: null,
      values: '0 to 65535',
      default: '8080',
      option: '--port',
      variable: 'QUERN_PORT',
      text: 'port to listen on; 0 selects a free port',
      needs_restart: true,
    });
  });

  it('shows wrong values among the others, and exits with 2', async () => {
    const cwd = await makeConfigured('[server]\nexec_running = 1001\n');
    const { exitCode, stdout } = await run(cwd, 'explain', { QUERN_PORT: 'x' });
    expect(exitCode).toBe(2);
    expect(stdout).toContain('\nserver.port (QUERN_PORT): error: QUERN_PORT must be a whole number, not x\n');
    expect(stdout).toContain('config.toml:2): error: exec_running is 1001: it must be from 1 to 1000\n');
    expect(stdout).toContain('\nserver.host = 127.0.0.1\n');
  });

  it('agrees with the values of a server that starts', async () => {
    const cwd = await makeConfigured('[server]\nport = 70000\n');
    const { stderr } = await quern(['serve'], { cwd, env: { QUERN_PORT: '' } });
    expect((await run(cwd, 'explain server.port')).stdout).toContain(stderr.trim());
  });
});
