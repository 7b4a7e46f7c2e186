import type { Duplex } from 'node:stream';
import { Incoming } from '../server/incoming.ts';

/** What a packet of the server holds: `bytes[start .. end]`. */
export interface Packet {
  readonly start: number;
  readonly end: number;
}

/** The length of a packet and its number stand before it. */
export const HEAD = 4;
/** A packet of this length goes on in the next one. */
export const MAX_LENGTH = 0xffffff;

/** The packets of a MySQL server (protocol 41), and the way to it. */
export class Wire {
  readonly #stream: Duplex;
  readonly #incoming: Incoming;
  /** A packet in parts, when they have been put together, counted from where it begins. */
  #joined: Packet | null = null;

  /** Takes over a stream on which a session has begun. */
  constructor(stream: Duplex) {
    this.#stream = stream;
    for (const event of ['end', 'error']) stream.removeAllListeners(event);
    this.#incoming = new Incoming(stream, () => this.peek() !== null);
  }

  /** What packets lie in. */
  get bytes(): Buffer {
    return this.#incoming.bytes;
  }

  get at(): number {
    return this.#incoming.at;
  }

  get end(): number {
    return this.#incoming.end;
  }

  /** Resolves when the connection is no more. */
  get closed(): Promise<void> {
    return this.#incoming.closed;
  }

  /** Sends a command, in packets with numbers from `first`. */
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

  /** The next packet if all of it is there; it stays the next one until it is taken. */
  peek(): Packet | null {
    const { bytes, at, end } = this.#incoming;
    if (this.#joined !== null) return { start: at + this.#joined.start, end: at + this.#joined.end };
    if (end - at < HEAD) return null;
    const start = at + HEAD;
    const length = bytes.readUIntLE(at, 3);
    if (start + length > end) return null;
    return length === MAX_LENGTH ? this.#join() : { start, end: start + length };
  }

  /** Goes on behind what ends there. */
  skipTo(end: number): void {
    this.#incoming.skipTo(end);
    this.#joined = null;
  }

  /** Resolves when more has arrived than there was. Rejects when nothing more will come. */
  wait(): Promise<void> {
    return this.#incoming.wait();
  }

  /** Ends the connection without a word. */
  destroy(): void {
    this.#stream.destroy();
  }

  /** Ends the connection after what has been sent. */
  finish(): void {
    this.#stream.end();
  }

  /** Puts the parts of a packet together; null when they are not all there. */
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
