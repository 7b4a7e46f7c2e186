/**
 * Where encoded bytes go. The bytes belong to the sink once written. A returned promise is back-pressure:
 * the writer waits for it; it rejects when the other side is gone or full.
 */
export interface Sink {
  write(bytes: Uint8Array): void | Promise<void>;
}
