import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A message of the server that has arrived whole; its body is `bytes[start .. end]`. */
export interface Message {
  /** The character that says what it is. */
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

const BLOCK = 1024 * 1024;
/** The server waits when so many bytes have arrived that nobody has read. */
const MOST_AHEAD = 512 * 1024;
const HEAD = 5;

/**
 * The messages of a PostgreSQL server, as they lie in the bytes that arrived (protocol 3). What has been taken
 * stays where it is until nobody holds its block any more: the rest moves on into a new one.
 */
export class Wire {
  readonly #stream: Duplex;
  /** What has arrived and not been taken is `bytes[#at .. #end]`. */
  bytes: Buffer = Buffer.allocUnsafeSlow(BLOCK);
  #at = 0;
  #end = 0;
  #over: Error | null = null;
  /** Resolves when the connection is no more. */
  readonly closed: Promise<void>;
  #wake: (() => void) | null = null;

  /** Takes over a stream on which a session has begun. */
  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.removeAllListeners('data');
    stream.on('data', (data: Buffer) => this.#append(data));
    stream.on('error', (error) => this.#finish(error));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    stream.on('close', resolve);
    stream.on('close', () => this.#finish(new Error('the server closed the connection')));
  }

  /** Why nothing more will come; null while it may. */
  get over(): Error | null {
    return this.#over;
  }

  write(...messages: readonly Buffer[]): void {
    if (this.#over === null) this.#stream.write(Buffer.concat(messages));
  }

  /** The next message if all of it is there; it stays the next one until it is taken. */
  peek(): Message | null {
    if (this.#end - this.#at < HEAD) return null;
    const end = this.#at + 1 + this.bytes.readInt32BE(this.#at + 1);
    if (end > this.#end) return null;
    return { type: this.bytes[this.#at]!, start: this.#at + HEAD, end };
  }

  /** Goes on behind a message. */
  take({ end }: Message): void {
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
    if (this.#over !== null && this.peek() === null) throw this.#over;
  }

  /** Resolves with the next message. Rejects when none will come. */
  async next(): Promise<Message> {
    for (let message = this.peek(); ; message = this.peek()) {
      if (message !== null) {
        this.take(message);
        return message;
      }
      await this.wait();
    }
  }

  /** Ends the connection without a word. */
  destroy(): void {
    this.#stream.destroy();
  }

  /** Ends the connection after what has been written. */
  end(): void {
    this.#stream.end();
  }

  #append(data: Buffer): void {
    if (this.#end + data.length > this.bytes.length) this.#renew(data.length);
    data.copy(this.bytes, this.#end);
    this.#end += data.length;
    if (this.#end - this.#at > MOST_AHEAD && this.peek() !== null) this.#stream.pause();
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
