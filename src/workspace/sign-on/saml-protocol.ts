import path from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import { SamlRefusal } from '../../identity/saml/protocol/checks.ts';
import { createThread, type Thread, ThreadError } from '../threads/thread.ts';
import type { SamlAnswer, SamlCall, SamlValue } from './saml-calls.ts';

/** Reads and writes the messages of SAML in a thread of its own (identity 4). */
export interface SamlProtocol {
  /**
   * `caller` is whose turn it is: a client's network. Rejects with a SamlRefusal, with 429 where too many wait, and with
   * 503 where the thread is lost.
   */
  ask<Kind extends SamlCall['kind']>(
    call: Extract<SamlCall, { readonly kind: Kind }>,
    caller: string,
  ): Promise<SamlValue<Kind>>;
  /** Throws 429 where as many calls wait as may, of this caller or in all. */
  checkFree(caller: string): void;
  close(): Promise<void>;
}

const TIMEOUT_MS = 2_000;
/** Its modules and schemas take a fraction of a second, or longer on a busy machine. */
const START_MS = 20_000;
const MAX_WAITING = 16;
/** Of one network, so that none keeps all others out. */
const MAX_OF_CALLER = 4;
const MEMORY_MB = 256;
/** Its schemas take memory, and hours may pass without a sign-in. */
const IDLE_MS = 10 * 60_000;

/** A thread that nothing has asked yet. */
export function createSamlProtocol(): SamlProtocol {
  const program = new URL(`./saml-thread${path.extname(import.meta.filename)}`, import.meta.url);
  const thread: Thread<SamlCall, SamlAnswer> = createThread({
    program,
    timeoutMs: TIMEOUT_MS,
    startMs: START_MS,
    memoryMb: MEMORY_MB,
    idleMs: IDLE_MS,
  });
  const waiting = new Map<string, number>();
  const checkFree = (caller: string) => {
    const isFull = thread.load >= MAX_WAITING || (waiting.get(caller) ?? 0) >= MAX_OF_CALLER;
    if (isFull) throw tooMany();
  };
  const count = (caller: string, difference: 1 | -1) => {
    const left = (waiting.get(caller) ?? 0) + difference;
    if (left === 0) waiting.delete(caller);
    else waiting.set(caller, left);
  };
  return {
    checkFree,
    ask: async (call, caller) => {
      checkFree(caller);
      count(caller, 1);
      const answer = await thread
        .call(call, caller)
        .catch(explain)
        .finally(() => count(caller, -1));
      if ('refusal' in answer) throw new SamlRefusal(answer.refusal.check, answer.refusal.detail);
      if ('error' in answer) throw new Error(`SAML: ${answer.error}`);
      // The thread answers each kind of call with its kind of value.
      return answer.value as SamlValue<typeof call.kind>;
    },
    close: () => thread.close(),
  };
}

function explain(error: unknown): never {
  if (!(error instanceof ThreadError)) throw error;
  if (error.code === 'late') throw new SamlRefusal('time', `it took more than ${TIMEOUT_MS / 1000} s`);
  throw new ServiceError(503, 'sign_on_unavailable', 'Single sign-on is not available right now: try again', {
    retryAfter: 1,
    cause: error,
  });
}

function tooMany(): ServiceError {
  return new ServiceError(429, 'sign_on_busy', 'Too many sign-ins at once: try again in a moment', {
    retryAfter: 1,
  });
}
