import type { Sink } from '../../src/engine/result/columns/sink.ts';

/** Lengths below and above every limit of a sink: blocks that it holds back, and buffers of sockets. */
const LENGTHS = [1, 9_000, 20_000, 5, 70_000, 300_000, 40, 1_000_000, 12_000];
/** Short parts after the long ones: a socket queues several of them. */
const SHORT_PARTS = 150;
const SHORT_LENGTH = 10_000;

/** Parts of a result; neighbours have different bytes. */
export const PARTS: readonly Buffer[] = [...LENGTHS, ...Array<number>(SHORT_PARTS).fill(SHORT_LENGTH)].map(
  (length, part) => Buffer.alloc(length, 1 + (part % 200)),
);

/** All parts together. */
export const WHOLE: Buffer = Buffer.concat(PARTS);

/** Bytes of no part. */
const SPENT = 255;

/**
 * Writes parts to a sink, and overwrites the memory of each as soon as the sink is done with it, as an encoder that
 * uses its memory again. A sink that keeps a reference passes on wrong bytes.
 */
export async function writeAndSpend(
  sink: Pick<Sink, 'write'>,
  parts: readonly Buffer[] = PARTS,
  onWritten: (bytes: number) => void = () => undefined,
): Promise<void> {
  for (const part of parts) {
    const memory = Buffer.from(part);
    const taken = sink.write(memory);
    if (taken) await taken;
    memory.fill(SPENT);
    onWritten(part.length);
  }
}
