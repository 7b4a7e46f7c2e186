/**
 * Where encoded bytes go. The bytes belong to the sink once written. A returned promise is back-pressure:
 * the writer waits for it; it rejects when the other side is gone or full.
 */
export interface Sink {
  write(bytes: Uint8Array): void | Promise<void>;
  /**
   * Resolves, when all that was written has left, with a connection on which another process writes the rest by itself;
   * then nothing more may be written here. Resolves with null where there is no such connection; rejects as `write`.
   */
  transferSocket?(): Promise<SharedSocket | null>;
}

/** A connection of HTTP/1.1 behind the head of a chunked answer; it takes chunks, but the last one. */
export interface SharedSocket {
  /** What the system knows it by, to be sent to another process. */
  readonly handle: object;
  /** Notes bytes that have left there. */
  count(bytes: number): void;
}
