import { availableParallelism } from 'node:os';
import path from 'node:path';
import { elementAt } from '../../../invariants/must.ts';
import { takeTurn } from '../../../turns/take-turn.ts';
import { createThread, type Thread, ThreadError } from '../../../workspace/threads/thread.ts';
import { serverErrors } from '../errors.ts';
import { type BodyPieces, MAX_BYTES_HERE } from './body-pieces.ts';
import { MAX_NAMES } from './json-excess.ts';
import { type JsonOptions, readJson } from './json-reading.ts';
import type { JsonAnswer, JsonCall, ParseAnswer, ParseCall } from './json-thread.ts';

/** Bodies with more values are parsed in a separate thread, too. */
const MAX_VALUES_HERE = 5_000;

/**
 * A complete body.
 *
 * @internal
 */
export interface ArrivedBody extends Pick<ParseCall, 'texts' | 'byteTexts'> {
  readonly pieces: BodyPieces;
  /** Maximum values in it. */
  readonly values: number;
  readonly options: JsonOptions;
  /** The user or address that sent it. */
  readonly caller: string;
  /** Aborts when its request has ended. */
  readonly signal: AbortSignal;
}

/** Parses the JSON of bodies, and serializes that of long responses. */
export interface BodyReader {
  /** The value of a body; undefined for an empty one. Rejects with a ServiceError for invalid JSON. */
  read(body: ArrivedBody): Promise<unknown>;
  /** A value as JSON in UTF-8; a byte array in it is a string in UTF-8. Rejects with a ThreadError. */
  print(value: object, caller: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** Options of the threads; tests set shorter times. */
export interface BodyReaderLimits {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly idleMs: number;
}

const LIMITS: BodyReaderLimits = { timeoutMs: 30_000, memoryMb: 1_024, idleMs: 10_000 };

/** A reader that starts its threads on demand and leaves one processor free. */
export function createBodyReader(limits: BodyReaderLimits = LIMITS): BodyReader {
  const program = new URL(`./json-thread${path.extname(import.meta.filename)}`, import.meta.url);
  const count = Math.max(1, Math.min(2, availableParallelism() - 1));
  const threads = Array.from({ length: count }, (): Thread<JsonCall, JsonAnswer> => {
    return createThread({ program, runsIn: 'thread', ...limits });
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
      if (pieces.bytes <= MAX_BYTES_HERE && values <= MAX_VALUES_HERE) {
        return getValue(readJson(pieces.join(), options));
      }
      const port = pieces.takePort();
      const call = { kind: 'read', port, texts, byteTexts, ...options } as const;
      const answer = await findThread()
        .call(call, caller, { transfer: [port], signal })
        .catch(refuse);
      // Receiving the result has already taken a while.
      await takeTurn();
      return getValue(answer as ParseAnswer);
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}

function getValue(answer: ParseAnswer): unknown {
  switch (answer.error) {
    case undefined:
      return answer.value;
    case 'notUtf8':
      throw serverErrors.notUtf8();
    case 'malformed':
      throw serverErrors.malformedJson(answer.reason);
    case 'digits':
      throw serverErrors.tooManyDigits(answer.field);
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
