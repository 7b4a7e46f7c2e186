import type { Builder } from 'flatbuffers';

/** The content of a message: the numbers of Arrow's `MessageHeader`. */
export type HeaderKind = 1 | 3;
export const SCHEMA: HeaderKind = 1;
export const RECORD_BATCH: HeaderKind = 3;

/** Arrow's metadata version 5. */
const VERSION = 4;
/** Bytes of a message before its metadata. */
export const PREFIX_BYTES = 8;
const CONTINUATION = -1;

/** The end of a stream: a continuation marker and a length of 0. */
export const END_OF_STREAM: Uint8Array = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);

/**
 * Finishes a message of Arrow's stream format: the marker, the length of the metadata, and the metadata, padded to a
 * multiple of 8 bytes. `header` is the table in `builder` that the message contains; a body of `bodyLength` bytes must
 * follow it.
 */
export function toMessage(
  builder: Builder,
  kind: HeaderKind,
  header: number,
  bodyLength: number,
): Uint8Array {
  builder.startObject(5);
  builder.addFieldInt16(0, VERSION, 0);
  builder.addFieldInt8(1, kind, 0);
  builder.addFieldOffset(2, header, 0);
  builder.addFieldInt64(3, BigInt(bodyLength), 0n);
  builder.finish(builder.endObject());
  const metadata = builder.asUint8Array();
  const length = (metadata.length + 7) & ~7;
  const message = new Uint8Array(PREFIX_BYTES + length);
  const view = new DataView(message.buffer);
  view.setInt32(0, CONTINUATION, true);
  view.setInt32(4, length, true);
  message.set(metadata, PREFIX_BYTES);
  return message;
}
