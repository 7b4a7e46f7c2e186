import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy in front of a server on loopback. */
interface Proxy {
  readonly port: number;
  /** Ends all connections, and refuses new ones. */
  cut(): void;
  /** Accepts connections again. */
  mend(): void;
  stop(): void;
}

/** Starts a proxy of a port that forwards bytes. */
export async function startProxy(target: number): Promise<Proxy> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((outer) => {
    if (isCut) return outer.destroy();
    const inner = connect(target, '127.0.0.1');
    for (const socket of [outer, inner]) {
      open.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket);
          inner.destroy();
          outer.destroy();
        });
    }
    outer.pipe(inner).pipe(outer);
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const destroyAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut() {
      isCut = true;
      destroyAll();
    },
    mend() {
      isCut = false;
    },
    stop() {
      server.close();
      destroyAll();
    },
  };
}
