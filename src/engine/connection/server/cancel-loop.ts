import { setTimeout as sleep } from 'node:timers/promises';

/** Until a request is sent again, in ms. */
const FIRST_PAUSE = 20;
/** A server that does not stop for so long, in ms, is given up. */
const PATIENCE = 5000;

/**
 * Asks a server to stop a statement, again and again until it has: a server may forget a request that comes before it
 * has begun.
 */
export class CancelLoop {
  readonly #request: () => Promise<void>;
  readonly #giveUp: () => void;
  readonly #ended = Promise.withResolvers<void>();
  #isOver = false;
  #patience: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;

  /** `request` resolves when it has been passed on, and never rejects; `giveUp` ends the connection. */
  constructor(request: () => Promise<void>, giveUp: () => void) {
    this.#request = request;
    this.#giveUp = giveUp;
  }

  /** Begins, once, unless the statement is over. */
  start(): void {
    if (this.#isOver || this.#running !== null) return;
    this.#patience = setTimeout(this.#giveUp, PATIENCE);
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    for (let pause = FIRST_PAUSE; !this.#isOver; pause *= 2) {
      await this.#request();
      await Promise.race([this.#ended.promise, sleep(pause, null, { ref: false })]);
    }
  }

  /** To be called when the statement is over. */
  end(): void {
    this.#isOver = true;
    this.#ended.resolve();
    clearTimeout(this.#patience);
  }

  /** Resolves when no request is on its way any more, with whether there was one. */
  async settle(): Promise<boolean> {
    const running = this.#running;
    if (running === null) return false;
    await running;
    const isFirst = this.#running === running;
    this.#running = null;
    return isFirst;
  }
}
