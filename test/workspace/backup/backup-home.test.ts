import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../support/quern.ts';
import { waitUntil } from '../../support/waiting.ts';
import { backUp } from './backing-up.ts';
import { AWKWARD_NAMES, fillHome, makePlainHome, runSql } from './home-with-everything.ts';

async function makeHome(): Promise<{ folder: string; home: string; target: string }> {
  const folder = makeFolder();
  const home = path.join(folder, 'home');
  await makePlainHome(home);
  return { folder, home, target: path.join(folder, 'b.tar') };
}

function start(script: URL, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, ['--no-warnings', fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The names that a writer has stored so far. */
function startWriter(home: string, prefix: string): { names: string[] } {
  const names: string[] = [];
  start(new URL('./writer.ts', import.meta.url), home, prefix).stdout!.on('data', (bytes: Buffer) => {
    names.push(...bytes.toString().split('\n').filter(Boolean));
  });
  return { names };
}

/** A process that has the DuckDB file of the home open. */
async function holdDatabase(home: string): Promise<ChildProcess> {
  const script = path.join(makeFolder(), 'hold.mjs');
  const api = import.meta.resolve('@duckdb/node-api');
  writeFileSync(
    script,
    `import { DuckDBInstance } from '${api}';
     const instance = await DuckDBInstance.create(${JSON.stringify(path.join(home, 'db/main.duckdb'))});
     const connection = await instance.connect();
     await connection.run('CREATE TABLE IF NOT EXISTS held AS SELECT 42 AS x');
     process.stdout.write('held');
     setInterval(() => {}, 1000);`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  return child;
}

function list(target: string): string[] {
  return execFileSync('tar', ['tf', target, '--quoting-style=literal', '--null']).toString().split('\n');
}

describe('a backup', () => {
  it('is one private file with everything in it, and leaves no temporary file', async () => {
    const folder = makeFolder();
    const home = path.join(folder, 'home');
    const target = path.join(folder, 'b.tar');
    await fillHome(home);
    const report = await backUp(home, target);
    expect(report).toMatchObject({
      users: 2,
      connections: 2,
      databases: 1,
      with_key: false,
      needs_key: true,
    });
    expect(report.files).toBe(AWKWARD_NAMES.length + 3);
    expect(report.left_out).toEqual([]);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    const names = list(target);
    expect(names).toContain('config.toml');
    expect(names).toContain('published.jsonl');
    expect(names).toContain('files/empty/');
    expect(names.filter((name) => /quern-|secret\.key|queries|\.wal$/.test(name))).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['b.tar', 'home']);
    expect(readdirSync(path.join(home, 'tmp'))).toEqual([]);
  });

  it('is compressed when its name says so, and gets a generated name in a folder', async () => {
    const { folder, home } = await makeHome();
    await backUp(home, path.join(folder, 'b.tar.gz'));
    expect(readFileSync(path.join(folder, 'b.tar.gz')).readUInt16BE(0)).toBe(0x1f8b);
    const { target } = await backUp(home, folder);
    expect(path.relative(folder, target)).toMatch(/^quern-backup-[\dTZ-]+\.tar$/);
    expect(existsSync(target)).toBe(true);
  });

  it('replaces a file only with the option', async () => {
    const { home, target } = await makeHome();
    writeFileSync(target, 'mine');
    await expect(backUp(home, target)).rejects.toMatchObject({ status: 409 });
    expect(readFileSync(target, 'utf8')).toBe('mine');
    await backUp(home, target, { replace: true });
    expect(statSync(target)).toMatchObject({ mode: 0o100600 });
    expect(list(target)).toContain('catalog.db');
  });

  it('contains the key only with the option, and only the matching key', async () => {
    const folder = makeFolder();
    const home = path.join(folder, 'home');
    await fillHome(home);
    await backUp(home, path.join(folder, 'with.tar'), { withKey: true });
    expect(list(path.join(folder, 'with.tar'))).toContain('secret.key');
    writeFileSync(path.join(home, 'secret.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
    await expect(backUp(home, path.join(folder, 'other.tar'), { withKey: true })).rejects.toMatchObject({
      detail: expect.stringContaining('is not the key of its secrets'),
    });
    rmSync(path.join(home, 'secret.key'));
    await expect(backUp(home, path.join(folder, 'none.tar'), { withKey: true })).rejects.toMatchObject({
      detail: expect.stringContaining('there is no secret.key'),
    });
    expect(readdirSync(folder).sort()).toEqual(['home', 'with.tar']);
  });

  it('names everything that it leaves out', async () => {
    const { home, target } = await makeHome();
    symlinkSync('/etc/passwd', path.join(home, 'files', 'link'));
    mkdirSync(path.join(home, 'db', 'folder.duckdb'));
    const { left_out } = await backUp(home, target);
    expect(left_out).toEqual(['db/folder.duckdb', 'files/link']);
    expect(list(target)).not.toContain('files/link');
  });

  it('contains every write that was acknowledged before it started, as a whole, while other processes write', async () => {
    const { folder, home } = await makeHome();
    const writers = ['a', 'b', 'c'].map((prefix) => startWriter(home, prefix));
    await waitUntil(() => writers.every(({ names }) => names.length >= 5));
    for (let round = 0; round < 5; round++) {
      const before = writers.flatMap(({ names }) => names);
      const target = path.join(folder, `b${round}.tar`);
      await backUp(home, target);
      const out = path.join(folder, `out${round}`);
      mkdirSync(out);
      execFileSync('tar', ['xf', target, '-C', out]);
      const copy = new Sqlite(path.join(out, 'catalog.db'));
      expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
      const rows = copy
        .prepare<[], { name: string; content: string }>(
          `SELECT name, content FROM catalog_items LEFT JOIN catalog_contents ON item_id = id WHERE type = 'SQL_SCRIPT'`,
        )
        .all();
      copy.close();
      expect(rows.filter(({ name, content }) => content !== `SELECT '${name}'`)).toEqual([]);
      const stored = new Set(rows.map(({ name }) => name));
      expect(before.filter((name) => !stored.has(name))).toEqual([]);
      const last = writers.map(({ names }) => names.length);
      await waitUntil(() => writers.every(({ names }, i) => names.length > last[i]!));
    }
  });

  it('is refused while another process has a database open, names the process, and works after it was killed', async () => {
    const { folder, home, target } = await makeHome();
    await runSql(home, 'CREATE TABLE t AS SELECT 1 AS x');
    const holder = await holdDatabase(home);
    const refusal = expect(backUp(home, target)).rejects;
    await refusal.toMatchObject({ status: 503, detail: expect.stringContaining(`(PID ${holder.pid})`) });
    expect(readdirSync(folder)).toEqual(['home']);
    expect(readdirSync(path.join(home, 'tmp'))).toEqual([]);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(statSync(path.join(home, 'db/main.duckdb.wal')).size).toBeGreaterThan(0);
    await backUp(home, target);
    const out = path.join(folder, 'out');
    mkdirSync(path.join(out, 'db'), { recursive: true });
    execFileSync('tar', ['xf', target, '-C', out]);
    expect(readdirSync(path.join(out, 'db'))).toEqual(['main.duckdb']);
    await makePlainHome(out);
    expect(await runSql(out, 'SELECT x FROM held')).toBe('x\n42\n');
  });

  it('leaves no permanent files when it is killed', async () => {
    const { folder, home, target } = await makeHome();
    writeFileSync(path.join(home, 'files', 'big'), '');
    truncateSync(path.join(home, 'files', 'big'), 4 * 1024 ** 3);
    const script = path.join(folder, 'killed.ts');
    const source = path.resolve(import.meta.dirname, 'backing-up.ts');
    writeFileSync(script, `import { backUp } from '${source}'; await backUp('${home}', '${target}');`);
    const child = spawn(process.execPath, ['--no-warnings', script], { stdio: 'ignore' });
    const isUnderWay = () =>
      readdirSync(folder).some(
        (name) => name.startsWith('.quern-') && statSync(path.join(folder, name)).size > 1e6,
      );
    await waitUntil(isUnderWay);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(target)).toBe(false);
    rmSync(path.join(home, 'files', 'big'));
    await backUp(home, target);
    expect(readdirSync(folder).sort()).toEqual(['b.tar', 'home', 'killed.ts']);
    expect(readdirSync(path.join(home, 'tmp'))).toEqual([]);
  });

  it('reports a full disk, and leaves no files', async () => {
    const { folder, home, target } = await makeHome();
    writeFileSync(path.join(home, 'files', 'big'), Buffer.alloc(8 * 1024 ** 2, 1));
    const script = path.join(folder, 'limited.ts');
    const source = path.resolve(import.meta.dirname, 'backing-up.ts');
    writeFileSync(
      script,
      `import { backUp } from '${source}';
       process.on('SIGXFSZ', () => {});
       const error = await backUp('${home}', '${target}').catch((error) => error);
       console.log(error.status, error.detail);`,
    );
    const command = `ulimit -f 2048; exec "${process.execPath}" --no-warnings "${script}"`;
    const printed = execFileSync('bash', ['-c', command]).toString();
    expect(printed).toBe('503 no space is left on the disk. Nothing was changed\n');
    expect(readdirSync(folder).sort()).toEqual(['home', 'limited.ts']);
    expect(readdirSync(path.join(home, 'tmp'))).toEqual([]);
  });

  it('is refused for a folder without a home, and for a damaged home', async () => {
    const { folder, home, target } = await makeHome();
    await expect(backUp(path.join(folder, 'none'), target)).rejects.toMatchObject({ code: 'missing' });
    const bytes = readFileSync(path.join(home, 'catalog.db'));
    bytes.fill(0xff, 4096 * 3, 4096 * 8);
    writeFileSync(path.join(home, 'catalog.db'), bytes);
    await expect(backUp(home, target)).rejects.toMatchObject({ code: 'corrupt' });
    expect(existsSync(target)).toBe(false);
  });
});
