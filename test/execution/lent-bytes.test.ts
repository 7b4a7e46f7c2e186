import { randomUUID } from 'node:crypto';
import { openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openOutput } from '../../src/cli/context/output.ts';
import { openOutputFile } from '../../src/cli/terminal/output-file.ts';
import { openSpool } from '../../src/engine/run/outcome/spool.ts';
import { type AnswerServer, listenForReaders } from '../../src/execution/engine-process/answer-server.ts';
import { createAnswerSink } from '../../src/execution/engine-process/answer-sink.ts';
import { fetchAnswer } from '../../src/execution/frames/fetch-answer.ts';
import { createResultFiles } from '../../src/execution/results/result-files.ts';
import { call, listen } from '../server/local/calling.ts';
import { makeFolder } from '../support/quern.ts';
import { PARTS, WHOLE, writeAndSpend } from '../support/spent-bytes.ts';
import { waitUntilStalled } from '../support/waiting.ts';
import { connectBoth } from './connections.ts';

/** Collects copies of bytes. */
function collect() {
  const parts: Buffer[] = [];
  return {
    write: (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)),
    read: () => Buffer.concat(parts),
  };
}

/** Writes all parts; `whenStalled` resolves when the sink waits for the other side, which does not read yet. */
function startWriting(sink: Parameters<typeof writeAndSpend>[0]) {
  let written = 0;
  const all = writeAndSpend(sink, PARTS, (bytes) => {
    written += bytes;
  });
  return { all, whenStalled: () => waitUntilStalled(() => written) };
}

async function makeAnswerSink(key: string) {
  const socket = path.join(makeFolder(), 'engine');
  const readers: AnswerServer = await listenForReaders(socket);
  onTestFinished(() => readers.close());
  const head = Promise.withResolvers<Buffer>();
  const sink = createAnswerSink({
    readers,
    key,
    tell: (message) => message.kind === 'begun' && head.resolve(Buffer.from(message.head)),
  });
  return { sink, socket, head: head.promise };
}

function expectWhole(bytes: Uint8Array): void {
  // A comparison of the arrays themselves would print megabytes.
  expect(WHOLE.equals(bytes)).toBe(true);
}

describe('the memory of written bytes can be used again', () => {
  it('after a spool has stored or passed them on', async () => {
    const spool = await openSpool(makeFolder(), WHOLE.length);
    onTestFinished(() => spool.close());
    const [stored, passed] = [PARTS.slice(0, 9), PARTS.slice(9)];
    await writeAndSpend(spool, stored);
    const target = collect();
    await spool.release(target);
    await writeAndSpend(spool, passed);
    expectWhole(target.read());
  });

  it('after a result has been written to a file', async () => {
    const most = WHOLE.length;
    const file = createResultFiles(makeFolder(), { result: most, perOwner: most, total: most }).create(
      'a',
      'b',
    );
    await writeAndSpend(file);
    await file.end();
    expectWhole(await buffer(await file.read()));
  });

  it('while a short answer is held back', async () => {
    const { sink } = await makeAnswerSink(randomUUID());
    const short = PARTS.slice(0, 3);
    await writeAndSpend(sink, short);
    expect(await sink.finish()).toEqual(Buffer.concat(short));
  });

  it('after a part of an answer has been sent on a socket whose reader is late', async () => {
    const key = randomUUID();
    const { sink, socket, head } = await makeAnswerSink(key);
    const { all, whenStalled } = startWriting(sink);
    const first = await head;
    await whenStalled();
    const rest = collect();
    const { end } = fetchAnswer(socket, key, rest, () => new Error('the answer is incomplete'));
    await all;
    expect(await sink.finish()).toBeNull();
    await end;
    expectWhole(Buffer.concat([first, rest.read()]));
  });

  it('after several parts of an answer have been sent together', async () => {
    const key = randomUUID();
    const { sink, socket, head } = await makeAnswerSink(key);
    const { all } = startWriting({
      write: (bytes) => sink.writeAll?.([bytes.subarray(0, 7), bytes.subarray(7)]),
    });
    const first = await head;
    const rest = collect();
    const { end } = fetchAnswer(socket, key, rest, () => new Error('the answer is incomplete'));
    await all;
    await sink.finish();
    await end;
    expectWhole(Buffer.concat([first, rest.read()]));
  });

  it('after a part of an answer has been sent on a connection whose client is late', async () => {
    const { near, far } = await connectBoth();
    const { sink, head } = await makeAnswerSink(randomUUID());
    const { all, whenStalled } = startWriting(sink);
    const first = await head;
    sink.go(near);
    await whenStalled();
    const chunks = collect();
    far.on('data', chunks.write);
    await all;
    await sink.finish();
    await waitUntilStalled(() => chunks.read().length);
    expectWhole(Buffer.concat([first, readChunks(chunks.read())]));
  });

  it('after an answer to a command has been sent to a caller that is late', async () => {
    const written = Promise.withResolvers<ReturnType<typeof startWriting>>();
    const { file } = listen(async (_input, sink) => {
      const writing = startWriting(sink);
      written.resolve(writing);
      await writing.all;
    });
    const target = collect();
    let isLate = true;
    const late = {
      async write(bytes: Uint8Array) {
        if (isLate) await (await written.promise).whenStalled();
        isLate = false;
        target.write(bytes);
      },
    };
    await call(file, 'all', late);
    expectWhole(target.read());
  });

  it('after output has been written, also while the next part is prepared', async () => {
    const file = path.join(makeFolder(), 'out');
    const output = openOutput(openSync(file, 'w'), { overlap: true, isVital: true, isForPeople: false });
    await writeAndSpend(output);
    await output.flush();
    expectWhole(readFileSync(file));
  });

  it('after a file of `--output` has been written', async () => {
    const folder = makeFolder();
    const file = await openOutputFile('out', folder);
    await writeAndSpend(file);
    await file.keep();
    expectWhole(readFileSync(path.join(folder, 'out')));
  });
});

/** The content of chunks of HTTP/1.1. */
function readChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
  return Buffer.concat(parts);
}
