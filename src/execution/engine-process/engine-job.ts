import type { Socket } from 'node:net';
import type { Sink } from '../../engine/result/columns/sink.ts';
import type { Cancellation } from '../contract/cancellation.ts';
import { executionErrors, type LostError } from '../contract/errors.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import { SinkError } from '../contract/sink-error.ts';
import type { Ended, FromEngine } from './engine-messages.ts';

/** One execution in an engine process, as its parent sees it. */
export interface Job {
  /** How it ended; rejects with a LostError when the engine ends first, with a plain Error for a bug. */
  readonly answer: PromiseWithResolvers<Ended>;
  /** Brings the first bytes of an answer that is too long, or too slow, to come with the end. */
  readonly head: PromiseWithResolvers<Uint8Array>;
  /** Brings the rest, where it does not go elsewhere. */
  readonly socket: PromiseWithResolvers<Socket>;
  /** Bytes that have left elsewhere, and who is told of further ones. */
  sent: number;
  onSent: (bytes: number) => void;
  /** Says that the rest goes to a connection, or to the socket. */
  readonly go: (handle?: object) => void;
  /** Tells the engine to stop it. */
  readonly cancel: () => void;
  /** Is interested in it no more. */
  readonly leave: () => void;
  /** Resolves when the engine does nothing more for it. */
  readonly over: PromiseWithResolvers<void>;
}

export function createJob(tools: Pick<Job, 'go' | 'cancel' | 'leave'>): Job {
  const answer = Promise.withResolvers<Ended>();
  const head = Promise.withResolvers<Uint8Array>();
  const socket = Promise.withResolvers<Socket>();
  // Not each of them is waited for in every case.
  for (const { promise } of [answer, head, socket]) promise.catch(() => {});
  return { ...tools, answer, head, socket, sent: 0, onSent: () => {}, over: Promise.withResolvers<void>() };
}

/** Tells a job what its engine says of it. */
export function tellJob(
  job: Job,
  message: Exclude<FromEngine, { readonly kind: 'ready' | 'disk' | 'translate' }>,
): void {
  switch (message.kind) {
    case 'begun':
      job.head.resolve(message.head);
      return;
    case 'sent':
      job.sent += message.bytes;
      job.onSent(message.bytes);
      return;
    case 'broken':
      breakJob(job, new Error(message.trace));
      break;
    case 'ended':
      job.answer.resolve(message);
  }
  job.over.resolve();
}

/** Ends a job because of a bug. */
export function breakJob({ answer, over }: Job, bug: unknown): void {
  answer.reject(bug);
  over.resolve();
}

/** Ends a job whose engine has ended, or whose work is given up. */
export function loseJob({ answer, head, socket }: Job, why: LostError): void {
  for (const { reject } of [answer, head, socket]) reject(why);
}

/**
 * Brings a job's whole answer to `sink` and resolves with its outcome, in this order. After a stop, waits until the
 * engine has let go of it. Rejects with a SinkError; for a bug, with a plain Error; with a LostError for whatever
 * else keeps the answer from being whole.
 */
export async function followJob(job: Job, sink: Sink, cancellation: Cancellation): Promise<ExecutionOutcome> {
  const halted = Promise.withResolvers<number>();
  const halt = () => {
    job.cancel();
    closeSocket(job);
    halted.resolve(Number.NaN);
  };
  if (cancellation.signal.aborted) halt();
  else cancellation.signal.addEventListener('abort', halt, { once: true });
  const brought = bring(job, sink);
  brought.catch(() => cancellation.cancel());
  try {
    const { outcome, bytes, head } = await job.answer.promise;
    const delivered = head === null ? brought : writeHead(head, sink);
    const received = await Promise.race([delivered, halted.promise]);
    const isWhole = received + job.sent === bytes;
    if (isWhole && (outcome.status === 'done' || cancellation.reason() === null)) return outcome;
    throw executionErrors.answerBroken();
  } finally {
    cancellation.signal.removeEventListener('abort', halt);
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

/**
 * Brings the first bytes of a long answer, and the rest that does not go elsewhere. Resolves with how many the sink took;
 * rejects with a SinkError.
 */
async function bring(job: Job, sink: Sink): Promise<number> {
  const head = await job.head.promise.catch(() => null);
  if (head === null) return 0;
  await writeHead(head, sink);
  const outlet = (await sink.transferSocket?.()) ?? null;
  if (outlet !== null) job.onSent = outlet.count;
  job.go(outlet?.handle);
  return head.length + (outlet === null ? await pump(job, sink) : 0);
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
