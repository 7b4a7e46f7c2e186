import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { Sink } from '../../../src/engine/result/columns/sink.ts';
import { Outlet } from '../../../src/execution/contract/outlet.ts';
import { countOpenFiles } from '../../support/processes.ts';
import { eventually } from '../../support/waiting.ts';
import { connectBoth } from '../connections.ts';
import { errorOf, makeProcessHost } from '../hosts.ts';

const ROWS = 500_000;
const LONG = `select * from range(${ROWS})`;
const EXPECTED = `range\n${Array.from({ length: ROWS }, (_, i) => `${i}\n`).join('')}`;
const UNENDING = 'select * from range(100000000000)';

/** Whether open files can be counted. */
const hasProc = process.platform === 'linux';

/** A sink that lends its connection after the first bytes, which it keeps. */
async function makeLender() {
  const { own, near, far } = await connectBoth();
  const heads: Buffer[] = [];
  const sink: Sink = {
    write: (bytes) => void heads.push(Buffer.from(bytes)),
    transferSocket: async () => near,
  };
  const outlet = new Outlet(() => sink);
  const head = () => Buffer.concat(heads).toString();
  return { own, far, outlet, countLent: () => outlet.bytes - head().length, head };
}

/** The content of chunks, up to the last chunk. */
async function readChunks(far: Socket): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of far.iterator({ destroyOnReturn: false })) {
    parts.push(part);
    if (part.subarray(-5).toString() === '0\r\n\r\n') break;
  }
  const bytes = Buffer.concat(parts);
  let body = '';
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (length === 0) return body;
    body += bytes.toString('latin1', end + 2, end + 2 + length);
    at = end + 2 + length + 2;
  }
}

it.skipIf(!hasProc)(
  'lets the engine write the rest of a long answer to a connection that stays open',
  async () => {
    const { start, host, run, registry } = makeProcessHost();
    await run('select 1');
    const before = countOpenFiles(host.pid!);
    for (let round = 0; round < 5; round += 1) {
      const { own, far, outlet, countLent, head } = await makeLender();
      const chunks = readChunks(far);
      expect(await start(LONG, {}, outlet)).toMatchObject({ status: 'done', rows: ROWS });
      own.write('0\r\n\r\n');
      const rest = await chunks;
      expect(head() + rest === EXPECTED).toBe(true);
      expect(head().length).toBeLessThanOrEqual(64 * 1024);
      expect(countLent()).toBe(rest.length);
      // Both sides receive each other's bytes.
      far.write('next');
      own.resume();
      expect(String(await once(own, 'data'))).toBe('next');
    }
    expect(registry.list()).toEqual([]);
    expect(countOpenFiles(host.pid!)).toBe(before);
  },
);

it('does not use the connection for a short answer', async () => {
  const { start } = makeProcessHost();
  const { outlet, countLent, head } = await makeLender();
  expect(await start('select 42 as x', {}, outlet)).toMatchObject({ status: 'done' });
  expect(head()).toBe('x\n42\n');
  expect(countLent()).toBe(0);
});

it.skipIf(!hasProc)(
  'stops when it is cancelled while a client does not read, and releases the connection',
  async () => {
    const { start, host, run, registry } = makeProcessHost();
    await run('select 1');
    const before = countOpenFiles(host.pid!);
    const { outlet, countLent } = await makeLender();
    const running = start(UNENDING, {}, outlet);
    await eventually(() => expect(countLent()).toBeGreaterThan(100_000));
    expect(registry.list()[0]!.bytes).toBeGreaterThan(100_000);
    registry.cancel('e1');
    expect(errorOf(await running).code).toBe('cancelled');
    expect(countOpenFiles(host.pid!)).toBe(before);
    expect((await run('select 2 as x')).output).toBe('x\n2\n');
  },
);

it('ends when the client has disconnected, also without a message about it', async () => {
  const { start, run } = makeProcessHost();
  const { far, outlet } = await makeLender();
  far.once('data', () => far.destroy());
  expect(errorOf(await start(UNENDING, {}, outlet)).code).toMatch(/output|cancelled|lost/);
  expect((await run('select 2 as x')).output).toBe('x\n2\n');
});

it('fails with `lost` when the engine ends', async () => {
  const { start, host, run } = makeProcessHost();
  const { far, outlet } = await makeLender();
  far.once('data', () => process.kill(host.pid!, 'SIGKILL'));
  expect(errorOf(await start(UNENDING, {}, outlet)).code).toBe('lost');
  expect((await run('select 2 as x')).output).toBe('x\n2\n');
});

it('fails where the connection cannot be lent', async () => {
  const { start } = makeProcessHost();
  const sink: Sink = {
    write: () => {},
    transferSocket: () => Promise.reject(new Error('the client has left')),
  };
  const error = errorOf(await start(UNENDING, {}, sink));
  expect(error).toMatchObject({ code: 'output', message: expect.stringContaining('the client has left') });
});
