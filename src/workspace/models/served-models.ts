import path from 'node:path';
import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { elementAt, notNull } from '../../invariants/must.ts';
import { continuesModel, type ModelFile } from '../../semantic/model/load/list-model-files.ts';
import { MAX_CHARACTERS } from '../../semantic/model/load/read-model.ts';
import { runErrors } from '../api/errors.ts';
import { createAdmission } from '../limits/admission.ts';
import { createThread, type Thread, ThreadError } from '../threads/thread.ts';
import type {
  AskAnswer,
  AskCall,
  ReadAnswer,
  ReadCall,
  ReadFile,
  SqlAnswer,
  SqlCall,
  ValidModel,
  WarmAnswer,
  WarmCall,
} from './model-calls.ts';
import type { LoadedModel, ModelSource, Models } from './semantic.ts';

/** A valid version of a model, with a unique number. */
interface ServedModel extends LoadedModel, ValidModel {
  readonly id: string;
  readonly version: number;
}

/**
 * The models of a server, shared by all users. One process reads them and another one queries them, so that neither a
 * huge model nor a huge query blocks the server (docs/reference/semantic-http.md#changed-models). Errors of models and
 * statements are ServiceErrors.
 */
export interface ServedModels extends Models<ServedModel> {
  /** Loads the statement parser in advance. Rejects with a ThreadError. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** Options of served models. */
export interface ServedModelOptions {
  /** Receives warnings for the operator about models with errors. */
  readonly warn: (line: string) => void;
  readonly limits?: ModelLimits | undefined;
}

/** Limits of the processes; tests use lower ones. */
interface ModelLimits {
  readonly readMs: number;
  readonly askMs: number;
  readonly memoryMb: number;
}

const MODEL_LIMITS: ModelLimits = { readMs: 120_000, askMs: 10_000, memoryMb: 2_048 };

/** Reads or queries models. */
const PROGRAM = new URL(`./model-process${path.extname(import.meta.filename)}`, import.meta.url);

/** The maximum of cached models; the least recently used one is removed first. */
const MAX_MODELS = 100;

type Reader = Thread<ReadCall, ReadAnswer>;

type QueryProcess = Thread<AskCall | SqlCall | WarmCall, AskAnswer | SqlAnswer | WarmAnswer>;

/** The answer of a process that has the model. */
type Known<Answer> = Exclude<Answer, { status: 'unknown' }>;

/** The current files, or the error of listing them. */
interface Listing {
  readonly revision: string;
  readonly files: readonly ModelFile[] | null;
  readonly errors: string | null;
}

/** The last valid version of a model, if there is one, and the errors of its current files. */
interface ReadModel {
  readonly model: ServedModel | null;
  readonly errors: string | null;
}

/** A model that was read at a revision of its files. */
interface CacheEntry {
  readonly revision: string;
  readonly files: readonly Pick<ModelFile, 'name' | 'id'>[];
  readonly reading: Promise<ReadModel>;
}

/** Creates an empty cache; processes start on demand. */
export function createServedModels({ warn, limits = MODEL_LIMITS }: ServedModelOptions): ServedModels {
  const common = { program: PROGRAM, runsIn: 'process', memoryMb: limits.memoryMb } as const;
  const reader: Reader = createThread({ ...common, timeoutMs: limits.readMs });
  const queryProcess: QueryProcess = createThread({ ...common, timeoutMs: limits.askMs });
  return {
    admit: createAdmission().run,
    load: createModelCache(reader, warn),
    ask: async ({ id, version, model }, question, caller) => {
      const call = { kind: 'ask', id, version, model: null, ...question } as const;
      return (await callWithModel(queryProcess, call, model, caller)) as Known<AskAnswer>;
    },
    askSql: async ({ id, version, model }, statements, caller, signal) => {
      const call = { kind: 'sql', id, version, model: null, ...statements } as const;
      return (await callWithModel(queryProcess, call, model, caller, signal)) as Known<SqlAnswer>;
    },
    toRefusal: ({ message }) => runErrors.statementRefused(message),
    async warm() {
      await queryProcess.call({ kind: 'warm' }, '');
    },
    async close() {
      await Promise.all([reader.close(), queryProcess.close()]);
    },
  };
}

/** Loads models; those whose files have not changed are not read again. Rejects with a ServiceError. */
function createModelCache(reader: Reader, warn: ServedModelOptions['warn']): ServedModels['load'] {
  const cache = new Map<string, CacheEntry>();
  let versions = 0;

  /**
   * Every valid model gets a new version number, because the query process may still have a model that this cache
   * dropped.
   */
  async function read(
    id: string,
    { files, errors }: Listing,
    before: CacheEntry | undefined,
    caller: string,
  ): Promise<ReadModel> {
    const answer =
      files === null
        ? { valid: null, errors: notNull(errors) }
        : await readFiles(reader, { kind: 'read', id, files: readTexts(files) }, caller);
    const last = (await before?.reading.catch(() => undefined))?.model ?? null;
    if (answer.valid === null) {
      const effect = last === null ? '' : '; the last valid version stays in use';
      warn(`a semantic model has errors${effect}: ${elementAt(answer.errors.split('\n', 1), 0)}`);
      return { model: last && { ...last, isCurrent: false }, errors: answer.errors };
    }
    versions += 1;
    return { model: { id, version: versions, isCurrent: true, ...answer.valid }, errors: null };
  }

  /** Without a list of files, they are as before. */
  function change(id: string, listing: Listing, before: CacheEntry | undefined, caller: string): CacheEntry {
    const known = before?.files ?? [];
    const files = listing.files?.map(({ name, id: item }) => ({ name, id: item })) ?? known;
    const last = files === known || continuesModel(known, files) ? before : undefined;
    return { revision: listing.revision, files, reading: read(id, listing, last, caller) };
  }

  function put(id: string, entry: CacheEntry): void {
    cache.delete(id);
    cache.set(id, entry);
    const [oldest] = cache.keys();
    if (cache.size > MAX_MODELS && oldest !== undefined) cache.delete(oldest);
  }

  return async ({ id, listFiles }, caller) => {
    const listing = list(listFiles, () => cache.delete(id));
    const before = cache.get(id);
    const isKnown = before?.revision === listing.revision;
    const entry = isKnown ? before : change(id, listing, before, caller);
    put(id, entry);
    const { model, errors } = await entry.reading.catch((error) => {
      // The model was not read: the next call tries again.
      if (cache.get(id) === entry) {
        cache.delete(id);
        if (before !== undefined && !isKnown) cache.set(id, before);
      }
      throw toServiceError(error);
    });
    if (model === null) throw runErrors.modelInvalid(errors ?? '');
    return model;
  };
}

/** Sends the model along if the process does not have it. Rejects with a ServiceError, or a ThreadError `cancelled`. */
async function callWithModel(
  queryProcess: QueryProcess,
  call: AskCall | SqlCall,
  model: Uint8Array,
  caller: string,
  signal?: AbortSignal,
): Promise<Known<AskAnswer | SqlAnswer | WarmAnswer>> {
  const options = signal && { signal };
  try {
    const answer = await queryProcess.call(call, caller, options);
    if (answer.status !== 'unknown') return answer;
    const again = await queryProcess.call({ ...call, model }, caller, options);
    if (again.status === 'unknown') throw new ThreadError('lost');
    return again;
  } catch (error) {
    throw toServiceError(error);
  }
}

/** The error of the interface for a process that took too long, ended or is closed; other errors stay. */
function toServiceError(error: unknown): unknown {
  if (!(error instanceof ThreadError) || error.code === 'cancelled') return error;
  return error.code === 'closed' ? runErrors.modelsClosed() : runErrors.questionTooLarge();
}

/** `onMissing` is called if there is no file any more. */
function list(listFiles: ModelSource['listFiles'], onMissing: () => void): Listing {
  try {
    const files = listFiles();
    return {
      revision: JSON.stringify(files.map(({ name, revision }) => [name, revision])),
      files,
      errors: null,
    };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'semantic_model_not_found') onMissing();
    if (!(error instanceof DiagnosticError)) throw error;
    return { revision: error.message, files: null, errors: error.message };
  }
}

/** A model that ends the process, even a process that has just started, is not read again until it changes. */
async function readFiles(reader: Reader, call: ReadCall, caller: string): Promise<ReadAnswer> {
  const tryOnce = () => reader.call(call, caller);
  try {
    return await tryOnce().catch((error) => (isLost(error) ? tryOnce() : Promise.reject(error)));
  } catch (error) {
    const name = call.files[0]?.name ?? call.id;
    if (isLost(error)) return { valid: null, errors: `${name}: the model takes too much memory to read` };
    if (!(error instanceof ThreadError) || error.code !== 'late') throw error;
    return { valid: null, errors: `${name}: the model takes too long to read` };
  }
}

function isLost(error: unknown): boolean {
  return error instanceof ThreadError && error.code === 'lost';
}

/** Files above the limit of a model are left out: the model is too large anyway. */
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
