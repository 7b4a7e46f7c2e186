import { randomUUID } from 'node:crypto';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import { notNull, present } from '../../invariants/must.ts';
import { printTrace } from '../../invariants/narrow.ts';
import type { Cancellation } from '../contract/cancellation.ts';
import { executionErrors, type LostError } from '../contract/errors.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import { type Outlet, SinkError } from '../contract/outlet.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import { type FetchedAnswer, fetchAnswer } from '../frames/fetch-answer.ts';
import type { Ended, FromEngine } from './engine-messages.ts';
import type { Send } from './engine-packages.ts';
import type { TranslateMessage } from './translations.ts';

/** One execution for an engine. */
export interface Asked {
  /** The request; `cancellation` enforces its deadline. */
  readonly request: ExecutionRequest;
  readonly outlet: Outlet;
  readonly cancellation: Cancellation;
  /** For a request on a semantic connection. */
  readonly translate: Translate | undefined;
}

/** The channel from a job to its engine. */
export interface EngineLine {
  readonly send: Send;
  /** The path of the socket at which the engine listens. */
  readonly socket: string;
}

/** One execution in an engine process, from the parent's side. */
export class Job {
  /** Identifies the job in messages. */
  readonly key = randomUUID();
  readonly asked: Asked;
  readonly request: ExecutionRequest;
  /** Resolves when the engine has finished all work for it. */
  readonly over: Promise<void>;
  readonly #line: EngineLine;
  readonly #over = Promise.withResolvers<void>();
  /**
   * The end of the execution; rejects with a LostError when the engine ends first, with a plain Error for an internal
   * error.
   */
  readonly #ended = Promise.withResolvers<Ended>();
  /** Brings the rest of a long answer, unless another process sends the rest. */
  #rest: FetchedAnswer | null = null;
  /** Transfers an answer that is too long or too slow to be part of the `ended` message. */
  #bringing: Promise<void> | null = null;
  /** Cancels its translations. */
  readonly #stop = new AbortController();
  #state: 'sending' | 'sent' | 'unwanted' = 'sending';

  constructor(asked: Asked, line: EngineLine) {
    this.asked = asked;
    this.request = asked.request;
    this.over = this.#over.promise;
    this.#line = line;
    // In some cases, no code awaits it.
    this.#ended.promise.catch(() => {});
  }

  /** Whether it is still to be sent. */
  get isWanted(): boolean {
    return this.#state === 'sending';
  }

  /** Records that it has been sent. */
  onSent(): void {
    this.#state = 'sent';
  }

  /** Handles a message of the engine. */
  tell(message: Exclude<FromEngine, { readonly kind: 'ready' | 'disk' }>): void {
    switch (message.kind) {
      case 'begun':
        this.#bringing = this.#bring(message.head);
        this.#bringing.catch((error: unknown) => {
          if (error instanceof SinkError) this.asked.cancellation.cancel();
          // Otherwise, the engine would wait for a reader.
          else this.#line.send({ kind: 'cancel', key: this.key });
        });
        return;
      case 'queued':
        this.asked.outlet.noteQueued(message.isQueued);
        return;
      case 'sent':
        this.asked.outlet.count(message.bytes);
        return;
      case 'translate':
        void this.#translate(message);
        return;
      case 'broken':
        this.break(new Error(message.trace));
        return;
      case 'ended':
        this.#ended.resolve(message);
        this.#end();
    }
  }

  /** Fails it with an internal error. */
  break(bug: unknown): void {
    this.#ended.reject(bug);
    this.#end();
  }

  /** Abandons it, although the engine may still work on it. */
  lose(why: LostError): void {
    if (this.isWanted) this.#state = 'unwanted';
    this.#ended.reject(why);
    this.#closeSocket();
  }

  /** Fails it because its engine has ended. */
  loseWithEngine(why: LostError): void {
    this.lose(why);
    this.#end();
  }

  /**
   * Transfers the whole answer to the outlet, then resolves with the outcome. After a stop, waits until the engine has
   * released the execution. Rejects with a SinkError, with a plain Error for an internal error, and with a LostError
   * when the answer is incomplete for any other reason.
   */
  async follow(): Promise<ExecutionOutcome> {
    const { outlet, cancellation } = this.asked;
    const halted = Promise.withResolvers<'halted'>();
    const halt = () => {
      this.#cancel();
      halted.resolve('halted');
    };
    if (cancellation.signal.aborted) halt();
    else cancellation.signal.addEventListener('abort', halt, { once: true });
    try {
      const { outcome, head } = await this.#ended.promise;
      const brought = head === null ? notNull(this.#bringing) : outlet.write(head);
      const isHalted = (await Promise.race([brought, halted.promise])) === 'halted';
      if (!isHalted && (outcome.status === 'done' || cancellation.reason() === null)) return outcome;
      throw executionErrors.answerBroken();
    } finally {
      cancellation.signal.removeEventListener('abort', halt);
      this.#closeSocket();
    }
  }

  #end(): void {
    this.#stopTranslations();
    this.#over.resolve();
  }

  #cancel(): void {
    this.#stopTranslations();
    this.#closeSocket();
    if (this.#state === 'sent') this.#line.send({ kind: 'cancel', key: this.key });
    else this.loseWithEngine(executionErrors.answerBroken());
  }

  /** Without a translation, nothing listens to the signal, and an abort is slow: it creates an error. */
  #stopTranslations(): void {
    if (this.asked.translate !== undefined) this.#stop.abort();
  }

  #closeSocket(): void {
    this.#rest?.destroy();
  }

  /**
   * Transfers the first bytes of a long answer, and the rest unless another process sends it. Rejects with a SinkError,
   * and with a LostError for an incomplete answer.
   */
  async #bring(head: Uint8Array): Promise<void> {
    const { outlet, cancellation } = this.asked;
    await outlet.write(head);
    const handle = await outlet.transferSocket();
    if (cancellation.signal.aborted) return;
    if (handle !== null) {
      this.#line.send({ kind: 'go', key: this.key }, handle);
      return;
    }
    this.#rest = fetchAnswer(this.#line.socket, this.key, outlet, executionErrors.answerBroken);
    await this.#rest.end;
  }

  async #translate({ key, id, statement }: TranslateMessage): Promise<void> {
    const { signal } = this.#stop;
    const answer = await present(this.asked.translate)(statement, signal).catch((error: unknown) => {
      return { status: 'broken', trace: printTrace(error) } as const;
    });
    if (!signal.aborted) this.#line.send({ kind: 'translated', key, id, answer });
  }
}
