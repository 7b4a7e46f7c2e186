import { chownSync, lstatSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LostError } from '../../../src/execution/contract/errors.ts';
import { printMessage } from '../../../src/execution/frames/socket-frames.ts';
import { readVersion } from '../../../src/workspace/home/package-root.ts';
import { countOpenFiles } from '../../support/processes.ts';
import { makeFolder } from '../../support/quern.ts';
import { eventually, waitUntilStalled } from '../../support/waiting.ts';
import { call, listen } from './calling.ts';

/** A request of this version with any body. */
function toCall(body: Buffer): Buffer {
  const head = `POST /local/run HTTP/1.1\r\nHost: x\r\nQuern-Version: ${readVersion()}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** A server that sends `first` to every client, and nothing after that. */
async function pretend(first: Uint8Array | null, file = path.join(makeFolder(), 's')): Promise<string> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    if (first !== null) socket.write(first);
  });
  await new Promise<void>((resolve) => server.listen(file, resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return file;
}

describe('a call', () => {
  it('carries plain data in both directions, and bytes of any length in order', async () => {
    const value = { text: 'ü\0🦆', big: 2n ** 70n, map: new Map([[1, [null, undefined, Number.NaN]]]) };
    const { file } = listen(async (given, sink) => {
      for (const length of [1, 0, 3, 70_000, 3_000_000]) await sink.write(Buffer.alloc(length, length % 251));
      return given;
    });
    const parts: Uint8Array[] = [];
    expect(await call(file, value, { write: (bytes) => parts.push(bytes) })).toEqual(value);
    const expected = [1, 3, 70_000, 3_000_000].map((length) => Buffer.alloc(length, length % 251));
    expect(Buffer.concat(parts).equals(Buffer.concat(expected))).toBe(true);
  });

  it('receives its own answer when many calls run at once', async () => {
    const { file } = listen(async (given, sink) => {
      for (let at = 0; at < 50; at++) {
        await sink.write(Buffer.alloc(10_000, Number(given)));
        if (at % 10 === 0) await nextTurn();
      }
      return given;
    });
    await Promise.all(
      Array.from({ length: 40 }, async (_, own) => {
        const seen = new Set<number>();
        let bytes = 0;
        const write = (part: Uint8Array) => {
          bytes += part.length;
          for (const byte of part) seen.add(byte);
        };
        expect(await call(file, own, { write })).toBe(own);
        expect({ bytes, seen: [...seen] }).toEqual({ bytes: 500_000, seen: [own] });
      }),
    );
  });

  it('receives the answer no faster than the caller reads it', async () => {
    let written = 0;
    const { file } = listen(async (_, sink) => {
      for (; written < 1000; written++) await sink.write(Buffer.alloc(100_000));
      return 'whole';
    });
    const reading = Promise.withResolvers<void>();
    const answered = call(file, 1, { write: () => reading.promise });
    expect(await waitUntilStalled(() => written)).toBeLessThan(100);
    reading.resolve();
    expect(await answered).toBe('whole');
  });

  it('stops the work and the writing when its caller disconnects', async () => {
    const aborted = Promise.withResolvers<void>();
    const failed = Promise.withResolvers<unknown>();
    const { file } = listen(async (_, sink, signal) => {
      signal.addEventListener('abort', () => aborted.resolve());
      await sink.write(Buffer.from('.'));
      await aborted.promise;
      failed.resolve(await Promise.resolve(sink.write(Buffer.from('.'))).catch((error: unknown) => error));
    });
    const leaving = new AbortController();
    const lost = call(file, 1, { write: () => leaving.abort() }, leaving.signal);
    await expect(lost).rejects.toThrow(LostError);
    await aborted.promise;
    expect(await failed.promise).toBeInstanceOf(Error);
  });

  it('fails when its caller has already disconnected', async () => {
    const { file } = listen(async () => 1);
    await expect(call(file, 1, undefined, AbortSignal.abort())).rejects.toThrow(LostError);
  });

  it('passes on an error of the sink and an internal error of the server', async () => {
    const { file } = listen(async (given, sink) => {
      if (given === 'bug') throw new TypeError('oh no');
      await sink.write(Buffer.from('.'));
      await new Promise(() => {});
    });
    const full = new Error('full');
    await expect(call(file, 1, { write: () => Promise.reject(full) })).rejects.toBe(full);
    await expect(call(file, 'bug')).rejects.toThrow(/TypeError: oh no\n.*calls\.test/);
  });

  it('is refused before it is sent when it is too long', async () => {
    const { file } = listen(async () => 1);
    await expect(call(file, Buffer.alloc(256 * 1024 ** 2))).rejects.toThrow(
      'the scripts and parameters of this run exceed 256 MB',
    );
  });

  it('fails when its server ends', async () => {
    const called = Promise.withResolvers<void>();
    const { file, server } = listen(() => {
      called.resolve();
      return new Promise(() => {});
    });
    const lost = call(file, 1);
    const rejected = expect(lost).rejects.toThrow(
      'the server on this home ended during the execution; run it again',
    );
    await called.promise;
    await server.close();
    await rejected;
  });
});

describe('a socket', () => {
  it('is readable by its owner only, and is removed with its server', async () => {
    const { file, server } = listen(async () => 1);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    await call(file, 1);
    await server.close();
    expect(readdirSync(path.dirname(file))).toEqual([]);
    expect(await call(file, 1)).toBeNull();
  });

  it.each([
    ['nothing', () => {}],
    ['a file', (file: string) => writeFileSync(file, '')],
    [
      'a socket of a server that has ended',
      async (file: string) => {
        // A server that closes under another name leaves its socket file.
        const other = createServer();
        await new Promise<void>((resolve) => other.listen(file, resolve));
        renameSync(file, `${file}.aside`);
        other.close();
        renameSync(`${file}.aside`, file);
      },
    ],
  ])('replaces %s', async (_, prepare) => {
    const folder = makeFolder();
    const file = path.join(folder, 'serve.sock');
    await prepare(file);
    expect(await call(file, 1)).toBeNull();
    listen(async (given) => given, folder);
    expect(await call(file, 'there')).toBe('there');
  });

  it.each([80, 95, 100, 107, 108, 109, 200, 1000])(
    'works in a folder whose path has %i letters',
    async (length) => {
      const base = makeFolder();
      let folder = base;
      while (folder.length < length) {
        folder = path.join(folder, 'f'.repeat(Math.min(200, Math.max(1, length - folder.length - 1))));
      }
      mkdirSync(folder, { recursive: true });
      const { file, server } = listen(async (given) => given, folder);
      expect(await call(file, length)).toBe(length);
      await server.close();
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('reports why it cannot be created, and stops nothing else', async () => {
    const { warnings, server } = listen(async () => 1, path.join(makeFolder(), 'none'));
    expect(warnings).toEqual([expect.stringMatching(/^commands cannot reach this server: ENOENT: /)]);
    await server.close();
  });

  it.each([
    ['no call', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['no HTTP', Buffer.from('220 smtp ready\r\n')],
    ['a call without a message', toCall(Buffer.from([1, 0, 0, 0, 1, 7]))],
    ['a call with an invalid message', toCall(Buffer.from([0, 0, 0, 0, 1, 7]))],
    ['a call with a message that does not end', toCall(Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1]))],
    ['a part of a call', toCall(printMessage({ input: 1 })).subarray(0, -3)],
    ['a frame that does not end', Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1])],
    ['nothing', Buffer.alloc(0)],
  ])('keeps working after other clients send %s', async (_, bytes) => {
    const calls: unknown[] = [];
    const { file } = listen(async (given) => calls.push(given));
    const before = countOpenFiles('self');
    for (let at = 0; at < 20; at++) {
      const client = connect(file);
      client.on('error', () => {});
      client.resume();
      client.end(bytes);
      await new Promise((resolve) => client.once('close', resolve));
    }
    expect(await call(file, 'mine')).toBe(1);
    expect(calls).toEqual(['mine']);
    await eventually(() => expect(countOpenFiles('self')).toBeLessThan(before + 5));
  });

  it('delivers complete answers to its callers before it closes', async () => {
    const { file, server } = listen(async (_, sink) => {
      await sink.write(Buffer.alloc(200_000));
      return 'whole';
    });
    let bytes = 0;
    const closing = Promise.withResolvers<void>();
    const write = async (part: Uint8Array) => {
      bytes += part.length;
      await closing.promise;
    };
    const answered = call(file, 1, { write });
    await eventually(() => expect(bytes).toBeGreaterThan(0));
    const closed = server.close();
    closing.resolve();
    await closed;
    expect(await answered).toBe('whole');
    expect(bytes).toBe(200_000);
  });

  it('closes without waiting for a caller who does not read', async () => {
    const { file, server } = listen(async (_, sink) => {
      for (let at = 0; at < 100; at++) await sink.write(Buffer.alloc(1_000_000));
    });
    const written = Promise.withResolvers<void>();
    const write = () => {
      written.resolve();
      return new Promise<void>(() => {});
    };
    call(file, 1, { write }).catch(() => {});
    await written.promise;
    await server.close();
    expect(await call(file, 1)).toBeNull();
  });
});

it.skipIf(process.getuid?.() !== 0)('is refused by its caller when it belongs to another user', async () => {
  for (const length of [20, 120]) {
    const folder = path.join(makeFolder(), 'f'.repeat(length));
    mkdirSync(folder);
    const { file } = listen(async () => 1, folder);
    expect(await call(file, 1)).toBe(1);
    chownSync(file, 65_534, 65_534);
    await expect(call(file, 1)).rejects.toMatchObject({
      status: 403,
      message: `the socket \`${file}\` of the server on this home belongs to another user (user id 65534): run the command as that user`,
    });
  }
});

describe('a server that does not know calls', () => {
  it.each([
    [
      'has a version without HTTP',
      printMessage({ protocol: 4, pid: 1 }),
      'runs another version of Quern; restart it',
    ],
    [
      'answers without a version',
      Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
      'runs another version of Quern',
    ],
    [
      'accepts the call, and answers without a version',
      Buffer.from('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
      'runs another version of Quern',
    ],
    ['speaks another protocol', Buffer.from('220 smtp ready\r\n'), 'runs another version of Quern'],
  ])('is refused when it %s', async (_, first, message) => {
    await expect(call(await pretend(first), 1)).rejects.toThrow(message);
  });

  it.each(['end', 'destroy'] as const)(
    'is treated as absent when it disconnects at once (%s)',
    async (leave) => {
      const file = path.join(makeFolder(), 's');
      const server = createServer((socket) => void socket[leave]());
      await new Promise<void>((resolve) => server.listen(file, resolve));
      onTestFinished(() => void server.close());
      expect(await call(file, 1)).toBeNull();
    },
  );

  it('is refused after a time limit when it sends nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const refused = expect(call(await pretend(null), 1)).rejects.toThrow('does not answer');
    for (let at = 0; at < 20; at++) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(10_000);
    await refused;
  });
});
