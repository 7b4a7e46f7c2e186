/**
 * Where encoded bytes go. The bytes belong to the sink once written. A returned promise is back-pressure:
 * the writer waits for it; it rejects when the other side is gone or full.
 */
export interface Sink {
  write(bytes: Uint8Array): void | Promise<void>;
  /**
   * Resolves, when all that was written has left, with the handle of a connection on which another process writes the rest
   * by itself; then nothing more may be written here. The connection is one of HTTP/1.1 behind the head of a chunked answer
   * and takes chunks, but the last one. Resolves with null where there is no such connection; rejects as `write`.
   */
  transferSocket?(): Promise<object | null>;
}
