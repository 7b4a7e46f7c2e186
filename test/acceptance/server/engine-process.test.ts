import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findEngine, hasProc } from '../../support/processes.ts';
import { quern } from '../../support/quern.ts';
import { makeAdminHome, serve } from '../../support/server.ts';

const KEY = 'a1'.repeat(32);
const TOKEN = 'b2'.repeat(32);

/** Starts a server whose environment has secrets, and its engine process. */
async function startEngine() {
  const { cwd } = await makeAdminHome();
  const server = await serve(cwd, [], { QUERN_MASTER_KEY: KEY, CLOUD_TOKEN: TOKEN });
  onTestFinished(() => server.kill());
  await quern(['sql', 'CREATE TABLE t AS SELECT 1 AS x'], { cwd });
  return { cwd, server: server.pid, engine: findEngine(server.pid)! };
}

function readProc(pid: number, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, 'utf8');
}

describe.skipIf(!hasProc)('the engine process of a server', () => {
  it('has no secret of the environment, and no setting of the server', async () => {
    const { server, engine } = await startEngine();
    expect(readProc(server, 'environ')).toContain(KEY);
    const variables = readProc(engine, 'environ').split('\0');
    expect(variables.filter((one) => one.startsWith('QUERN_'))).toEqual([]);
    expect(variables.join()).not.toMatch(new RegExp(`${KEY}|${TOKEN}`));
  });

  it('has no open file of the home except databases', async () => {
    const { cwd, server, engine } = await startEngine();
    const listFiles = (pid: number) =>
      readdirSync(`/proc/${pid}/fd`)
        .map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
        .filter((file) => file.startsWith(path.join(cwd, '.quern')))
        .map((file) => path.relative(path.join(cwd, '.quern'), file));
    expect(listFiles(server)).toContain('catalog.db');
    expect(listFiles(engine).filter((file) => !/^db\/main\.duckdb/.test(file))).toEqual([]);
  });

  it('is ended before the server by a system without memory', async () => {
    const { server, engine } = await startEngine();
    const [own, other] = [server, engine].map((pid) => Number(readProc(pid, 'oom_score_adj')));
    expect(other).toBeGreaterThan(own!);
  });
});
