import type { Translate, Translation } from '../../engine/connection/contract/translate.ts';
import { untilAborted } from '../../engine/text/finish-in-pieces.ts';

/** A request of an engine to translate one statement of an execution; `id` identifies the request. */
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

/** Translation requests from an engine to its parent. */
export interface TranslationCalls {
  /** Translates statements of the execution with this key. */
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
