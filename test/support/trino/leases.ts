import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ClusterOptions, RunningCluster } from './cluster.ts';

/** An exclusive lease is for a test that makes queries of others fail, because it ends a worker. */
export type LeaseKind = 'shared' | 'exclusive';
/** The answer to a request for a lease. */
export type LeaseAnswer = { readonly options: ClusterOptions } | { readonly error: string };

interface Lease {
  readonly kind: LeaseKind;
  readonly socket: Socket;
}

/** A server of leases of one cluster. */
export interface LeaseServer {
  /** A socket. A client sends a line with the kind, and holds the lease from the answer until it closes. */
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Serves leases of a cluster to the processes of the tests. Starts the cluster for the first of them, because it takes
 * 15 to 70 seconds of two processors.
 */
export function serveLeases(start: () => Promise<RunningCluster>): LeaseServer {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-leases-'));
  const address = path.join(folder, 'socket');
  let cluster: Promise<RunningCluster> | null = null;
  const held = new Set<Lease>();
  const waiting: Lease[] = [];

  const grant = async (lease: Lease) => {
    held.add(lease);
    cluster ??= start();
    const answer: LeaseAnswer = await cluster.then(
      ({ options }) => ({ options }),
      (error: Error) => ({ error: error.message }),
    );
    lease.socket.write(`${JSON.stringify(answer)}\n`);
  };
  const grantNext = () => {
    const [next] = waiting;
    const isFree = held.size === 0 || (next?.kind === 'shared' && [...held].every(isShared));
    if (next === undefined || !isFree) return;
    waiting.shift();
    void grant(next);
    grantNext();
  };
  const server = createServer((socket) => {
    createInterface({ input: socket }).once('line', (kind) => {
      const lease: Lease = { kind: kind === 'exclusive' ? kind : 'shared', socket };
      waiting.push(lease);
      socket.once('close', () => {
        held.delete(lease);
        if (waiting.includes(lease)) waiting.splice(waiting.indexOf(lease), 1);
        grantNext();
      });
      grantNext();
    });
    socket.on('error', () => {});
  });
  server.listen(address);
  return {
    address,
    async stop() {
      for (const { socket } of [...held, ...waiting]) socket.destroy();
      server.close();
      rmSync(folder, { recursive: true, force: true });
      const running = await cluster?.catch(() => null);
      await running?.stop();
    },
  };
}

function isShared({ kind }: Lease): boolean {
  return kind === 'shared';
}
