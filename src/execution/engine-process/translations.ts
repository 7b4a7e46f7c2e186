import type { Translate, Translation } from '../../engine/connection/contract/translate.ts';
import { untilAborted } from '../../engine/text/interruptible.ts';

/** An engine asks for the translation of one statement of an execution; `id` tells its questions apart. */
export interface TranslateMessage {
  readonly kind: 'translate';
  readonly key: string;
  readonly id: number;
  readonly statement: string;
}

/** The answer; `broken` is an internal error. */
export interface TranslatedMessage {
  readonly kind: 'translated';
  readonly key: string;
  readonly id: number;
  readonly answer: Translation | { readonly status: 'broken'; readonly trace: string };
}

/** What translates the statements of the executions of one engine, on the side of its parent. */
export interface Translators {
  /** For the execution of a key, until it is removed. */
  add(key: string, translate: Translate): void;
  /** Stops what is being translated for an execution. */
  remove(key: string): void;
  answer(message: TranslateMessage): Promise<void>;
}

export function createTranslators(send: (message: TranslatedMessage) => void): Translators {
  const translators = new Map<string, { readonly translate: Translate; readonly stop: AbortController }>();
  return {
    add: (key, translate) => void translators.set(key, { translate, stop: new AbortController() }),
    remove(key) {
      translators.get(key)?.stop.abort();
      translators.delete(key);
    },
    async answer({ key, id, statement }) {
      const own = translators.get(key);
      if (own === undefined) return;
      const answer = await own.translate(statement, own.stop.signal).catch(toBroken);
      if (!own.stop.signal.aborted) send({ kind: 'translated', key, id, answer });
    },
  };
}

function toBroken(error: unknown): TranslatedMessage['answer'] {
  return { status: 'broken', trace: error instanceof Error ? `${error.stack}` : String(error) };
}

/** The questions that an engine asks its parent. */
export interface TranslationCalls {
  /** Translates statements of the execution of a key. */
  translateFor(key: string): Translate;
  receive(message: TranslatedMessage): void;
}

export function createTranslationCalls(send: (message: TranslateMessage) => void): TranslationCalls {
  const waiting = new Map<number, PromiseWithResolvers<Translation>>();
  let last = 0;
  return {
    translateFor: (key) => async (statement, signal) => {
      last += 1;
      const id = last;
      const call = Promise.withResolvers<Translation>();
      waiting.set(id, call);
      send({ kind: 'translate', key, id, statement });
      try {
        return await untilAborted(call.promise, signal);
      } finally {
        waiting.delete(id);
      }
    },
    receive({ id, answer }) {
      const call = waiting.get(id);
      if (answer.status === 'broken') call?.reject(new Error(answer.trace));
      else call?.resolve(answer);
    },
  };
}
