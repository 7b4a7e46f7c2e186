/** Joins parts into a block that shares no memory, so that it can be freed by itself. */
export function join(parts: readonly Buffer[]): Buffer {
  const block = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) at += part.copy(block, at);
  return block;
}

/**
 * Frees the memory of bytes that share it with nothing, instead of the garbage collector, which waits for much more of
 * it; Node.js shares a pool among small ones.
 */
export function free({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0);
}
