import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { findHandle, transferSocket } from '../../../src/server/exec/transfer-socket.ts';

/** A response that has started with some headers, and its client. */
async function startResponse(headers: Readonly<Record<string, string>>) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = get({ port, host: '127.0.0.1', agent: false });
  client.on('error', () => undefined);
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  const [, response]: [unknown, ServerResponse] = (await once(server, 'request')) as never;
  response.writeHead(200, headers);
  response.write('a');
  return response;
}

it('finds the socket of a chunked response in the installed Node.js', async () => {
  const response = await startResponse({});
  const handle = await transferSocket(response);
  expect(handle?.constructor.name).toBe('TCP');
  expect(findHandle(response.socket as Socket)).toBe(handle);
});

it('finds no socket of a response with a known length', async () => {
  expect(await transferSocket(await startResponse({ 'content-length': '1' }))).toBe(null);
});

it('finds no socket after the connection is closed', async () => {
  const response = await startResponse({});
  const socket = response.socket as Socket;
  socket.destroy();
  await once(socket, 'close');
  expect(findHandle(socket)).toBe(null);
});

it.each([undefined, 7])('names the property of Node.js that has changed to %j', (handle) => {
  const socket = Object.assign(new Socket(), { _handle: handle });
  expect(() => findHandle(socket)).toThrow('Node.js no longer has `Socket._handle`: adapt');
});
