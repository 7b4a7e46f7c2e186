import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import accepts from '@fastify/accepts';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { beginAnswer } from '../../../src/server/exec/response.ts';
import { PARTS, WHOLE, writeAndSpend } from '../../support/spent-bytes.ts';
import { waitUntilStalled } from '../../support/waiting.ts';

/** Serves parts as the result of an execution; returns the response when the server waits for its reader. */
async function serve(parts: readonly Buffer[], encoding: string): Promise<IncomingMessage> {
  let written = 0;
  const app = fastify();
  await app.register(accepts);
  app.get('/', async (incoming, reply) => {
    const body = beginAnswer(incoming, reply, { format: 'arrow', startedAt: '' });
    await writeAndSpend(body, parts, (bytes) => {
      written += bytes;
    });
    body.end();
    return reply;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const headers = { 'accept-encoding': encoding };
  const outgoing = request({ port, host: '127.0.0.1', agent: false, headers });
  onTestFinished(async () => {
    outgoing.destroy();
    await app.close();
  });
  outgoing.end();
  const [response]: [IncomingMessage] = (await once(outgoing, 'response')) as never;
  await waitUntilStalled(() => written);
  return response;
}

const DECODE = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, zstd: zstdDecompressSync };

it.each(['identity', 'gzip', 'zstd'] as const)(
  'sends a long result whose memory is used again after each write (%s)',
  async (encoding) => {
    const body = await buffer(await serve(PARTS, encoding));
    expect(WHOLE.equals(DECODE[encoding](body))).toBe(true);
  },
);

it('sends a short result whose memory is used again after the write', async () => {
  const part = PARTS.slice(1, 2);
  const response = await serve(part, 'identity');
  expect(response.headers['content-length']).toBe('9000');
  expect(Buffer.concat(part).equals(await buffer(response))).toBe(true);
});
