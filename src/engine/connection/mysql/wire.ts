import type { Duplex } from 'node:stream';
import { Incoming } from '../server/incoming.ts';

/** The content of a packet of the server: `bytes[start .. end]`. */
export interface Packet {
  readonly start: number;
  readonly end: number;
}

/** Bytes of the header: the length of a packet and its number. */
export const HEAD = 4;
/** A packet of this length continues in the next one. */
export const MAX_LENGTH = 0xffffff;

/** Reads and writes the packets of a MySQL server (protocol 41). */
export class MysqlWire {
  readonly #stream: Duplex;
  readonly #incoming: Incoming;
  /** A packet assembled from its parts, relative to the start. */
  #joined: Packet | null = null;

  /** Takes over a stream with an established session. */
  constructor(stream: Duplex) {
    this.#stream = stream;
    for (const event of ['end', 'error']) stream.removeAllListeners(event);
    this.#incoming = new Incoming(stream, () => this.peek() !== null);
  }

  /** The buffer that contains the packets. */
  get bytes(): Buffer {
    return this.#incoming.bytes;
  }

  get at(): number {
    return this.#incoming.at;
  }

  get end(): number {
    return this.#incoming.end;
  }

  /** Whether the server has closed the connection. */
  get isOver(): boolean {
    return this.#incoming.isOver;
  }

  /** Resolves when the connection has closed. */
  get closed(): Promise<void> {
    return this.#incoming.closed;
  }

  /** Sends a command, in packets numbered from `first`. */
  send(payload: Buffer, first = 0): void {
    if (this.#incoming.isOver) return;
    for (let from = 0, number = first; from <= payload.length; from += MAX_LENGTH, number += 1) {
      const part = payload.subarray(from, from + MAX_LENGTH);
      const head = Buffer.alloc(HEAD);
      head.writeUIntLE(part.length, 0, 3);
      head[3] = number & 0xff;
      this.#stream.write(Buffer.concat([head, part]));
    }
  }

  /** The next packet if it has arrived completely; it remains until it is taken. */
  peek(): Packet | null {
    const { bytes, at, end } = this.#incoming;
    if (this.#joined !== null) return { start: at + this.#joined.start, end: at + this.#joined.end };
    if (end - at < HEAD) return null;
    const start = at + HEAD;
    const length = bytes.readUIntLE(at, 3);
    if (start + length > end) return null;
    return length === MAX_LENGTH ? this.#join() : { start, end: start + length };
  }

  /** Continues after the position `end`. */
  skipTo(end: number): void {
    this.#incoming.skipTo(end);
    this.#joined = null;
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
  finish(): void {
    this.#stream.end();
  }

  /** Joins the parts of a packet; null when some are missing. */
  #join(): Packet | null {
    const { bytes, at: begin, end: arrived } = this.#incoming;
    const parts: Packet[] = [];
    for (let at = begin, length = MAX_LENGTH; length === MAX_LENGTH; ) {
      if (arrived - at < HEAD) return null;
      length = bytes.readUIntLE(at, 3);
      const start = at + HEAD;
      at = start + length;
      if (at > arrived) return null;
      parts.push({ start, end: at });
    }
    const { end } = parts.at(-1)!;
    let start = end;
    for (const part of parts.reverse()) {
      start -= part.end - part.start;
      bytes.copyWithin(start, part.start, part.end);
    }
    this.#joined = { start: start - begin, end: end - begin };
    return { start, end };
  }
}
