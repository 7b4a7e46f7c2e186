import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { Outlet } from '../../../src/execution/contract/outlet.ts';
import { waitUntil } from '../../support/waiting.ts';
import { ENDLESS, errorOf, makeProcessHost, never, toRequest } from '../hosts.ts';

const server = inject('postgresql');

/**
 * A proxy between the engine and a server; when the engine sends the text `freezeAfter`, the proxy stops
 * forwarding and closes nothing.
 */
async function startProxy(port: number) {
  const sockets: Socket[] = [];
  let sent = '';
  let isFrozen = false;
  const proxy = createServer((near) => {
    sockets.push(near);
    near.on('error', () => {});
    if (isFrozen) return;
    const far = connect(port, '127.0.0.1');
    sockets.push(far);
    far.on('error', () => {});
    near.on('data', (bytes) => {
      sent += bytes;
      if (!isFrozen) far.write(bytes);
    });
    far.on('data', (bytes) => isFrozen || near.write(bytes));
    near.on('close', () => isFrozen || far.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = proxy.address();
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen');
  const freezeAfter = async (text: string) => {
    await waitUntil(() => sent.includes(text));
    isFrozen = true;
  };
  return { port: String(address.port), freezeAfter };
}

describe.skipIf(server === null)('a database server that does not answer', () => {
  it('delays only the execution that waits for it', async () => {
    const { host, folder, run } = makeProcessHost();
    const proxy = await startProxy(Number(server!.port));
    const connection = {
      name: 'pg',
      kind: 'postgresql',
      options: { ...server!, port: proxy.port },
      overrides: {},
    } as const;
    const ask = (text: string, timeoutMs: number | null) => {
      const request = toRequest(text, folder, { limits: { timeoutMs } });
      return host.run({ ...request, connection }, new Outlet(() => ({ write: () => {} })), never);
    };
    expect(await ask('select 42 as x', null)).toMatchObject({ status: 'done', rows: 1 });
    const stop = new AbortController();
    const other = run(ENDLESS, {}, stop.signal);
    const pid = host.pid;
    const frozen = ask('select pg_sleep(600)', 1_500);
    await proxy.freezeAfter('pg_sleep(600)');
    expect(errorOf(await frozen).code).toBe('timeout');
    expect(errorOf(await ask('select 1', 500)).code).toBe('timeout');
    expect(host.pid).toBe(pid);
    stop.abort();
    expect(errorOf((await other).outcome).code).toBe('cancelled');
    expect((await run('select 1 as x')).output).toBe('x\n1\n');
  });
});
