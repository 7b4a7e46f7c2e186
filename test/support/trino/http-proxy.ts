import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';

/** What a proxy does with a request: forward it (null), or answer it with a status. */
export type Decide = (incoming: IncomingMessage) => number | null;

/** A proxy in front of a coordinator; the addresses that the server sends are those of the proxy. */
interface HttpProxy {
  readonly port: number;
  stop(): void;
}

/** Starts a proxy of a port on loopback that answers some requests itself, as an overloaded one does. */
export async function startHttpProxy(target: number, decide: Decide): Promise<HttpProxy> {
  const server = createServer((incoming, answer) => {
    const status = decide(incoming);
    if (status !== null) {
      incoming.resume();
      answer.writeHead(status, { 'retry-after': '0' }).end();
      return;
    }
    const { method, url, headers } = incoming;
    const options = { host: '127.0.0.1', port: target, method, path: url, headers };
    const outgoing = request(options, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
