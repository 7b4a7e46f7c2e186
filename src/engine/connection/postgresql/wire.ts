import type { Duplex } from 'node:stream';
import { Incoming } from '../server/incoming.ts';

/** A message of the server that has arrived whole; its body is `bytes[start .. end]`. */
export interface Message {
  /** The character that says what it is. */
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

const HEAD = 5;

/** The messages of a PostgreSQL server (protocol 3), and the way to it. */
export class Wire {
  readonly #stream: Duplex;
  readonly #incoming: Incoming;

  /** Takes over a stream on which a session has begun. */
  constructor(stream: Duplex) {
    this.#stream = stream;
    this.#incoming = new Incoming(stream, () => this.peek() !== null);
  }

  /** What messages lie in. */
  get bytes(): Buffer {
    return this.#incoming.bytes;
  }

  /** Resolves when the connection is no more. */
  get closed(): Promise<void> {
    return this.#incoming.closed;
  }

  write(...messages: readonly Buffer[]): void {
    if (!this.#incoming.isOver) this.#stream.write(Buffer.concat(messages));
  }

  /** The next message if all of it is there; it stays the next one until it is taken. */
  peek(): Message | null {
    const { bytes, at, end: arrived } = this.#incoming;
    if (arrived - at < HEAD) return null;
    const end = at + 1 + bytes.readInt32BE(at + 1);
    return end > arrived ? null : { type: bytes[at]!, start: at + HEAD, end };
  }

  /** Goes on behind a message. */
  take({ end }: Message): void {
    this.#incoming.skipTo(end);
  }

  /** Resolves when more has arrived than there was. Rejects when nothing more will come. */
  wait(): Promise<void> {
    return this.#incoming.wait();
  }

  /** Ends the connection without a word. */
  destroy(): void {
    this.#stream.destroy();
  }

  /** Ends the connection after what has been written. */
  end(): void {
    this.#stream.end();
  }
}
