import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { notNull } from '../../src/invariants/must.ts';
import { findHandle } from '../../src/server/exec/transfer-socket.ts';

/** A connection on loopback, which ends with the test. */
interface Connection {
  /** The server's end, unread, and its handle, which can be lent. */
  readonly own: Socket;
  readonly near: object;
  /** The client's end, unread. */
  readonly far: Socket;
}

export async function connectBoth(): Promise<Connection> {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const far = connect(port, '127.0.0.1');
  far.on('error', () => {});
  const [own]: [Socket] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    far.destroy();
    own.destroy();
    server.close();
  });
  return { own, near: notNull(findHandle(own)), far };
}
