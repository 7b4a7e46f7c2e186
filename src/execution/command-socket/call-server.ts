import { chmodSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { printTrace } from '../../invariants/narrow.ts';
import { printMessage, readFrames, writeBytes } from '../frames/socket-frames.ts';
import { MAX_SOCKET_PATH_LENGTH } from '../frames/socket-path.ts';
import { type CallEnd, type Hello, PROTOCOL } from './call-messages.ts';

/**
 * Answers one call: writes bytes to `sink` and resolves with the final value of the answer. `signal` is aborted when
 * the caller disconnects. Rejects only for an internal error.
 */
export type AnswerCall = (call: unknown, sink: Sink, signal: AbortSignal) => Promise<unknown>;

/** A socket through which processes of the same user call this process. */
export interface CallServer {
  /** Gives callers a moment to read their answers, then disconnects them and removes the socket. */
  close(): Promise<void>;
}

/** How long callers have to read their answers when the server closes, in milliseconds. */
const DRAIN_MS = 1_000;

/**
 * Listens at `file` (mode 0600) and replaces an existing file. If that path is too long for a socket, `file` becomes a
 * link to a socket elsewhere. `onError` receives the error that prevents listening; then there is no socket.
 */
export function listenForCalls(
  file: string,
  answer: AnswerCall,
  onError: (error: Error) => void,
): CallServer {
  const callers = new Set<Socket>();
  const answers = new Set<Promise<void>>();
  const server = createServer((socket) => {
    callers.add(socket);
    // Errors surface to the reader or writer of the socket.
    socket.on('error', () => {});
    socket.once('close', () => callers.delete(socket));
    const answered = receive(socket, answer).finally(() => answers.delete(answered));
    answers.add(answered);
  });
  server.on('error', onError);
  const remove = tryToPutInPlace();
  function tryToPutInPlace(): () => void {
    try {
      return putInPlace(file, (own) => {
        server.listen(own);
        if (server.listening) chmodSync(own, 0o600);
        return server.listening;
      });
    } catch (error) {
      onError(error as Error);
      return () => {};
    }
  }
  return {
    async close() {
      remove();
      server.close();
      await Promise.race([Promise.all(answers), sleep(DRAIN_MS, undefined, { ref: false })]);
      for (const socket of callers) socket.destroy();
    },
  };
}

/** Has `listen` create a socket in a folder that only this user may enter, then moves it to `file` atomically. */
function putInPlace(file: string, listen: (own: string) => boolean): () => void {
  const beside = mkdtempSync(path.join(path.dirname(file), '.serve-'));
  const draft = path.join(beside, 's');
  const isShort = [draft, file].every((name) => Buffer.byteLength(name) <= MAX_SOCKET_PATH_LENGTH);
  const elsewhere = isShort ? null : mkdtempSync(path.join(tmpdir(), 'quern-'));
  const remove = (name: string) => rmSync(name, { recursive: true, force: true });
  try {
    const own = elsewhere === null ? draft : path.join(elsewhere, 's');
    if (listen(own)) {
      if (elsewhere !== null) symlinkSync(own, draft);
      renameSync(draft, file);
    }
  } finally {
    remove(beside);
  }
  return () => {
    remove(file);
    if (elsewhere !== null) remove(elsewhere);
  };
}

/** Reads one call and answers it while the caller stays connected. */
async function receive(socket: Socket, answer: AnswerCall): Promise<void> {
  const disconnected = new AbortController();
  let answered: Promise<void> | null = null;
  socket.write(printMessage({ protocol: PROTOCOL, pid: process.pid } satisfies Hello));
  try {
    for await (const frame of readFrames(socket)) {
      if (answered === null && frame.kind === 'message') {
        answered = answerOne(socket, frame.value, answer, disconnected.signal);
      }
    }
  } catch {
    // The caller has disconnected, or sent an invalid frame.
  }
  disconnected.abort();
  socket.destroy();
  await answered;
}

async function answerOne(
  socket: Socket,
  call: unknown,
  answer: AnswerCall,
  signal: AbortSignal,
): Promise<void> {
  let isOver = false;
  const sink: Sink = {
    async write(bytes) {
      if (!isOver) await writeBytes(socket, bytes);
    },
  };
  const end = await answer(call, sink, signal)
    .then((value) => printMessage({ kind: 'answered', value } satisfies CallEnd))
    .catch((error: unknown) => {
      return printMessage({ kind: 'broken', trace: printTrace(error) } satisfies CallEnd);
    });
  isOver = true;
  if (!socket.destroyed) socket.end(end);
}
