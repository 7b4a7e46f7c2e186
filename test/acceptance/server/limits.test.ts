import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRaw } from '../../server/raw.ts';
import { createClient, expectRefusal, send } from '../../support/http.ts';
import { makeFolder } from '../../support/quern.ts';
import { startServer } from '../../support/server.ts';
import { waitUntil } from '../../support/waiting.ts';
import { BUSY, rowsOf, runSql, untilListed } from '../http/executing.ts';

const MEGABYTE = 1024 * 1024;
const isLinux = process.platform === 'linux';

/** The maximum memory of a process, in bytes. */
function readPeak(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

describe.skipIf(!isLinux)('memory', () => {
  it('is not used by refused bodies', async () => {
    const { server, token, admin } = await startServer();
    await admin.list('');
    const before = readPeak(server.pid);
    const chunk = Buffer.alloc(MEGABYTE, ' ');
    const flood = async (authorization: string, status: number) => {
      const connection = await openRaw(Number(new URL(server.url).port));
      connection.send(
        `POST /api/v1/catalog/folders HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\n` +
          `Content-Length: ${64 * MEGABYTE}\r\n\r\n`,
      );
      for (let count = 0; count < 64; count++) {
        if (!connection.socket.write(chunk)) await once(connection.socket, 'drain');
      }
      connection.send('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      const text = await connection.rest();
      expect(text.startsWith(`HTTP/1.1 ${status} `) && text.endsWith('{"status":"ok"}')).toBe(true);
    };
    await Promise.all(Array.from({ length: 8 }, () => flood('', 401)));
    const signed = `Authorization: Bearer ${token}\r\n`;
    await Promise.all(Array.from({ length: 8 }, () => flood(signed, 413)));
    expect(readPeak(server.pid) - before).toBeLessThan(256 * MEGABYTE);
  });
});

const canMount =
  isLinux && spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;

/** Starts a server on a home whose disk has this size. */
async function startOnDisk(size: string) {
  const cwd = makeFolder();
  const disk = path.join(cwd, 'disk');
  mkdirSync(disk);
  const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
  const run = `"${process.execPath}" "${bin}" --home "${disk}/home"`;
  const script = [
    'set -e',
    `mount -t tmpfs -o size=${size} tmpfs "${disk}"`,
    `mkfifo "${cwd}/fill"`,
    `{ read -r line < "${cwd}/fill"; cat /dev/zero > "${disk}/filled" 2> /dev/null || true; echo full > "${cwd}/is-full"; } &`,
    `${run} init --empty >&2`,
    `${run} token create --name tests`,
    `exec ${run} serve --port 0`,
  ].join('\n');
  const child = spawn('unshare', ['-rm', 'sh', '-c', script], { env: { ...process.env, HOME: cwd } });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  let log = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    log += String(chunk);
  });
  const [, token, url] = await waitUntil(() => /^(qrn_\w+)\nlistening on (\S+)$/m.exec(output));
  return {
    url: url!,
    admin: createClient(url!, token!),
    readLog: () => log,
    async fill() {
      writeFileSync(path.join(cwd, 'fill'), 'now\n');
      await waitUntil(() => existsSync(path.join(cwd, 'is-full')));
    },
    list: (folder: string) => readdirSync(path.join(`/proc/${child.pid}/root`, disk, 'home', folder)),
  };
}

describe.skipIf(!canMount)('a full disk', () => {
  it('during a backup is reported, and leaves no file; another backup is refused', async () => {
    const { admin, fill, list } = await startOnDisk('128m');
    rowsOf(await runSql(admin, 'CREATE TABLE t AS SELECT hash(range) AS x FROM range(1000000)'));
    const running = runSql(admin, BUSY);
    const [busy] = await untilListed(admin, 1);
    // It waits for the execution, and so until the disk is full.
    expect((await admin.send('POST', '/manage/backups')).status).toBe(202);
    await waitUntil(() => list('backups').length === 1);
    await fill();
    await admin.send('DELETE', `/executions/${busy!.id}`);
    await running;
    const readBackups = async () =>
      ((await admin.send('GET', '/manage/backups')).body as { data: { state: string }[] }).data;
    await waitUntil(async () => (await readBackups())[0]!.state !== 'running');
    expect(await readBackups()).toMatchObject([
      { state: 'failed', error: 'no space is left on the disk. Nothing was changed' },
    ]);
    expect(list('backups')).toEqual([]);
    expectRefusal(
      await admin.send('POST', '/manage/backups'),
      503,
      expect.stringMatching(/^The backup needs .* are free: free up disk space, or delete a backup/),
    );
  });

  it('is reported without the path of the home; existing data remain and are served', async () => {
    const { url, admin, readLog } = await startOnDisk('3m');
    await admin.make('assets', '@Shared/kept');
    const tree = await admin.readTree('@Shared');
    const content = 'x'.repeat(4 * MEGABYTE);
    const answer = await admin.create('assets', { parent_path: '@Shared', name: 'lost', content });
    expectRefusal(answer, 503, 'The disk of the server is full. Nothing was changed');
    expect(await admin.readTree('@Shared')).toEqual(tree);
    expect((await send(url, 'GET', '/health/ready')).status).toBe(200);
    expect(readLog()).toContain('"msg":"request failed"');
    expect(readLog()).toContain('is full');
  });
});
