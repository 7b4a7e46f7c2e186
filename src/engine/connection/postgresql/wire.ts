import type { Duplex } from 'node:stream';
import { Incoming } from '../server/incoming.ts';

/** A complete message of the server; its body is `bytes[start .. end]`. */
export interface Message {
  /** The type character. */
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

const HEAD = 5;

/** Reads and writes the messages of a PostgreSQL server (protocol 3). */
export class PostgresqlWire {
  readonly #stream: Duplex;
  readonly #incoming: Incoming;

  /** Takes over a stream with an established session. */
  constructor(stream: Duplex) {
    this.#stream = stream;
    this.#incoming = new Incoming(stream, () => this.peek() !== null);
  }

  /** The buffer that contains the messages. */
  get bytes(): Buffer {
    return this.#incoming.bytes;
  }

  /** Whether the server has closed the connection. */
  get isOver(): boolean {
    return this.#incoming.isOver;
  }

  /** Resolves when the connection has closed. */
  get closed(): Promise<void> {
    return this.#incoming.closed;
  }

  write(...messages: readonly Buffer[]): void {
    if (!this.#incoming.isOver) this.#stream.write(Buffer.concat(messages));
  }

  /** The next message if it has arrived completely; it remains until it is taken. */
  peek(): Message | null {
    const { bytes, at, end: arrived } = this.#incoming;
    if (arrived - at < HEAD) return null;
    const end = at + 1 + bytes.readInt32BE(at + 1);
    return end > arrived ? null : { type: bytes[at]!, start: at + HEAD, end };
  }

  /** Continues after a message. */
  take({ end }: Message): void {
    this.#incoming.skipTo(end);
  }

  /** Resolves when more bytes have arrived. Rejects when the stream has ended. */
  wait(): Promise<void> {
    return this.#incoming.wait();
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.#stream.destroy();
  }

  /** Closes the connection after all bytes have been sent. */
  end(): void {
    this.#stream.end();
  }
}
