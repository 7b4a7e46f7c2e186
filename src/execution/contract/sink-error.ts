import type { Sink } from '../../engine/result/columns/sink.ts';

/** The other side of a sink is gone or full; `cause` is what it said. */
export class SinkError extends Error {}

/** Marks every failure of a sink, so that it is never taken for a fault of the database or of ours. */
export function guardSink(sink: Sink): Sink {
  return {
    write: (bytes) => guard(() => sink.write(bytes)),
    transferSocket: () => guard(async () => (await sink.transferSocket?.()) ?? null),
  };
}

async function guard<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new SinkError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
