import type { Translate, Translation } from '../../engine/connection/contract/translate.ts';
import type { AskOwner, FileAnswer, FileStep } from '../../engine/run/publish/ask-owner.ts';
import { untilAborted } from '../../engine/text/finish-in-pieces.ts';
import { printTrace } from '../../invariants/narrow.ts';

/** A question of an engine for one execution, to be answered from the catalog; `id` identifies the question. */
export type QuestionMessage = { readonly key: string; readonly id: number } & (
  | { readonly kind: 'translate'; readonly question: string }
  | { readonly kind: 'askOwner'; readonly question: FileStep }
);

/** The answer to a question; `broken` is an internal error. */
export type ReplyMessage = { readonly id: number } & (
  | { readonly kind: 'translated'; readonly reply: Reply<Translation> }
  | { readonly kind: 'owner'; readonly reply: Reply<FileAnswer> }
);

type Reply<Answer> =
  | { readonly status: 'answered'; readonly answer: Answer }
  | { readonly status: 'broken'; readonly trace: string };

/** Converts a promise to a reply. */
export async function toReply<Answer>(work: Promise<Answer>): Promise<Reply<Answer>> {
  try {
    return { status: 'answered', answer: await work };
  } catch (error) {
    return { status: 'broken', trace: printTrace(error) };
  }
}

/** Questions from an engine to its parent. */
export interface CatalogCalls {
  /** Translates statements of the execution with this key. */
  translateFor(key: string): Translate;
  /** Asks for the owners of files that the execution with this key publishes. */
  askOwnerFor(key: string): AskOwner;
  receive(message: ReplyMessage): void;
}

export function createCatalogCalls(send: (message: QuestionMessage) => void): CatalogCalls {
  let last = 0;
  const newId = () => {
    last += 1;
    return last;
  };
  const translations = createCalls<Translation>(newId);
  const owners = createCalls<FileAnswer>(newId);
  return {
    translateFor: (key) => (question, signal) =>
      translations.call((id) => send({ kind: 'translate', key, id, question }), signal),
    askOwnerFor: (key) => (question, signal) =>
      owners.call((id) => send({ kind: 'askOwner', key, id, question }), signal),
    receive(message) {
      if (message.kind === 'translated') translations.receive(message.id, message.reply);
      else owners.receive(message.id, message.reply);
    },
  };
}

/** Calls that wait for their answers, by id. */
function createCalls<Answer>(newId: () => number) {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  return {
    async call(send: (id: number) => void, signal: AbortSignal): Promise<Answer> {
      const id = newId();
      const call = Promise.withResolvers<Answer>();
      waiting.set(id, call);
      send(id);
      try {
        return await untilAborted(call.promise, signal);
      } finally {
        waiting.delete(id);
      }
    },
    receive(id: number, reply: Reply<Answer>): void {
      const call = waiting.get(id);
      if (reply.status === 'broken') call?.reject(new Error(reply.trace));
      else call?.resolve(reply.answer);
    },
  };
}
