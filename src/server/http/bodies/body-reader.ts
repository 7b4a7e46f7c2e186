import { availableParallelism } from 'node:os';
import path from 'node:path';
import { elementAt } from '../../../invariants/must.ts';
import { takeTurn } from '../../../turns/take-turn.ts';
import { createThread, type Thread, ThreadError } from '../../../workspace/threads/thread.ts';
import { serverErrors } from '../errors.ts';
import { MAX_NAMES } from './json-excess.ts';
import { type JsonOptions, readJson } from './json-reading.ts';
import type { JsonAnswer, JsonCall, ReadAnswer, ReadCall } from './json-thread.ts';

/** Bodies of more bytes, or of more values, are read in a thread of their own: nobody waits for what takes long. */
const MAX_BYTES_HERE = 1024 ** 2;
const MAX_VALUES_HERE = 5_000;

/** A body that has arrived. */
export interface ArrivedBody extends Pick<ReadCall, 'pieces' | 'texts' | 'byteTexts'> {
  /** How many values it may have. */
  readonly values: number;
  readonly options: JsonOptions;
  /** Who waits for it. */
  readonly caller: string;
  /** Says that nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** Reads the JSON of bodies, and writes that of long answers. */
export interface BodyReader {
  /** The value of a body; undefined for an empty one. Rejects with a ServiceError for what is no JSON. */
  read(body: ArrivedBody): Promise<unknown>;
  /** A value as JSON, in UTF-8; bytes in it stand for the text that they are the UTF-8 of. Rejects with a ThreadError. */
  print(value: object, caller: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** How the threads are run; tests have less patience. */
export interface BodyReaderLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly idleMs: number;
}

const LIMITS: BodyReaderLimits = { timeoutMs: 30_000, memoryMb: 1_024, idleMs: 10_000 };

/** A reader whose threads begin when they are needed, and never take the last processor. */
export function createBodyReader(limits: BodyReaderLimits = LIMITS): BodyReader {
  const program = new URL(`./json-thread${path.extname(import.meta.filename)}`, import.meta.url);
  const count = Math.max(1, Math.min(2, availableParallelism() - 1));
  const threads = Array.from({ length: count }, (): Thread<JsonCall, JsonAnswer> => {
    return createThread({ program, ...limits });
  });
  const findThread = () => {
    const byLoad = threads.toSorted((one, other) => one.load - other.load);
    return elementAt(byLoad, 0);
  };
  return {
    async print(value, caller) {
      const bytes = (await findThread().call({ kind: 'print', value }, caller)) as Uint8Array;
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    async read({ pieces, values, options, texts, byteTexts, caller, signal }) {
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
      if (length <= MAX_BYTES_HERE && values <= MAX_VALUES_HERE) {
        return getValue(readJson(Buffer.concat(pieces), options));
      }
      const own = pieces.map(toOwn);
      const transfer = own.map(({ buffer }) => buffer as ArrayBuffer);
      const call = { kind: 'read', pieces: own, texts, byteTexts, ...options } as const;
      const answer = await findThread().call(call, caller, { transfer, signal }).catch(refuse);
      // To take the answer over has taken a while already.
      await takeTurn();
      return getValue(answer as ReadAnswer);
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}

/** A piece whose memory is its own, so that it can be given away. */
function toOwn(piece: Uint8Array): Uint8Array {
  return piece.byteLength === piece.buffer.byteLength ? piece : new Uint8Array(piece);
}

function getValue(answer: ReadAnswer): unknown {
  switch (answer.fault) {
    case undefined:
      return answer.value;
    case 'notUtf8':
      throw serverErrors.notUtf8();
    case 'malformed':
      throw serverErrors.malformedJson(answer.reason);
    case 'names':
      throw serverErrors.tooManyNames(MAX_NAMES);
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof ThreadError)) throw error;
  if (error.isOutOfMemory) throw serverErrors.bodyTakesTooMuch();
  if (error.code === 'closed') throw serverErrors.stopping();
  if (error.code === 'cancelled') throw serverErrors.malformedRequest();
  throw serverErrors.bodyNotRead();
}
