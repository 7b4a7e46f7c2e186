import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ClusterOptions, RunningCluster } from './cluster.ts';

/** What a process of the tests reads from the socket: one line of JSON. */
export type ClusterAnswer = { readonly options: ClusterOptions } | { readonly error: string };

/** A server that leases a cluster. */
export interface ClusterServer {
  /** The path of a socket; a lease ends with its connection. */
  readonly address: string;
  /** Processor time of all nodes that have run, in hundredths of a second. */
  readWork(): number;
  stop(): Promise<void>;
}

/** How long a cluster without a lease runs: longer than the time between two of the files that use it. */
const IDLE_MS = 60_000;

/**
 * Tells the processes of the tests how to use a cluster. Starts it for the first of them, because it takes 15 to 70
 * seconds of two processors, and stops it after the last, because three nodes that do nothing take a tenth of one.
 */
export function serveCluster(start: () => Promise<RunningCluster>): ClusterServer {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-cluster-'));
  const address = path.join(folder, 'socket');
  const leases = new Set<Socket>();
  let cluster: Promise<RunningCluster> | null = null;
  let current: RunningCluster | null = null;
  let pastWork = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped: Promise<unknown> = Promise.resolve();

  function stopCluster(): void {
    const running = cluster?.catch(() => null);
    cluster = null;
    pastWork += current?.readWork() ?? 0;
    current = null;
    stopped = Promise.all([stopped, running?.then((own) => own?.stop())]);
  }

  function end(lease: Socket): void {
    leases.delete(lease);
    if (leases.size === 0) timer = setTimeout(stopCluster, IDLE_MS).unref();
  }

  const server = createServer(async (lease) => {
    clearTimeout(timer);
    leases.add(lease);
    lease.on('error', () => {}).once('close', () => end(lease));
    cluster ??= start().then((running) => {
      current = running;
      return running;
    });
    const answer: ClusterAnswer = await cluster.then(
      ({ options }) => ({ options }),
      (error: Error) => ({ error: error.message }),
    );
    lease.write(`${JSON.stringify(answer)}\n`);
  });
  server.listen(address);
  return {
    address,
    readWork: () => pastWork + (current?.readWork() ?? 0),
    async stop() {
      server.close();
      for (const lease of leases) lease.destroy();
      clearTimeout(timer);
      rmSync(folder, { recursive: true, force: true });
      stopCluster();
      await stopped;
    },
  };
}
