import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import duckdb from '@duckdb/node-bindings';
import { expect, it, onTestFinished } from 'vitest';
import { loadDriver } from '../../../../../src/engine/connection/drivers.ts';
import { openEngine } from '../../../../../src/engine/connection/duckdb/instance/open-engine.ts';
import { readOptions } from '../../../../../src/engine/connection/duckdb/instance/options.ts';
import { waitUntil } from '../../../../support/waiting.ts';
import { never, query, readError } from '../../results.ts';
import { makeSandboxedHome, queryPastGate, readSettings } from '../gate/sandbox.ts';

/** A connection to an open instance, without the gate. */
async function openRaw(file: string): Promise<(statement: string) => Promise<string>> {
  const engine = await openEngine(readOptions({ file }));
  onTestFinished(() => engine.close());
  return (statement) =>
    duckdb.query(engine.connection, statement).then(
      () => 'done',
      (error: Error) => error.message,
    );
}

it('applies to every session of an instance', async () => {
  const { connect, connectFreely, home } = makeSandboxedHome();
  const before = await connectFreely();
  const sessions = [await connect(), await connect(), await connectFreely(), before];
  const settings: Awaited<ReturnType<typeof readSettings>>[] = [];
  for (const session of sessions) settings.push(await readSettings(session));
  const found = new Map(settings[0]!.map(([name, value]) => [name, value]));
  const temp = String(found.get('temp_directory'));
  expect(path.dirname(temp)).toBe(path.join(home, 'tmp'));
  expect(Object.fromEntries(found)).toMatchObject({
    allowed_directories: `[${home}/files/, ${home}/staging/, ${temp}/]`,
    temp_directory: temp,
    temp_file_encryption: 'true',
    TimeZone: 'UTC',
    memory_limit: '381.4 MiB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
    allow_unsigned_extensions: 'false',
    enable_external_access: 'false',
    lock_configuration: 'true',
    errors_as_json: 'true',
    streaming_buffer_size: '976.5 KiB',
  });
  const limit = "SELECT value FROM duckdb_settings() WHERE name = 'max_temp_directory_size'";
  expect(await queryPastGate(sessions[1]!, limit)).toEqual([['953.6 MiB']]);
  for (const own of settings.slice(1, 3)) expect(own).toEqual(settings[0]);
  // Only the settings apply to a session that was opened before.
  expect((await readError(before.run('SET threads = 1', never))).message).toContain('locked');
  for (const session of sessions.slice(0, 3)) {
    expect((await readError(session.run('SET threads = 1', never))).code).toBe('gate');
  }
});

it('cannot be undone, not even without the gate', async () => {
  const { connect, file, home } = makeSandboxedHome();
  const session = await connect();
  const settings = await readSettings(session);
  const run = await openRaw(file);
  const locked = [
    ...settings.map(([name]) => `SET GLOBAL ${name} = DEFAULT`),
    ...settings.map(([name]) => `RESET ${name}`),
    'SET lock_configuration = false',
    'SET enable_external_access = true',
    "SET allowed_directories = ['/']",
    "SET allowed_paths = ['/etc/passwd']",
    "SET allowed_configs = ['threads']",
    'PRAGMA threads = 1',
    "SET TimeZone = 'Europe/Berlin'",
    "SET memory_limit = '1TB'",
    "SET temp_directory = '/tmp'",
    "SET home_directory = '/tmp'",
    "LOAD '/tmp/x.duckdb_extension'",
    'INSTALL httpfs',
    `ATTACH '${home}/db/other.duckdb' AS other`,
    `COPY (SELECT 42) TO '${home}/publish/x.csv'`,
    `COPY (SELECT 42) TO '${home}/secret.csv'`,
    `EXPORT DATABASE '${home}/publish'`,
    `CREATE PERSISTENT SECRET s (TYPE http)`,
  ];
  for (const statement of locked) await run(statement);
  // USE sets `search_path` and `schema`, for each session separately.
  expect(await readSettings(session)).toEqual(settings);
  expect(await run("SELECT * FROM read_text('/etc/passwd')")).toContain('disabled by configuration');
  expect(await run(`COPY (SELECT 42) TO '${home}/publish/x.csv'`)).toContain('disabled by configuration');
});

it('applies to one file, and ends with its last session', async () => {
  const { connect, connectFreely } = makeSandboxedHome();
  const session = await connect();
  await session.close();
  const free = await connectFreely();
  expect(await query(free, "SELECT current_setting('lock_configuration')")).toEqual([[false]]);
});

it('applies to databases in memory, and follows the options of the connection', async () => {
  const { sandbox } = makeSandboxedHome();
  const driver = await loadDriver('duckdb');
  const options = { file: ':memory:', memory_limit: '200MB', time_zone: 'Asia/Tokyo' };
  const session = await driver.connect({ name: 'm', kind: 'duckdb', options, overrides: {}, sandbox }, never);
  onTestFinished(() => session.close());
  const settings = "SELECT current_setting('memory_limit'), current_setting('TimeZone')";
  expect(await query(session, settings)).toEqual([['190.7 MiB', 'Asia/Tokyo']]);
  expect((await readError(session.run("FROM '/etc/passwd'", never))).code).toBe('gate');
});

it('uses a separate spill folder for each instance', async () => {
  const { connect, sandbox } = makeSandboxedHome();
  const session = await connect();
  const texts = `SELECT DISTINCT 'needle in a haystack' || repeat(hash(range)::VARCHAR, 8) FROM range(3000000)`;
  const running = query(session, `SELECT count(*) FROM (${texts}) AS t`);
  const list = () => readdirSync(sandbox.temp, { recursive: true, encoding: 'utf8' });
  const spilling = waitUntil(() => list().length >= 2).then(() => 'spilled');
  expect(await Promise.race([spilling, running.then(() => 'is over')])).toBe('spilled');
  const spilled = list().find((name) => name.endsWith('.tmp'))!;
  expect(readFileSync(path.join(sandbox.temp, spilled)).includes('needle')).toBe(false);
  expect(await running).toEqual([[3000000n]]);
  await session.close();
  expect(readdirSync(sandbox.temp)).toEqual([]);
});

it('opens nothing when it cannot be applied', async () => {
  const { connect, connectFreely, sandbox } = makeSandboxedHome();
  rmSync(sandbox.staging, { recursive: true });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const error = await readError(connect());
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain(sandbox.staging);
  }
  // The instance was released.
  const free = await connectFreely();
  expect(await query(free, "SELECT current_setting('enable_external_access')")).toEqual([[true]]);
});
