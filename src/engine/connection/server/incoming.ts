import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

const BLOCK = 1024 * 1024;
/** Maximum bytes that arrive before they are read; then the server has to wait. */
const MAX_AHEAD = 512 * 1024;

/**
 * The bytes that a server sends, in the blocks in which they arrived. A block that has been read is never overwritten
 * while it is in use; the unread rest moves into a new block.
 */
export class Incoming {
  readonly #stream: Duplex;
  readonly #isReady: () => boolean;
  /** The unread bytes are `bytes[at .. end]`. */
  bytes: Buffer = Buffer.allocUnsafeSlow(BLOCK);
  #at = 0;
  #end = 0;
  #over: Error | null = null;
  /** Resolves when the connection has closed. */
  readonly closed: Promise<void>;
  #wake: (() => void) | null = null;

  /** Takes over a stream with an established session; `isReady` returns whether a complete message has arrived. */
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

  /** Whether the stream has ended. */
  get isOver(): boolean {
    return this.#over !== null;
  }

  /** Continues after the position `end`. */
  skipTo(end: number): void {
    this.#at = end;
  }

  /** Resolves when more bytes have arrived. Rejects when the stream has ended. */
  async wait(): Promise<void> {
    if (this.#over !== null) throw this.#over;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#stream.resume();
    await promise;
    // All other bytes that can be read now arrive before the next turn.
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

  /** Moves the unread bytes to a new block. */
  #renew(more: number): void {
    const unreadBytes = this.#end - this.#at;
    const needed = unreadBytes + more;
    // A message longer than a block gets space to grow.
    const block = Buffer.allocUnsafeSlow(needed > BLOCK ? needed * 2 : BLOCK);
    this.bytes.copy(block, 0, this.#at, this.#end);
    this.bytes = block;
    this.#at = 0;
    this.#end = unreadBytes;
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
