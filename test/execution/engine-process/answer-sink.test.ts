import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Sink } from '../../../src/engine/result/columns/sink.ts';
import { type AnswerServer, listenForReaders } from '../../../src/execution/engine-process/answer-server.ts';
import { type AnswerSink, createAnswerSink } from '../../../src/execution/engine-process/answer-sink.ts';
import type { AnswerMessage } from '../../../src/execution/engine-process/engine-messages.ts';
import { fetchAnswer } from '../../../src/execution/frames/fetch-answer.ts';
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

/** Fetches an answer as the parent does; `begun` resolves at its first bytes. */
function fetchFrom(
  socket: string,
  { key = KEY, write = () => {} }: { readonly key?: string; readonly write?: Sink['write'] } = {},
) {
  const first = Promise.withResolvers<void>();
  const sink: Sink = {
    write(bytes) {
      first.resolve();
      return write(bytes);
    },
  };
  const answer = fetchAnswer(socket, key, sink, () => new Error('not all has come'));
  onTestFinished(() => answer.destroy());
  // Some tests do not read it to its end.
  answer.end.catch(() => {});
  return { ...answer, begun: first.promise };
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
  const { end } = fetchFrom(server.socket);
  expect(await sink.finish()).toBeNull();
  await end;
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

it.each(['at once', 'later'])(
  'sends the rest of a long answer in order to a target that takes it %s',
  async (when) => {
    const server = await listen();
    const parts: Uint8Array[] = [];
    const keep = (bytes: Uint8Array) => void parts.push(Buffer.from(bytes));
    const write = when === 'at once' ? keep : (bytes: Uint8Array) => nextTurn(bytes).then(keep);
    const { sink, head } = makeSink(server);
    const read = head.then(() => fetchFrom(server.socket, { write }).end);
    for (let i = 0; i < 20; i += 1)
      await sink.write(Buffer.alloc(i === 3 ? 200_000 : 10_000, String(i % 10)));
    expect(await sink.finish()).toBeNull();
    const expected = Array.from({ length: 20 }, (_, i) => String(i % 10).repeat(i === 3 ? 200_000 : 10_000));
    await read;
    expect((await head) + Buffer.concat(parts).toString()).toBe(expected.join(''));
  },
);

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
  const { begun, destroy, end } = fetchFrom(server.socket);
  await begun;
  destroy();
  await expect(end).rejects.toThrow('not all has come');
  await expect(writing).rejects.toThrow();
  expect(await sink.finish()).toBeNull();
});

it('fails for the reader when the answer breaks off or no process listens', async () => {
  const server = await listen();
  const { sink, head } = makeSink(server);
  const writing = writeOn(sink);
  await head;
  const { begun, end } = fetchFrom(server.socket);
  await begun;
  sink.cut();
  await expect(writing).rejects.toThrow();
  await expect(end).rejects.toThrow('not all has come');
  const nowhere = fetchFrom(path.join(makeFolder(), 'none'));
  await expect(nowhere.end).rejects.toThrow('not all has come');
});

it.each([
  [
    'at once',
    () => {
      throw new Error('the disk is full');
    },
  ],
  [
    'later',
    async () => {
      await nextTurn();
      throw new Error('the disk is full');
    },
  ],
])('ends with the error of a target that fails %s, and stops writing', async (_, fail) => {
  const server = await listen();
  const { sink, head } = makeSink(server);
  const writing = writeOn(sink);
  await head;
  const write = vi.fn(fail);
  const { end } = fetchFrom(server.socket, { write });
  await expect(end).rejects.toThrow('the disk is full');
  await expect(writing).rejects.toThrow();
  expect(write).toHaveBeenCalledTimes(1);
});

it('stops writing after the reader has disconnected', async () => {
  const server = await listen();
  const { sink, head } = makeSink(server);
  const small = (async () => {
    await sink.write(Buffer.alloc(70_000));
    for (;;) await sink.writeAll?.([Buffer.from('a'), Buffer.from('b')]);
  })();
  small.catch(() => {});
  await head;
  const taken = Promise.withResolvers<void>();
  const write = vi.fn(() => taken.promise);
  const { begun, destroy, end } = fetchFrom(server.socket, { write });
  await begun;
  destroy();
  taken.resolve();
  await expect(end).rejects.toThrow('not all has come');
  await expect(small).rejects.toThrow();
  expect(write).toHaveBeenCalledTimes(1);
});

it('rejects an answer that is not in frames', async () => {
  const file = path.join(makeFolder(), 'engine');
  const server = createServer((socket) => socket.end('this is no frame')).listen(file);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  await expect(fetchFrom(file).end).rejects.toThrow('invalid frame received');
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
  const wanted = Promise.withResolvers<void>();
  let read = 65_536;
  const { end } = fetchFrom(server.socket, {
    write(bytes) {
      read += bytes.length;
      return wanted.promise;
    },
  });
  await waitUntilStalled(() => written);
  expect(written).toBeLessThan(2_000_000);
  wanted.resolve();
  await end;
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
  const unauthorized = fetchFrom(server.socket, { key: randomUUID() });
  await expect(unauthorized.end).rejects.toThrow('not all has come');
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
