import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, createClient } from '../../support/http.ts';
import { makeAdminHome } from '../../support/server.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
/** A file on which every write fails, as on a full disk. */
const FULL = '/dev/full';

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  readonly client: Client;
}

/** A server whose log goes to `stderr`, and an administrator's client of it. */
async function start(stderr: 'pipe' | number): Promise<Server> {
  const { cwd, token } = await makeAdminHome();
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0'], {
    cwd,
    stdio: ['ignore', 'pipe', stderr],
    env: { ...process.env, HOME: cwd, QUERN_HOME: '' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  const url = line.replace('listening on ', '');
  return { child, url, client: createClient(url, token) };
}

async function expectWork({ child, url, client }: Server): Promise<void> {
  const body = { sql: 'SELECT 42 AS x', connection: { name: 'duckdb' } };
  for (let i = 0; i < 5; i += 1) {
    expect(await client.send('POST', '/exec/sql', { body })).toMatchObject({ status: 200 });
  }
  const ready = await fetch(`${url}/health/ready`);
  expect({ status: ready.status, body: await ready.json() }).toEqual({
    status: 200,
    body: { status: 'ok', warnings: ['the log cannot be written'] },
  });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
}

describe('a server whose log cannot be written', () => {
  it.skipIf(!existsSync(FULL))('works on a full disk, reports it, and stops on request', async () => {
    const fd = openSync(FULL, 'w');
    const server = await start(fd);
    closeSync(fd);
    await expectWork(server);
  });

  it('works when no process reads it', async () => {
    const server = await start('pipe');
    server.child.stderr!.destroy();
    await expectWork(server);
  });
});
