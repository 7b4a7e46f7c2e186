import type { Sink } from '../../engine/result/columns/sink.ts';
import { notNull, present } from '../../invariants/must.ts';
import { SinkError } from '../contract/outlet.ts';
import { type AnswerTransport, openConnection, openSocket } from '../frames/answer-transport.ts';
import type { AnswerMessage } from './engine-messages.ts';

/**
 * An answer up to so many bytes that is whole so many milliseconds after its first ones comes with its end. The first
 * block of a long one is larger, and goes out at once.
 */
const SHORT_BYTES = 32 * 1024;
const SHORT_MS = 10;
/** So many bytes of a long one go out before it is said where the rest goes. */
const HEAD_BYTES = 64 * 1024;

/** Where the engine process writes one answer. */
export interface AnswerSink extends Sink {
  /** Says where the rest goes: to the connection that has come, if one has. */
  go(handle: object | undefined): void;
  /** Ends whatever it waits for; nothing more leaves. */
  cut(): void;
  /** Resolves when the answer has left, or cannot any more, with one that is short; never rejects. */
  finish(): Promise<Uint8Array | null>;
}

export interface AnswerSinkOptions {
  /** Of the socket for answers. */
  readonly path: string;
  readonly key: string;
  readonly tell: (message: AnswerMessage) => void;
}

/**
 * An answer that waits for a moment, lest it be short. The first bytes of any other are told, and the rest goes where the
 * other side says: as fast as it is read there, and writing rejects when nobody reads.
 */
export function createAnswerSink({ path, key, tell }: AnswerSinkOptions): AnswerSink {
  const held: Uint8Array[] = [];
  const said = Promise.withResolvers<AnswerTransport>();
  let heldBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let begun: Promise<void> | null = null;
  let transport: AnswerTransport | null = null;
  let isCut = false;
  // Who writes is told.
  said.promise.catch(() => {});

  async function begin(): Promise<void> {
    clearTimeout(timer);
    // What is before the last part is short.
    const last = present(held.pop());
    const head = Buffer.concat([...held.splice(0), last.subarray(0, HEAD_BYTES)]);
    const rest = last.subarray(HEAD_BYTES);
    tell({ kind: 'begun', key, head });
    const opened = await said.promise;
    if (rest.length > 0) await opened.write(rest);
  }

  function start(): Promise<void> {
    begun = begin();
    // Who writes next is told.
    begun.catch(() => {});
    return begun;
  }

  return {
    write(part) {
      if (begun !== null) return begun.then(() => notNull(transport).write(part));
      held.push(part);
      heldBytes += part.length;
      // What comes next would keep the thread from sending it.
      if (heldBytes > SHORT_BYTES) return start();
      timer ??= setTimeout(start, SHORT_MS);
      return undefined;
    },
    go(handle) {
      transport =
        handle === undefined
          ? openSocket(path, key)
          : openConnection(handle, (sent) => tell({ kind: 'sent', key, bytes: sent }));
      if (isCut) transport.destroy();
      else said.resolve(transport);
    },
    cut() {
      isCut = true;
      transport?.destroy();
      said.reject(new SinkError(new Error('the answer is cut off')));
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
