import { parentPort, workerData } from 'node:worker_threads';
import { FORMATS } from '../../engine/result/formats.ts';
import { notNull } from '../../invariants/must.ts';
import type { TextConversion } from './convert-result.ts';
import { readStored, toWrittenColumns } from './read-stored.ts';

// The program of a thread that converts one stored result. The parent requests each block of bytes with a message; the
// answer is a block, or null at the end.

const port = notNull(parentPort);
const { stored, format, stats } = workerData as TextConversion;

const answer = createAnswer();

const style = format === 'json' || format === 'ndjson' ? 'json' : 'text';
const encoder = notNull(FORMATS[format].create)({ write: answer }, {});
await encoder.start(toWrittenColumns(stored.columns, style));
for await (const chunk of readStored(stored, style)) await encoder.chunk(chunk);
await encoder.end(stats);
await answer(null);
port.close();

/** Returns a function that sends a block when the parent requests one. */
function createAnswer(): (block: Uint8Array | null) => Promise<void> {
  let requested = Promise.withResolvers<void>();
  port.on('message', () => requested.resolve());
  return async (block) => {
    await requested.promise;
    requested = Promise.withResolvers<void>();
    port.postMessage(block);
  };
}
