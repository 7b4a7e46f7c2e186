import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ClusterOptions, RunningCluster } from './cluster.ts';

/** What a process of the tests reads from the socket: one line of JSON. It has written the number of workers before. */
export type ClusterAnswer = { readonly options: ClusterOptions } | { readonly error: string };

/** Starts a coordinator with so many workers. */
export type StartCluster = (workers: number) => Promise<RunningCluster>;

/** A server that leases clusters. */
export interface ClusterServer {
  /** The path of a socket; a lease ends with its connection. */
  readonly address: string;
  /** Processor time of all nodes that have run, in hundredths of a second. */
  readWork(): number;
  stop(): Promise<void>;
}

/** How long a cluster without a lease runs: longer than the time between two of the files that use it. */
const IDLE_MS = 60_000;

/** Clusters with the same number of workers: one runs while there are leases. */
class Leases {
  readonly #start: () => Promise<RunningCluster>;
  readonly #leases = new Set<Socket>();
  #cluster: Promise<RunningCluster> | null = null;
  #running: RunningCluster | null = null;
  #pastWork = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopped: Promise<unknown> = Promise.resolve();

  constructor(start: () => Promise<RunningCluster>) {
    this.#start = start;
  }

  get work(): number {
    return this.#pastWork + (this.#running?.readWork() ?? 0);
  }

  async lease(socket: Socket): Promise<void> {
    clearTimeout(this.#timer);
    this.#leases.add(socket);
    socket.once('close', () => this.#end(socket));
    this.#cluster ??= this.#start().then((running) => {
      this.#running = running;
      return running;
    });
    const answer: ClusterAnswer = await this.#cluster.then(
      ({ options }) => ({ options }),
      (error: Error) => ({ error: error.message }),
    );
    socket.write(`${JSON.stringify(answer)}\n`);
  }

  /** Stops the cluster at once if no test uses it. */
  stopIdle(): void {
    if (this.#leases.size === 0) this.#stopCluster();
  }

  async stop(): Promise<void> {
    for (const socket of this.#leases) socket.destroy();
    this.#stopCluster();
    await this.#stopped;
  }

  #end(socket: Socket): void {
    this.#leases.delete(socket);
    if (this.#leases.size === 0) this.#timer = setTimeout(() => this.#stopCluster(), IDLE_MS).unref();
  }

  #stopCluster(): void {
    clearTimeout(this.#timer);
    const ending = this.#cluster?.catch(() => null);
    this.#pastWork = this.work;
    this.#cluster = null;
    this.#running = null;
    this.#stopped = Promise.all([this.#stopped, ending?.then((own) => own?.stop())]);
  }
}

/**
 * Tells the processes of the tests how to use a cluster. Starts it for the first of them, because it takes 15 to 70
 * seconds of two processors, and stops it after the last, because nodes that do nothing take processor time, too.
 */
export function serveCluster(start: StartCluster): ClusterServer {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-cluster-'));
  const address = path.join(folder, 'socket');
  const byWorkers = new Map<string, Leases>();
  const findLeases = (workers: string) => {
    const found = byWorkers.get(workers) ?? new Leases(() => start(Number(workers)));
    byWorkers.set(workers, found);
    return found;
  };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    createInterface(socket).once('line', (workers) => {
      const leases = findLeases(workers);
      for (const other of byWorkers.values()) if (other !== leases) other.stopIdle();
      void leases.lease(socket);
    });
  });
  server.listen(address);
  return {
    address,
    readWork: () => [...byWorkers.values()].reduce((sum, { work }) => sum + work, 0),
    async stop() {
      server.close();
      await Promise.all([...byWorkers.values()].map((leases) => leases.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
