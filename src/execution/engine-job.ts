import type { Socket } from 'node:net';
import type { Sink } from '../engine/result/sink.ts';
import type { Ended } from './engine-messages.ts';
import { executionErrors, type LostError } from './errors.ts';
import type { ExecutionOutcome } from './outcome.ts';
import { SinkError } from './sink-error.ts';
import type { Stop } from './stop.ts';

/** One execution in an engine process, as its parent sees it. */
export interface Job {
  /** How it ended; rejects with a LostError when the engine ends first, with a plain Error for a bug. */
  readonly answer: PromiseWithResolvers<Ended>;
  /** Brings an answer that is too long, or too slow, to come with the end. */
  readonly socket: PromiseWithResolvers<Socket>;
  /** Tells the engine to stop it. */
  readonly cancel: () => void;
  /** Is interested in it no more. */
  readonly leave: () => void;
  /** Resolves when the engine does nothing more for it. */
  readonly over: PromiseWithResolvers<void>;
}

export function createJob({ cancel, leave }: Pick<Job, 'cancel' | 'leave'>): Job {
  const answer = Promise.withResolvers<Ended>();
  const socket = Promise.withResolvers<Socket>();
  // Not each of them is waited for in every case.
  answer.promise.catch(() => {});
  socket.promise.catch(() => {});
  return { answer, socket, cancel, leave, over: Promise.withResolvers<void>() };
}

/** Ends a job whose engine has ended, or whose work is given up. */
export function loseJob({ answer, socket }: Job, why: LostError): void {
  answer.reject(why);
  socket.reject(why);
}

/**
 * Brings a job's whole answer to `sink` and resolves with its outcome, in this order. After a stop, waits until the
 * engine has let go of it. Rejects with a SinkError; for a bug, with a plain Error; with a LostError for whatever
 * else keeps the answer from being whole.
 */
export async function followJob(job: Job, sink: Sink, stop: Stop): Promise<ExecutionOutcome> {
  const halted = Promise.withResolvers<number>();
  const halt = () => {
    job.cancel();
    closeSocket(job);
    halted.resolve(-1);
  };
  if (stop.signal.aborted) halt();
  else stop.signal.addEventListener('abort', halt, { once: true });
  const pumped = pump(job, sink);
  pumped.catch(() => stop.cancel());
  try {
    const { outcome, bytes, head } = await job.answer.promise;
    const delivered = head === null ? pumped : writeHead(head, sink);
    const received = await Promise.race([delivered, halted.promise]);
    if (received === bytes && outcome.status === 'done') return outcome;
    if (received === bytes && stop.reason() === null) return outcome;
    throw executionErrors.answerBroken();
  } finally {
    stop.signal.removeEventListener('abort', halt);
    closeSocket(job);
    job.leave();
  }
}

/** Closes the socket, now or when it comes. */
function closeSocket({ socket }: Job): void {
  socket.promise.then(
    (opened) => opened.destroy(),
    () => {},
  );
}

/** Resolves with the bytes that the sink took before the socket ended or broke. Rejects with a SinkError. */
async function pump({ socket }: Job, sink: Sink): Promise<number> {
  let bytes = 0;
  try {
    for await (const block of await socket.promise) {
      await sink.write(block);
      bytes += block.length;
    }
  } catch (error) {
    if (error instanceof SinkError) throw error;
  }
  return bytes;
}

async function writeHead(head: Uint8Array, sink: Sink): Promise<number> {
  if (head.length > 0) await sink.write(head);
  return head.length;
}
