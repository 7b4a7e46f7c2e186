import path from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import { SamlError } from '../../identity/saml/protocol/checks.ts';
import { createThread, type Thread, ThreadError } from '../threads/thread.ts';
import type { SamlAnswer, SamlCall, SamlValue } from './saml-calls.ts';

/** Reads and writes SAML messages in a separate thread (docs/reference/saml-sign-in.md#response). */
export interface SamlProtocol {
  /**
   * `caller` is a client's network; callers take turns. Rejects with a SamlError, with 429 if too many calls wait,
   * and with 503 if the thread has ended.
   */
  ask<Kind extends SamlCall['kind']>(
    call: Extract<SamlCall, { readonly kind: Kind }>,
    caller: string,
  ): Promise<SamlValue<Kind>>;
  /** Throws 429 if the maximum of calls waits, of this caller or in total. */
  checkFree(caller: string): void;
  close(): Promise<void>;
}

const TIMEOUT_MS = 2_000;
/** Loading its modules and schemas takes a fraction of a second, or longer on a busy machine. */
const START_MS = 20_000;
const MAX_WAITING = 16;
/** The maximum of one network, so that one network cannot block all others. */
const MAX_OF_CALLER = 4;
const MEMORY_MB = 256;
/** An idle thread ends, because its schemas use memory and sign-ins may be hours apart. */
const IDLE_MS = 10 * 60_000;

/** Creates the thread, which starts with its first call. */
export function createSamlProtocol(): SamlProtocol {
  const program = new URL(`./saml-thread${path.extname(import.meta.filename)}`, import.meta.url);
  const thread: Thread<SamlCall, SamlAnswer> = createThread({
    runsIn: 'thread',
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
      if ('failedCheck' in answer) {
        const { check, detail, user } = answer.failedCheck;
        throw new SamlError(check, detail, user);
      }
      if ('error' in answer) throw new Error(`SAML: ${answer.error}`);
      // The thread answers each kind of call with the matching kind of value.
      return answer.value as SamlValue<typeof call.kind>;
    },
    close: () => thread.close(),
  };
}

function explain(error: unknown): never {
  if (!(error instanceof ThreadError)) throw error;
  if (error.code === 'late') throw new SamlError('time', `it took more than ${TIMEOUT_MS / 1000} s`);
  throw new ServiceError(
    503,
    'sign_on_unavailable',
    'Single sign-on is not available at the moment: try again',
    {
      retryAfter: 1,
      cause: error,
    },
  );
}

function tooMany(): ServiceError {
  return new ServiceError(429, 'sign_on_busy', 'Too many concurrent sign-ins: try again in a moment', {
    retryAfter: 1,
  });
}
