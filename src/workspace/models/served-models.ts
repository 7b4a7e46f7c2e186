import path from 'node:path';
import { DiagnosticError } from '../../engine/text/diagnostic.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { notNull } from '../../invariants/must.ts';
import { continuesModel, type ModelFile } from '../../semantic/model/load/model-file.ts';
import { MAX_CHARACTERS } from '../../semantic/model/load/read-model.ts';
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
import type { FoundModel } from './semantic.ts';

/** The current state of a model. */
export interface ServedModel {
  readonly id: string;
  /** The unique version of the last valid model. */
  readonly version: number;
  /** Null without any valid version yet. */
  readonly valid: ValidModel | null;
  /** The errors of the current files; null if they are valid. */
  readonly errors: string | null;
}

/**
 * The models of a server, shared by all users. One process reads them and another one queries them, so that neither a
 * huge model nor a huge query blocks the server (docs/reference/semantic-http.md#changed-models).
 */
export interface ServedModels {
  /**
   * Reads a model if its files have changed; a model with errors keeps its last valid version, unless all its files were
   * deleted. `caller` is the id of
   * the user. Throws the errors of `listFiles` except a DiagnosticError; a ThreadError `busy` or `closed`.
   */
  load(found: Pick<FoundModel, 'id' | 'listFiles'>, caller: string): Promise<ServedModel>;
  /** Throws a ThreadError. */
  ask(
    model: ServedModel,
    question: ModelQuestion,
    caller: string,
  ): Promise<Exclude<AskAnswer, { status: 'unknown' }>>;
  /** Like `ask`, for statements of Semantic SQL; `signal` withdraws them. */
  askSql(
    model: ServedModel,
    statements: ModelStatements,
    caller: string,
    signal?: AbortSignal,
  ): Promise<Exclude<SqlAnswer, { status: 'unknown' }>>;
  /** Loads the statement parser in advance. Throws a ThreadError. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** Statements on a model. */
type ModelStatements = Pick<SqlCall, 'text' | 'strict' | 'now'>;

/** A semantic query on a model. */
export type ModelQuestion = Pick<AskCall, 'query' | 'strict' | 'explain'>;

/** Limits of the processes; tests use lower ones. */
export interface ModelLimits {
  readonly readMs: number;
  readonly askMs: number;
  readonly memoryMb: number;
}

export const MODEL_LIMITS: ModelLimits = { readMs: 120_000, askMs: 10_000, memoryMb: 2_048 };

/** Reads or queries models. */
const PROGRAM = new URL(`./model-process${path.extname(import.meta.filename)}`, import.meta.url);

/** The maximum of cached models; the least recently used one is removed first. */
const MAX_MODELS = 100;

type QueryProcess = Thread<AskCall | SqlCall | WarmCall, AskAnswer | SqlAnswer | WarmAnswer>;

/** The answer of a process that has the model. */
type Known<Answer> = Exclude<Answer, { status: 'unknown' }>;

/** The current files, or the error of listing them. */
interface Listing {
  readonly revision: string;
  readonly files: readonly ModelFile[] | null;
  readonly errors: string | null;
}

/** A model that was read at a revision of its files. */
interface ReadModel {
  readonly revision: string;
  readonly files: readonly Pick<ModelFile, 'name' | 'id'>[];
  readonly reading: Promise<ServedModel>;
}

/** Creates an empty cache; processes start on demand. */
export function createServedModels(limits: ModelLimits): ServedModels {
  const common = { program: PROGRAM, runsIn: 'process', memoryMb: limits.memoryMb } as const;
  const reader: Thread<ReadCall, ReadAnswer> = createThread({ ...common, timeoutMs: limits.readMs });
  const queryProcess: QueryProcess = createThread({ ...common, timeoutMs: limits.askMs });
  const places = new Map<string, ReadModel>();
  let versions = 0;

  /**
   * Every valid model gets a new version number, because the query process may still have a model that this cache
   * dropped.
   */
  async function read(
    id: string,
    { files, errors }: Listing,
    before: ReadModel | undefined,
    caller: string,
  ): Promise<ServedModel> {
    const answer =
      files === null
        ? { valid: null, errors: notNull(errors) }
        : await readFiles(reader, { kind: 'read', id, files: readTexts(files) }, caller);
    const last = await before?.reading.catch(() => undefined);
    if (answer.valid === null)
      return { id, version: last?.version ?? 0, valid: last?.valid ?? null, errors: answer.errors };
    versions += 1;
    return { id, version: versions, ...answer };
  }

  /** Without a list of files, they are as before. */
  function change(id: string, listing: Listing, before: ReadModel | undefined, caller: string): ReadModel {
    const known = before?.files ?? [];
    const files = listing.files?.map(({ name, id: item }) => ({ name, id: item })) ?? known;
    const last = files === known || continuesModel(known, files) ? before : undefined;
    return { revision: listing.revision, files, reading: read(id, listing, last, caller) };
  }

  function put(id: string, place: ReadModel): void {
    places.delete(id);
    places.set(id, place);
    const [oldest] = places.keys();
    if (places.size > MAX_MODELS && oldest !== undefined) places.delete(oldest);
  }

  return {
    async load({ id, listFiles }, caller) {
      const listing = list(listFiles, () => places.delete(id));
      const before = places.get(id);
      const isKnown = before?.revision === listing.revision;
      const place = isKnown ? before : change(id, listing, before, caller);
      put(id, place);
      try {
        return await place.reading;
      } catch (error) {
        // The model was not read: the next call tries again.
        if (places.get(id) === place) {
          places.delete(id);
          if (before !== undefined && !isKnown) places.set(id, before);
        }
        throw error;
      }
    },
    ask: async ({ id, version, valid }, question, caller) => {
      const call = { kind: 'ask', id, version, model: null, ...question } as const;
      return (await callWithModel(queryProcess, call, valid, caller)) as Known<AskAnswer>;
    },
    askSql: async ({ id, version, valid }, statements, caller, signal) => {
      const call = { kind: 'sql', id, version, model: null, ...statements } as const;
      return (await callWithModel(queryProcess, call, valid, caller, signal)) as Known<SqlAnswer>;
    },
    async warm() {
      await queryProcess.call({ kind: 'warm' }, '');
    },
    async close() {
      await Promise.all([reader.close(), queryProcess.close()]);
    },
  };
}

/** Sends the model along if the process does not have it. Rejects with a ThreadError. */
async function callWithModel(
  queryProcess: QueryProcess,
  call: AskCall | SqlCall,
  valid: ValidModel | null,
  caller: string,
  signal?: AbortSignal,
): Promise<Known<AskAnswer | SqlAnswer | WarmAnswer>> {
  const options = signal && { signal };
  const answer = await queryProcess.call(call, caller, options);
  if (answer.status !== 'unknown') return answer;
  const again = await queryProcess.call({ ...call, model: valid?.model ?? null }, caller, options);
  if (again.status === 'unknown') throw new ThreadError('lost');
  return again;
}

/** `onMissing` is called if there is no file any more. */
function list(listFiles: FoundModel['listFiles'], onMissing: () => void): Listing {
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
