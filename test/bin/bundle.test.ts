import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findEngine, hasLoaded, hasProc } from '../support/processes.ts';
import { makeHome, quernProcess } from '../support/quern.ts';
import { startServer } from '../support/server.ts';

const root = path.resolve(import.meta.dirname, '../..');
const dist = path.join(root, 'dist');
const files = readdirSync(dist).filter((file) => file.endsWith('.js'));

/** Prints the address of each module that is loaded, at the end of the process. */
const HOOK = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const urls = [];
  registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
  process.on('exit', () => writeSync(2, urls.join('\\n')));
`)}`;

/** The modules that a command loads: files of dist, and packages. */
async function listLoaded(...args: readonly string[]) {
  const { stderr } = await quernProcess(args, {
    cwd: await makeHome(),
    env: { NODE_OPTIONS: `--import=${HOOK}` },
  });
  const urls = stderr.split('\n');
  return {
    files: urls.filter((url) => url.startsWith(`file://${dist}/`)),
    packages: new Set(urls.flatMap((url) => url.match(/\/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? [])),
  };
}

describe('the bundle', () => {
  it('does not import modules of Node, which would load more of them', () => {
    const imports = /^(import|export) .*"node:/m;
    expect(files.filter((file) => imports.test(readFileSync(path.join(dist, file), 'utf8')))).toEqual([]);
    expect(files.length).toBeGreaterThan(100);
  });

  it('has the licences of the packages that it contains', () => {
    const texts = readFileSync(path.join(dist, 'licences.md'), 'utf8').split(/^## /m).slice(1);
    expect(texts.map((text) => text.split(' ')[0])).toEqual([
      'chalk',
      'commander',
      'flatbuffers',
      'smol-toml',
    ]);
    for (const text of texts) expect(text).toMatch(/Copyright|Apache License/);
  });

  it('lets help load few files and no package', async () => {
    const { files: loaded, packages } = await listLoaded('--help');
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.length).toBeLessThan(10);
    expect([...packages]).toEqual([]);
  });

  it('lets a command load few files and only the packages that it uses', async () => {
    const { files: loaded, packages } = await listLoaded('token', 'ls');
    expect(loaded.length).toBeLessThan(30);
    expect([...packages]).toEqual(['better-sqlite3']);
  });

  it('lets a query load few files and only the packages that it uses', async () => {
    const { files: loaded, packages } = await listLoaded('sql', 'SELECT 42');
    expect(loaded.length).toBeLessThan(40);
    packages.delete('detect-libc');
    expect([...packages].sort()).toEqual(['@duckdb/node-bindings', 'better-sqlite3']);
  });

  it.skipIf(!hasProc)('lets a server load no DuckDB, which its engine loads', async () => {
    const { server, admin } = await startServer();
    const answer = await admin.send('POST', '/exec/sql', {
      body: { sql: 'SELECT 42', connection: { name: 'duckdb' } },
    });
    expect(answer.status).toBe(200);
    expect(hasLoaded(server.pid, 'better-sqlite3')).toBe(true);
    expect(hasLoaded(server.pid, 'duckdb')).toBe(false);
    expect(hasLoaded(findEngine(server.pid) ?? 0, 'duckdb')).toBe(true);
  });
});
