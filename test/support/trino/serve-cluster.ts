import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ClusterOptions, RunningCluster } from './cluster.ts';

/** What a process of the tests reads from the socket: one line of JSON. */
export type ClusterAnswer = { readonly options: ClusterOptions } | { readonly error: string };

/** A server that tells how to use a cluster. */
export interface ClusterServer {
  /** The path of a socket. */
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Tells the processes of the tests how to use a cluster. Starts it for the first of them, because it takes 15 to 70
 * seconds of two processors.
 */
export function serveCluster(start: () => Promise<RunningCluster>): ClusterServer {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-cluster-'));
  const address = path.join(folder, 'socket');
  let cluster: Promise<RunningCluster> | null = null;
  const waiting = new Set<Socket>();

  const server = createServer(async (socket) => {
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
    socket.on('error', () => {});
    cluster ??= start();
    const answer: ClusterAnswer = await cluster.then(
      ({ options }) => ({ options }),
      (error: Error) => ({ error: error.message }),
    );
    socket.end(`${JSON.stringify(answer)}\n`);
  });
  server.listen(address);
  return {
    address,
    async stop() {
      for (const socket of waiting) socket.destroy();
      server.close();
      rmSync(folder, { recursive: true, force: true });
      const running = await cluster?.catch(() => null);
      await running?.stop();
    },
  };
}
