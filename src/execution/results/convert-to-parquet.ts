import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { executionErrors } from '../contract/errors.ts';
import { TOO_LARGE } from './parquet-limits.ts';
import type { StoredResult } from './recorded-results.ts';

/** What the process that writes a Parquet file receives. */
export interface ParquetJob {
  readonly stored: StoredResult;
  readonly file: string;
  /** Bytes of the rows in DuckDB. */
  readonly maxBytes: number;
  readonly memory: string;
}

/** The errors of a format with limits. */
export interface ConversionErrors {
  readonly tooLarge: () => Error;
  /** For a value that the format cannot hold; `detail` names its column. */
  readonly outOfRange: (detail: string) => Error;
}

/** How the process has ended; `problem` is what it said before. */
interface Ending {
  readonly code: number | null;
  readonly problem: string | null;
}

const LIMITS = { maxBytes: 2 * 1024 ** 3, memory: '512MB' };
const NODE_MEMORY_MB = 256;

/**
 * Converts a stored result to Parquet: a process writes a file next to the result, which is removed when the stream is
 * closed. The stream fails with one of `errors` if a limit is exceeded. Destroy the stream to end the process early.
 */
export function convertToParquet(stored: StoredResult, errors: ConversionErrors): Readable {
  const leaving = new AbortController();
  const stream = Readable.from(readParquet(stored, errors, leaving.signal), { objectMode: false });
  stream.once('close', () => leaving.abort());
  return stream;
}

async function* readParquet(
  stored: StoredResult,
  { tooLarge, outOfRange }: ConversionErrors,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const folder = await mkdtemp(`${stored.stream.file}-parquet-`);
  try {
    const file = path.join(folder, 'result.parquet');
    const { code, problem } = await writeInProcess({ stored, file, ...LIMITS }, signal);
    if (code === TOO_LARGE) throw tooLarge();
    if (problem !== null) throw outOfRange(problem);
    if (code !== 0) throw executionErrors.conversionEnded();
    yield* createReadStream(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rejects when `signal` is aborted. */
async function writeInProcess(job: ParquetJob, signal: AbortSignal): Promise<Ending> {
  const program = new URL(`./parquet-process${path.extname(import.meta.filename)}`, import.meta.url);
  const child = fork(program, {
    env: {},
    execArgv: [`--max-old-space-size=${NODE_MEMORY_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    killSignal: 'SIGKILL',
    signal,
  });
  let problem: string | null = null;
  child.on('message', (message: string) => {
    problem = message;
  });
  const exited = once(child, 'exit');
  child.send(job);
  const [code] = await exited;
  return { code, problem };
}
