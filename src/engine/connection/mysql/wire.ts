import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What a packet of the server holds: `bytes[start .. end]`. */
export interface Packet {
  readonly start: number;
  readonly end: number;
}

/** The length of a packet and its number stand before it. */
export const HEAD = 4;
/** A packet of this length goes on in the next one. */
export const LONGEST = 0xffffff;
const BLOCK = 1024 * 1024;
/** The server waits when so many bytes have arrived that nobody has read. */
const MOST_AHEAD = 512 * 1024;

/**
 * The packets of a MySQL server, as they lie in the bytes that arrived (protocol 41). What has been taken stays
 * where it is until nobody holds its block any more: the rest moves on into a new one.
 */
export class Wire {
  readonly #stream: Duplex;
  /** What has arrived and not been taken is `bytes[at .. end]`. */
  bytes: Buffer = Buffer.allocUnsafeSlow(BLOCK);
  #at = 0;
  #end = 0;
  /** A packet in parts, when they have been put together. */
  #joined: Packet | null = null;
  #over: Error | null = null;
  /** Resolves when the connection is no more. */
  readonly closed: Promise<void>;
  #wake: (() => void) | null = null;

  /** Takes over a stream on which a session has begun. */
  constructor(stream: Duplex) {
    this.#stream = stream;
    for (const event of ['data', 'end', 'error']) stream.removeAllListeners(event);
    stream.on('data', (data: Buffer) => this.#append(data));
    stream.on('error', (error) => this.#finish(error));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    stream.on('close', resolve);
    stream.on('close', () => this.#finish(new Error('the server closed the connection')));
  }

  get at(): number {
    return this.#at;
  }

  get end(): number {
    return this.#end;
  }

  /** Sends a command, in packets with numbers from `first`. */
  send(payload: Buffer, first = 0): void {
    if (this.#over !== null) return;
    for (let from = 0, number = first; from <= payload.length; from += LONGEST, number += 1) {
      const part = payload.subarray(from, from + LONGEST);
      const head = Buffer.alloc(HEAD);
      head.writeUIntLE(part.length, 0, 3);
      head[3] = number & 0xff;
      this.#stream.write(Buffer.concat([head, part]));
    }
  }

  /** The next packet if all of it is there; it stays the next one until it is taken. */
  peek(): Packet | null {
    if (this.#joined !== null) return this.#joined;
    if (this.#end - this.#at < HEAD) return null;
    const start = this.#at + HEAD;
    const length = this.bytes.readUIntLE(this.#at, 3);
    if (start + length > this.#end) return null;
    return length === LONGEST ? this.#join() : { start, end: start + length };
  }

  /** Goes on behind what ends there. */
  skipTo(end: number): void {
    this.#at = end;
    this.#joined = null;
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
    const parts: Packet[] = [];
    for (let at = this.#at, length = LONGEST; length === LONGEST; ) {
      if (this.#end - at < HEAD) return null;
      length = this.bytes.readUIntLE(at, 3);
      const start = at + HEAD;
      at = start + length;
      if (at > this.#end) return null;
      parts.push({ start, end: at });
    }
    const { end } = parts.at(-1)!;
    let start = end;
    for (const part of parts.reverse()) {
      start -= part.end - part.start;
      this.bytes.copyWithin(start, part.start, part.end);
    }
    this.#joined = { start, end };
    return this.#joined;
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
    const from = this.#at;
    const rest = this.#end - from;
    const needed = rest + more;
    // A packet that is longer than a block gets room to grow.
    const block = Buffer.allocUnsafeSlow(needed > BLOCK ? needed * 2 : BLOCK);
    this.bytes.copy(block, 0, from, this.#end);
    this.bytes = block;
    this.#at = 0;
    this.#end = rest;
    if (this.#joined !== null) {
      this.#joined = { start: this.#joined.start - from, end: this.#joined.end - from };
    }
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
