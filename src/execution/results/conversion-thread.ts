import { parentPort, workerData } from 'node:worker_threads';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { FORMATS } from '../../engine/result/formats.ts';
import { checkResult, SheetLimitError } from '../../engine/result/xlsx/sheet-limits.ts';
import { MAX_UNPACKED } from '../../engine/result/xlsx/zip-format.ts';
import { notNull } from '../../invariants/must.ts';
import type { ThreadAnswer, ThreadConversion } from './convert-result.ts';
import { readStored, toWrittenColumns } from './read-stored.ts';

// The program of a thread that converts one stored result. The parent requests each answer with a message.

const port = notNull(parentPort);
const { stored, format, encoder: options, stats } = workerData as ThreadConversion;

const style = format === 'json' || format === 'ndjson' ? 'json' : 'text';
const columns = toWrittenColumns(stored.columns, style);

const send = createAnswer();
try {
  if (format === 'xlsx') await checkSheet();
  await encode({ write: send });
  await send(null);
} catch (error) {
  if (!(error instanceof SheetLimitError)) throw error;
  await send({ problem: error.message });
}
port.close();

async function encode(sink: Sink): Promise<void> {
  const encoder = notNull(FORMATS[format].create)(sink, options);
  await encoder.start(columns);
  for await (const chunk of readStored(stored, style)) await encoder.chunk(chunk);
  await encoder.end(stats);
}

/** Finds a limit that the result exceeds before the first byte is sent; encodes it twice only if it is very large. */
async function checkSheet(): Promise<void> {
  const maxBytes = await checkResult(columns, readStored(stored, style));
  if (maxBytes > MAX_UNPACKED) await encode({ write: () => undefined });
}

/** Returns a function that sends an answer when the parent requests one. */
function createAnswer(): (answer: ThreadAnswer) => Promise<void> {
  let requested = Promise.withResolvers<void>();
  port.on('message', () => requested.resolve());
  return async (answer) => {
    await requested.promise;
    requested = Promise.withResolvers<void>();
    port.postMessage(answer);
  };
}
