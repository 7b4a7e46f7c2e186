import path from 'node:path';
import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import { notNull } from '../../invariants/must.ts';
import type { ModelFile } from '../../semantic/model/load/model-file.ts';
import { MAX_CHARACTERS } from '../../semantic/model/load/read-model.ts';
import { createThread, type Thread, ThreadError } from '../threads/thread.ts';
import type {
  AskAnswer,
  AskCall,
  ReadAnswer,
  ReadCall,
  ReadFile,
  SoundModel,
  SqlAnswer,
  SqlCall,
  WarmAnswer,
  WarmCall,
} from './model-calls.ts';
import type { FoundModel } from './semantic.ts';

/** What can be said of a model now. */
export interface ServedModel {
  readonly id: string;
  /** Of the last sound model; no other one has it. */
  readonly version: number;
  /** Null if there never was one. */
  readonly sound: SoundModel | null;
  /** Why the sound one is not what the files say now; null if it is. */
  readonly faults: string | null;
}

/**
 * The models of a server, each of them one for everybody. They are read in one thread and asked in another, so that
 * neither a huge model nor a huge question keeps anybody else waiting for the server (semantic 1).
 */
export interface ServedModels {
  /**
   * Reads what has changed since the last time; one with faults is the one that it was before them. `caller` is the id
   * of the user who asks. Throws what finding its files throws, but for a DiagnosticError; a ThreadError `busy` or
   * `closed`.
   */
  load(found: Pick<FoundModel, 'id' | 'listFiles'>, caller: string): Promise<ServedModel>;
  /** Throws a ThreadError. */
  ask(
    model: ServedModel,
    question: ModelQuestion,
    caller: string,
  ): Promise<Exclude<AskAnswer, { status: 'unknown' }>>;
  /** As `ask`, for statements of Semantic SQL; `signal` withdraws them. */
  askSql(
    model: ServedModel,
    statements: ModelStatements,
    caller: string,
    signal?: AbortSignal,
  ): Promise<Exclude<SqlAnswer, { status: 'unknown' }>>;
  /** Loads what the first statements would wait for. Throws a ThreadError. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** Statements to a model. */
type ModelStatements = Pick<SqlCall, 'text' | 'strict'>;

/** What is asked of a model. */
export type ModelQuestion = Pick<AskCall, 'query' | 'strict' | 'explain'>;

/** How the threads are run; tests have less patience. */
export interface ModelLimits {
  readonly readMs: number;
  readonly askMs: number;
  readonly memoryMb: number;
}

export const MODEL_LIMITS: ModelLimits = { readMs: 120_000, askMs: 10_000, memoryMb: 2_048 };

/** Most models that are kept; of more, those that were asked for last. */
const MAX_MODELS = 100;

type AskedThread = Thread<AskCall | SqlCall | WarmCall, AskAnswer | SqlAnswer | WarmAnswer>;

/** An answer of a thread that has the model. */
type Known<Answer> = Exclude<Answer, { status: 'unknown' }>;

/** Files as they are now, or why they are not known. */
interface Listing {
  readonly revision: string;
  readonly files: readonly ModelFile[] | null;
  readonly faults: string | null;
}

/** A model as it was read at a revision of its files. */
interface ReadModel {
  readonly revision: string;
  readonly reading: Promise<ServedModel>;
}

/** No models yet; threads begin when they are needed. */
export function createServedModels(limits: ModelLimits): ServedModels {
  const program = new URL(`./model-thread${path.extname(import.meta.filename)}`, import.meta.url);
  const { readMs, askMs, memoryMb } = limits;
  const reader: Thread<ReadCall, ReadAnswer> = createThread({ program, timeoutMs: readMs, memoryMb });
  const asked: AskedThread = createThread({ program, timeoutMs: askMs, memoryMb });
  const places = new Map<string, ReadModel>();
  let versions = 0;

  /** Every sound model has a version of its own: one that was forgotten may still be known where it was asked. */
  async function read(
    id: string,
    { files, faults }: Listing,
    before: ReadModel | undefined,
    caller: string,
  ): Promise<ServedModel> {
    const answer =
      files === null
        ? { sound: null, faults: notNull(faults) }
        : await readFiles(reader, { kind: 'read', id, files: readTexts(files) }, caller);
    const last = await before?.reading.catch(() => undefined);
    if (answer.sound === null)
      return { id, version: last?.version ?? 0, sound: last?.sound ?? null, faults: answer.faults };
    versions += 1;
    return { id, version: versions, ...answer };
  }

  function put(id: string, place: ReadModel): void {
    places.delete(id);
    places.set(id, place);
    const [oldest] = places.keys();
    if (places.size > MAX_MODELS && oldest !== undefined) places.delete(oldest);
  }

  return {
    async load({ id, listFiles }, caller) {
      const listing = list(listFiles);
      const before = places.get(id);
      const isKnown = before?.revision === listing.revision;
      const place = isKnown
        ? before
        : { revision: listing.revision, reading: read(id, listing, before, caller) };
      put(id, place);
      try {
        return await place.reading;
      } catch (error) {
        // It was not read at all: the next one tries again.
        if (places.get(id) === place) {
          places.delete(id);
          if (before !== undefined && !isKnown) places.set(id, before);
        }
        throw error;
      }
    },
    ask: async ({ id, version, sound }, question, caller) => {
      const call = { kind: 'ask', id, version, model: null, ...question } as const;
      return (await callWithModel(asked, call, sound, caller)) as Known<AskAnswer>;
    },
    askSql: async ({ id, version, sound }, statements, caller, signal) => {
      const call = { kind: 'sql', id, version, model: null, ...statements } as const;
      return (await callWithModel(asked, call, sound, caller, signal)) as Known<SqlAnswer>;
    },
    async warm() {
      await asked.call({ kind: 'warm' }, '');
    },
    async close() {
      await Promise.all([reader.close(), asked.close()]);
    },
  };
}

/** The model goes along where the thread does not have it. Rejects with a ThreadError. */
async function callWithModel(
  asked: AskedThread,
  call: AskCall | SqlCall,
  sound: SoundModel | null,
  caller: string,
  signal?: AbortSignal,
): Promise<Known<AskAnswer | SqlAnswer | WarmAnswer>> {
  const options = signal && { signal };
  const answer = await asked.call(call, caller, options);
  if (answer.status !== 'unknown') return answer;
  const again = await asked.call({ ...call, model: sound?.model ?? null }, caller, options);
  if (again.status === 'unknown') throw new ThreadError('lost');
  return again;
}

function list(listFiles: FoundModel['listFiles']): Listing {
  try {
    const files = listFiles();
    return {
      revision: JSON.stringify(files.map(({ name, revision }) => [name, revision])),
      files,
      faults: null,
    };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { revision: error.message, files: null, faults: error.message };
  }
}

/** A model at which the thread ends, even one that has just begun, is not tried again until it has changed. */
async function readFiles(
  reader: Thread<ReadCall, ReadAnswer>,
  call: ReadCall,
  caller: string,
): Promise<ReadAnswer> {
  const tryOnce = () => reader.call(call, caller);
  try {
    return await tryOnce().catch((error) => (isLost(error) ? tryOnce() : Promise.reject(error)));
  } catch (error) {
    const name = call.files[0]?.name ?? call.id;
    if (isLost(error)) return { sound: null, faults: `${name}: the model takes too much memory to read` };
    if (!(error instanceof ThreadError) || error.code !== 'late') throw error;
    return { sound: null, faults: `${name}: the model takes too long to read` };
  }
}

function isLost(error: unknown): boolean {
  return error instanceof ThreadError && error.code === 'lost';
}

/** Files beyond what a model may have are left out: it is too large without them already. */
function readTexts(files: readonly ModelFile[]): readonly ReadFile[] {
  const read: ReadFile[] = [];
  let size = 0;
  for (const { name, revision, read: readText } of files) {
    if (size > MAX_CHARACTERS) break;
    const reading = readText();
    size += reading.source?.text.length ?? 0;
    read.push({ name, revision, reading });
  }
  return read;
}
