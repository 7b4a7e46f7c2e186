import { notNull, present } from '../../invariants/must.ts';
import { type ExecutionSink, SinkError } from '../contract/outlet.ts';
import { type AnswerTransport, openConnection, wrapSocket } from '../frames/answer-transport.ts';
import type { AnswerServer } from './answer-server.ts';
import type { AnswerMessage } from './engine-messages.ts';

/**
 * An answer of at most SHORT_BYTES that is complete SHORT_MS after its first bytes is sent with its outcome. The first
 * block of a long answer is larger and is sent at once.
 */
const SHORT_BYTES = 32 * 1024;
const SHORT_MS = 10;
/** Bytes of a long answer that are sent before the destination of the rest is known. */
const HEAD_BYTES = 64 * 1024;

/** The destination of one answer in the engine process. */
export interface AnswerSink extends ExecutionSink {
  /** Sets the destination of the rest: the given connection, unless the parent fetches the rest. */
  go(handle: object): void;
  /** Cancels all waiting and discards further bytes. */
  cut(): void;
  /**
   * Resolves when the answer has been sent or can no longer be sent; with the bytes of a short answer, otherwise with
   * null. Never rejects.
   */
  finish(): Promise<Uint8Array | null>;
}

export interface AnswerSinkOptions {
  /** Through which the parent fetches the rest under the key. */
  readonly readers: Pick<AnswerServer, 'expect' | 'forget'>;
  readonly key: string;
  readonly tell: (message: AnswerMessage) => void;
}

/**
 * Holds an answer back for a moment, in case it is short. Sends the first bytes of a long answer as a message, and the
 * rest to the destination that the parent chooses. Writing is as fast as the parent reads, and rejects when it stops
 * reading.
 */
export function createAnswerSink({ readers, key, tell }: AnswerSinkOptions): AnswerSink {
  const held: Uint8Array[] = [];
  const chosen = Promise.withResolvers<AnswerTransport>();
  let heldBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let begun: Promise<void> | null = null;
  let transport: AnswerTransport | null = null;
  let isCut = false;
  // The error surfaces to the writer.
  chosen.promise.catch(() => {});

  async function begin(): Promise<void> {
    clearTimeout(timer);
    const { head, tail } = takeHead(held);
    readers.expect(key, (socket) => choose(wrapSocket(socket)));
    tell({ kind: 'begun', key, head });
    const opened = await chosen.promise;
    if (tail.length > 0) await opened.write(tail);
  }

  function start(): Promise<void> {
    begun = begin();
    // The error surfaces to the next write.
    begun.catch(() => {});
    return begun;
  }

  function choose(opened: AnswerTransport): void {
    transport = opened;
    if (isCut) opened.destroy();
    else chosen.resolve(opened);
  }

  function write(part: Uint8Array): void | Promise<void> {
    if (begun !== null) return begun.then(() => notNull(transport).write(part));
    heldBytes += part.length;
    if (heldBytes > SHORT_BYTES) {
      held.push(part);
      // The following work would keep the thread from sending it.
      return start();
    }
    held.push(Buffer.from(part));
    timer ??= setTimeout(start, SHORT_MS);
    return undefined;
  }

  return {
    write,
    async writeAll(parts) {
      if (begun === null) for (const part of parts) await write(part);
      else await begun.then(() => notNull(transport).write(...parts));
    },
    ...createNotes({ key, tell }),
    go(handle) {
      readers.forget(key);
      choose(openConnection(handle, (sent) => tell({ kind: 'sent', key, bytes: sent })));
    },
    cut() {
      isCut = true;
      readers.forget(key);
      transport?.destroy();
      chosen.reject(new SinkError(new Error('the answer is cut off')));
    },
    async finish() {
      clearTimeout(timer);
      if (begun === null) return Buffer.concat(held);
      await begun.then(() => notNull(transport).end()).catch(() => {});
      transport?.destroy();
      return null;
    },
  };
}

/** Tells the parent the state of the current statement, and the publications. */
function createNotes({
  key,
  tell,
}: Pick<AnswerSinkOptions, 'key' | 'tell'>): Pick<AnswerSink, 'noteQueued' | 'noteProgress' | 'noteTarget'> {
  return {
    noteQueued: (isQueued) => tell({ kind: 'queued', key, isQueued }),
    noteProgress: (progress) => tell({ kind: 'progress', key, progress }),
    noteTarget: (target) => tell({ kind: 'target', key, target }),
  };
}

/** The first bytes of the held parts, which are empty after that, and the rest of the last one. */
function takeHead(held: Uint8Array[]): { readonly head: Buffer; readonly tail: Uint8Array } {
  // All parts before the last one are short together.
  const last = present(held.pop());
  const head = Buffer.concat([...held.splice(0), last.subarray(0, HEAD_BYTES)]);
  return { head, tail: last.subarray(HEAD_BYTES) };
}
