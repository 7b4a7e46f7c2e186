import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type AnswerServer, listenForReaders } from '../../../src/execution/engine-process/answer-server.ts';
import { type AnswerSink, createAnswerSink } from '../../../src/execution/engine-process/answer-sink.ts';
import type { AnswerMessage } from '../../../src/execution/engine-process/engine-messages.ts';
import { connectToFrames } from '../../../src/execution/frames/frame-connection.ts';
import { printMessage, readAnswer } from '../../../src/execution/frames/socket-frames.ts';
import { makeFolder } from '../../support/quern.ts';
import { waitUntilStalled } from '../../support/waiting.ts';
import { connectBoth } from '../connections.ts';

const KEY = randomUUID();

async function listen() {
  const socket = path.join(makeFolder(), 'engine');
  const server = await listenForReaders(socket);
  onTestFinished(() => server.close());
  return { ...server, socket };
}

/** Fetches an answer as the parent does. */
function fetchAnswer(socket: string, key = KEY) {
  const connection = connectToFrames(socket);
  onTestFinished(() => void connection.socket.destroy());
  connection.socket.write(printMessage(key));
  return connection;
}

/** A sink, and the messages that it has sent. */
function makeSink(readers: AnswerServer, key = KEY) {
  const messages: AnswerMessage[] = [];
  const head = Promise.withResolvers<string>();
  const sink = createAnswerSink({
    readers,
    key,
    tell(message) {
      messages.push(message);
      if (message.kind === 'begun') head.resolve(Buffer.from(message.head).toString());
    },
  });
  return { sink, messages, head: head.promise };
}

/** Writes without end. */
async function writeOn(sink: AnswerSink, onWritten = () => {}): Promise<never> {
  for (;;) {
    await sink.write(Buffer.alloc(100_000));
    onWritten();
  }
}

it('keeps a short answer and returns it at the end', async () => {
  const { sink, messages } = makeSink(await listen());
  await sink.write(Buffer.from('ab'));
  await sink.write(Buffer.from('c'));
  expect(await sink.finish()).toEqual(Buffer.from('abc'));
  expect(await makeSink(await listen()).sink.finish()).toEqual(Buffer.from(''));
  expect(messages).toEqual([]);
});

it('sends the first bytes of a slow answer early, also when the answer is short', async () => {
  const server = await listen();
  const { sink, head } = makeSink(server);
  await sink.write(Buffer.from('first'));
  expect(await head).toBe('first');
  fetchAnswer(server.socket);
  expect(await sink.finish()).toBeNull();
});

it('sends the first bytes of a long answer at once, and limits their number', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { sink, head } = makeSink(await listen());
  const written = sink.write(Buffer.alloc(400_000, 'a'));
  expect(await head).toMatch(/^a{65536}$/);
  sink.cut();
  await expect(written).rejects.toThrow('the answer is cut off');
});

it('sends the rest of a long answer in order when it is fetched', async () => {
  const server = await listen();
  const parts: Uint8Array[] = [];
  const add = { write: (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)) };
  const { sink, head } = makeSink(server);
  const read = head.then(() =>
    readAnswer(fetchAnswer(server.socket).frames, add, () => new Error('not all has come')),
  );
  for (let i = 0; i < 20; i += 1) await sink.write(Buffer.alloc(i === 3 ? 200_000 : 10_000, String(i % 10)));
  expect(await sink.finish()).toBeNull();
  const expected = Array.from({ length: 20 }, (_, i) => String(i % 10).repeat(i === 3 ? 200_000 : 10_000));
  await read;
  expect((await head) + Buffer.concat(parts).toString()).toBe(expected.join(''));
});

it('writes chunks to a connection and reports how many bytes it has sent', async () => {
  const { near, far } = await connectBoth();
  const { sink, messages, head } = makeSink(await listen());
  head.then(() => sink.go(near));
  await sink.write(Buffer.alloc(70_000, 'a'));
  await sink.write(Buffer.alloc(0));
  await sink.write(Buffer.from('b'));
  expect(await sink.finish()).toBeNull();
  expect(await head).toBe('a'.repeat(65_536));
  const rest = `1170\r\n${'a'.repeat(4_464)}\r\n1\r\nb\r\n`;
  let received = '';
  for await (const part of far) {
    received += part;
    if (received.length >= rest.length) break;
  }
  expect(received).toBe(rest);
  expect(sum(messages)).toBe(4_465);
});

it('writes several parts to a connection as one chunk', async () => {
  const { near, far } = await connectBoth();
  const { sink, messages, head } = makeSink(await listen());
  head.then(() => sink.go(near));
  await sink.write(Buffer.alloc(65_536));
  await sink.writeAll?.([Buffer.from('ab'), Buffer.alloc(0), Buffer.from('c')]);
  await sink.writeAll?.([]);
  const [received] = await once(far, 'data');
  expect(String(received)).toBe('3\r\nabc\r\n');
  expect(await sink.finish()).toBeNull();
  expect(sum(messages)).toBe(3);
});

