import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

const BLOCK = 1024 * 1024;
/** The server waits when so many bytes have arrived that nobody has read. */
const MAX_AHEAD = 512 * 1024;

/**
 * What a server sends, as it lies in the bytes that arrived. What has been taken stays where it is until nobody holds
 * its block any more: the rest moves on into a new one.
 */
export class Incoming {
  readonly #stream: Duplex;
  readonly #isReady: () => boolean;
  /** What has arrived and not been taken is `bytes[at .. end]`. */
  bytes: Buffer = Buffer.allocUnsafeSlow(BLOCK);
  #at = 0;
  #end = 0;
  #over: Error | null = null;
  /** Resolves when the connection is no more. */
  readonly closed: Promise<void>;
  #wake: (() => void) | null = null;

  /** Takes over a stream on which a session has begun; `isReady` tells whether a whole message is there to take. */
  constructor(stream: Duplex, isReady: () => boolean) {
    this.#stream = stream;
    this.#isReady = isReady;
    stream.removeAllListeners('data');
    stream.on('data', (data: Buffer) => this.#append(data));
    stream.on('error', (error) => this.#finish(error));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    stream.on('close', resolve);
    for (const event of ['end', 'close']) {
      stream.on(event, () => this.#finish(new Error('the server closed the connection')));
    }
  }

  get at(): number {
    return this.#at;
  }

  get end(): number {
    return this.#end;
  }

  /** Whether nothing more will come. */
  get isOver(): boolean {
    return this.#over !== null;
  }

  /** Goes on behind what ends there. */
  skipTo(end: number): void {
    this.#at = end;
  }

  /** Resolves when more has arrived than there was. Rejects when nothing more will come. */
  async wait(): Promise<void> {
    if (this.#over !== null) throw this.#over;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#stream.resume();
    await promise;
    // What else there is to read now comes before the next turn.
    await nextTurn();
    if (this.#over !== null && !this.#isReady()) throw this.#over;
  }

  #append(data: Buffer): void {
    if (this.#end + data.length > this.bytes.length) this.#renew(data.length);
    data.copy(this.bytes, this.#end);
    this.#end += data.length;
    if (this.#end - this.#at > MAX_AHEAD && this.#isReady()) this.#stream.pause();
    this.#call();
  }

  /** Moves on to a new block, with what has not been taken. */
  #renew(more: number): void {
    const rest = this.#end - this.#at;
    const needed = rest + more;
    // A message that is longer than a block gets room to grow.
    const block = Buffer.allocUnsafeSlow(needed > BLOCK ? needed * 2 : BLOCK);
    this.bytes.copy(block, 0, this.#at, this.#end);
    this.bytes = block;
    this.#at = 0;
    this.#end = rest;
  }

  #finish(error: Error): void {
    this.#over ??= error;
    this.#call();
  }

  #call(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
