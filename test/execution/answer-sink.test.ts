import type { Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listenForAnswers } from '../../src/execution/answer-server.ts';
import { createAnswerSink } from '../../src/execution/answer-sink.ts';
import { KEY_LENGTH } from '../../src/execution/engine-messages.ts';
import { makeFolder } from '../support/quern.ts';

const KEY = 'k'.repeat(KEY_LENGTH);

async function listen() {
  const server = await listenForAnswers(makeFolder());
  onTestFinished(() => server.close());
  return server;
}

it('keeps a short answer, which needs no socket', async () => {
  const sink = createAnswerSink('/nowhere', KEY);
  await sink.write(Buffer.from('ab'));
  await sink.write(Buffer.from('c'));
  expect(await sink.finish()).toEqual({ bytes: 3, head: Buffer.from('abc') });
  expect(await createAnswerSink('/nowhere', KEY).finish()).toEqual({ bytes: 0, head: Buffer.from('') });
});

it('sends what is slow, although it is short', async () => {
  const server = await listen();
  const { promise, resolve } = Promise.withResolvers<Socket>();
  server.expect(KEY, resolve);
  const sink = createAnswerSink(server.path, KEY);
  await sink.write(Buffer.from('first'));
  const socket = await promise;
  expect((await socket[Symbol.asyncIterator]().next()).value.toString()).toBe('first');
  expect(await sink.finish()).toEqual({ bytes: 5, head: null });
});

it('sends the first bytes of a long one at once, whatever time it is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await listen();
  const { promise, resolve } = Promise.withResolvers<Socket>();
  server.expect(KEY, resolve);
  const sink = createAnswerSink(server.path, KEY);
  await sink.write(Buffer.alloc(40_000, 'a'));
  const socket = await promise;
  expect((await socket[Symbol.asyncIterator]().next()).value.toString()).toMatch(/^a+$/);
  socket.destroy();
});

it('sends a long one in order', async () => {
  const server = await listen();
  const { promise, resolve } = Promise.withResolvers<string>();
  server.expect(KEY, (socket) => resolve(text(socket)));
  const sink = createAnswerSink(server.path, KEY);
  for (let i = 0; i < 20; i += 1) await sink.write(Buffer.alloc(10_000, String(i % 10)));
  expect(await sink.finish()).toEqual({ bytes: 200_000, head: null });
  const expected = Array.from({ length: 20 }, (_, i) => String(i % 10).repeat(10_000)).join('');
  expect(await promise).toBe(expected);
});

it('fails when the other side is gone, or was never there', async () => {
  const server = await listen();
  server.expect(KEY, (socket) => socket.destroy());
  const gone = createAnswerSink(server.path, KEY);
  const writeOn = async (sink: typeof gone) => {
    for (;;) await sink.write(Buffer.alloc(100_000));
  };
  await expect(writeOn(gone)).rejects.toThrow();
  expect(await gone.finish()).toMatchObject({ head: null });
  const lonely = createAnswerSink(path.join(makeFolder(), 'none'), KEY);
  await expect(writeOn(lonely)).rejects.toThrow('ENOENT');
  expect(await lonely.finish()).toMatchObject({ head: null });
});

it('lets in nobody who does not know a key', async () => {
  const server = await listen();
  const taken: Socket[] = [];
  server.expect(KEY, (socket) => taken.push(socket));
  const stranger = createAnswerSink(server.path, 'x'.repeat(KEY_LENGTH));
  await expect(async () => {
    for (;;) await stranger.write(Buffer.alloc(100_000));
  }).rejects.toThrow();
  const silent = createAnswerSink(server.path, 'short');
  await silent.write(Buffer.alloc(0));
  await new Promise((resolve) => setTimeout(resolve, 50));
  server.close();
  expect(await silent.finish()).toMatchObject({ head: null });
  expect(taken).toEqual([]);
});
