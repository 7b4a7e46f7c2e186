import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds before a request is repeated. */
const FIRST_PAUSE = 20;
/** Milliseconds after which a server that does not stop is abandoned. */
const PATIENCE = 5000;

/**
 * Repeats a cancel request until the statement ends: a server may lose a request that arrives before the statement
 * starts.
 */
export class CancelLoop {
  readonly #request: () => Promise<void>;
  readonly #giveUp: () => void;
  readonly #ended = Promise.withResolvers<void>();
  #isOver = false;
  #patience: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;

  /** `request` resolves when it was passed on, and never rejects; `giveUp` closes the connection. */
  constructor(request: () => Promise<void>, giveUp: () => void) {
    this.#request = request;
    this.#giveUp = giveUp;
  }

  /** Starts once, unless the statement has ended. */
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

  /** Call this when the statement has ended. */
  end(): void {
    this.#isOver = true;
    this.#ended.resolve();
    clearTimeout(this.#patience);
  }

  /** Resolves when no request is in transit; true if any was sent. */
  async settle(): Promise<boolean> {
    const running = this.#running;
    if (running === null) return false;
    await running;
    const isFirst = this.#running === running;
    this.#running = null;
    return isFirst;
  }
}
