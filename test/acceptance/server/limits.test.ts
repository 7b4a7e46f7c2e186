import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRaw } from '../../server/raw.ts';
import { createClient, expectRefusal, send } from '../../support/http.ts';
import { makeFolder } from '../../support/quern.ts';
import { startServer } from '../../support/server.ts';
import { waitUntil } from '../../support/waiting.ts';

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

describe.skipIf(!canMount)('a full disk', () => {
  it('is reported without the path of the home; existing data remain and are served', async () => {
    const cwd = makeFolder();
    const disk = path.join(cwd, 'disk');
    mkdirSync(disk);
    const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
    const run = `"${process.execPath}" "${bin}" --home "${disk}/home"`;
    const script = [
      'set -e',
      `mount -t tmpfs -o size=3m tmpfs "${disk}"`,
      `${run} init --empty >&2`,
      `${run} token create --name tests`,
      `exec ${run} serve --port 0`,
    ].join('\n');
    const child = spawn('unshare', ['-rm', 'sh', '-c', script], {
      env: { ...process.env, HOME: cwd },
    });
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
    const admin = createClient(url!, token!);
    await admin.make('assets', '@Shared/kept');
    const tree = await admin.readTree('@Shared');
    const content = 'x'.repeat(4 * MEGABYTE);
    const answer = await admin.create('assets', { parent_path: '@Shared', name: 'lost', content });
    expectRefusal(answer, 503, 'The disk of the server is full. Nothing was changed');
    expect(await admin.readTree('@Shared')).toEqual(tree);
    expect((await send(url!, 'GET', '/health/ready')).status).toBe(200);
    expect(log).toContain('"msg":"request failed"');
    expect(log).toContain('is full');
  });
});
