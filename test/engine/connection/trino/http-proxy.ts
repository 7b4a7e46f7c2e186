import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { onTestFinished } from 'vitest';

/** A request that the proxy has received. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Decides what happens to a request: `forward` passes it on, and may change the body of the answer; everything else
 * answers it, or breaks the connection.
 */
export type Handle = (
  seen: SeenRequest,
  answer: ServerResponse,
) => 'forward' | ((body: Buffer, answer: ServerResponse) => Buffer) | 'answered';

export interface HttpProxy {
  readonly port: number;
  readonly seen: readonly SeenRequest[];
  /** Ends all connections, and refuses new ones. */
  stop(): void;
}

/** Starts a proxy of HTTP in front of a server on this machine, which ends with the test. */
export async function startHttpProxy(target: number, handle: Handle): Promise<HttpProxy> {
  const seen: SeenRequest[] = [];
  const server = createServer((incoming, answer) => {
    const { method = '', url = '', headers } = incoming;
    const own = { method, path: url, headers };
    seen.push(own);
    const how = handle(own, answer);
    if (how !== 'answered') forward(target, incoming, answer, how === 'forward' ? (body) => body : how);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(stop);
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, seen, stop };
}

/** The server makes addresses from the header `Host`, which stays the one of the proxy. */
function forward(
  target: number,
  incoming: IncomingMessage,
  answer: ServerResponse,
  change: (body: Buffer, answer: ServerResponse) => Buffer,
): void {
  const { method, url, headers } = incoming;
  const outgoing = request({ host: '127.0.0.1', port: target, method, path: url, headers, agent: false });
  outgoing.on('error', () => answer.destroy());
  outgoing.on('response', async (found) => {
    const parts: Buffer[] = [];
    for await (const part of found as AsyncIterable<Buffer>) parts.push(part);
    const body = change(Buffer.concat(parts), answer);
    const { 'content-length': _, ...rest } = found.headers;
    if (!answer.headersSent) answer.writeHead(found.statusCode ?? 500, rest).end(body);
  });
  incoming.pipe(outgoing);
}