it('waits for a client that reads slowly', async () => {
  const { near, far } = await connectBoth();
  const { sink, messages, head } = makeSink(await listen());
  head.then(() => sink.go(near));
  let written = 0;
  const writing = (async () => {
    for (; written < 64_000_000; written += 1_000_000) await sink.write(Buffer.alloc(1_000_000));
  })();
  await waitUntilStalled(() => written);
  expect(written).toBeLessThan(32_000_000);
  expect(sum(messages)).toBeGreaterThan(written - 2_000_000);
  far.resume();
  await writing;
  await sink.finish();
  expect(sum(messages)).toBe(64_000_000 - 65_536);
});

it('fails when the other side closes the connection', async () => {
  const server = await listen();
  const { sink, head } = makeSink(server);
  const writing = writeOn(sink);
  await head;
  const { socket, frames } = fetchAnswer(server.socket);
  await frames.next();
  socket.destroy();
  await expect(writing).rejects.toThrow();
  expect(await sink.finish()).toBeNull();
});

it('fails for the reader when the answer breaks off or no process listens', async () => {
  const server = await listen();
  const { sink, head } = makeSink(server);
  const writing = writeOn(sink);
  await head;
  const { frames } = fetchAnswer(server.socket);
  await frames.next();
  sink.cut();
  await expect(writing).rejects.toThrow();
  const lost = () => new Error('not all has come');
  await expect(readAnswer(frames, { write: () => {} }, lost)).rejects.toThrow('not all has come');
  const nowhere = fetchAnswer(path.join(makeFolder(), 'none'));
  await expect(nowhere.frames.next()).rejects.toThrow('ENOENT');
});

it('waits for a parent that reads slowly', async () => {
  const server = await listen();
  const { sink, head } = makeSink(server);
  let written = 0;
  const writing = (async () => {
    for (; written < 16_000_000; written += 100_000) await sink.write(Buffer.alloc(100_000));
    await sink.finish();
  })();
  await head;
  const { frames } = fetchAnswer(server.socket);
  let read = 65_536;
  const count = {
    write(bytes: Uint8Array) {
      read += bytes.length;
    },
  };
  await waitUntilStalled(() => written);
  expect(written).toBeLessThan(2_000_000);
  await readAnswer(frames, count, () => new Error('not all has come'));
  await writing;
  expect(read).toBe(16_000_000);
});

it('fails when a client disconnects', async () => {
  const { near, far } = await connectBoth();
  const { sink, head } = makeSink(await listen());
  head.then(() => sink.go(near));
  const writing = writeOn(sink);
  far.once('readable', () => far.destroy());
  await expect(writing).rejects.toThrow(/EPIPE|ECONNRESET/);
  expect(await sink.finish()).toBeNull();
});

it('stops while it waits for room, and before it knows the target', async () => {
  const { near } = await connectBoth();
  const full = makeSink(await listen());
  full.head.then(() => full.sink.go(near));
  let written = 0;
  const writing = writeOn(full.sink, () => {
    written += 1;
  });
  await waitUntilStalled(() => written);
  full.sink.cut();
  await expect(writing).rejects.toThrow();
  const late = makeSink(await listen());
  const waiting = late.sink.write(Buffer.alloc(40_000));
  late.sink.cut();
  await expect(waiting).rejects.toThrow('the answer is cut off');
  const other = await connectBoth();
  late.sink.go(other.near);
  expect(await late.sink.finish()).toBeNull();
  const ended = (async () => {
    for await (const part of other.far) expect(part).toHaveLength(0);
  })();
  await expect(ended).resolves.toBeUndefined();
});

it('accepts no connection without a valid key', async () => {
  const server = await listen();
  const taken: Socket[] = [];
  server.expect(KEY, (socket) => taken.push(socket));
  const unauthorized = fetchAnswer(server.socket, randomUUID());
  expect(await unauthorized.frames.next().catch(() => ({ done: true }))).toMatchObject({ done: true });
  const silent = connect(server.socket);
  await once(silent.resume(), 'connect');
  silent.write('x');
  const other = connect(server.socket);
  await once(other.resume(), 'connect');
  other.write('this is no frame');
  await once(other, 'close');
  server.close();
  await once(silent, 'close');
  expect(taken).toEqual([]);
});

/** How many bytes the messages report as sent. */
function sum(messages: readonly AnswerMessage[]): number {
  return messages.reduce((bytes, message) => bytes + (message.kind === 'sent' ? message.bytes : 0), 0);
}
