import { mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import type { ConnectionKind } from '../../engine/connection/contract/connection.ts';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { CANCELLED } from '../../execution/contract/cancellation.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { elementAt, present } from '../../invariants/must.ts';
import type { LoadOutcome, LoadRequest, RunRequest } from '../api/workspace-api.ts';
import { type Home, removeFolder } from '../home/home.ts';
import { askServer } from '../services/call-server.ts';
import { NestingError } from './check-nesting.ts';
import { loadErrors } from './errors.ts';
import { FailedRun } from './failed-run.ts';
import { loadTables } from './load-tables.ts';
import { checkUnchanged, type PreparedFile, prepareInputs } from './prepare-inputs.ts';
import { createServerStore, type RunSql, type Server } from './server-store.ts';
import type { TableToLoad } from './table-to-load.ts';

interface Loading {
  readonly home: Home;
  /** The temporary folder of this process, removed at its end. */
  readonly runFolder: string;
  /** Folders to remove when this process is about to end. */
  readonly ownFolders: Set<string>;
  readonly run: (request: RunRequest, sink: Sink, signal: AbortSignal) => Promise<ExecutionOutcome>;
  /** Like `run`, in a new DuckDB database in memory. */
  readonly runInMemory: Loading['run'];
  readonly kind: ConnectionKind;
}

/**
 * Loads data into tables of a connection, all or none. Streams are first read to their end, into the home's
 * temporary folder. A server that runs on the home gets access to the files during the load. Throws a ServiceError for
 * data that cannot be loaded.
 */
export async function loadFiles(
  loading: Loading,
  request: LoadRequest,
  signal: AbortSignal,
): Promise<LoadOutcome> {
  const folder = mkdtempSync(path.join(loading.runFolder, 'load-'));
  try {
    const { tmp } = loading.home;
    const tables: TableToLoad[] = [];
    for (const [at, { table, inputs }] of request.tables.entries()) {
      const own = path.join(folder, String(at));
      mkdirSync(own, { mode: 0o700 });
      const prepared = await prepareInputs(inputs, { ...request, folder: own, tmp, signal });
      if (request.mode === 'replace' && prepared.empty.length === inputs.length) {
        throw loadErrors.allEmpty(prepared.empty, table);
      }
      tables.push({ ...request, ...prepared, table });
    }
    return await loadPrepared(loading, tables, signal);
  } catch (error) {
    if (error instanceof FailedRun) return { status: 'failed', error: error.error };
    if (error instanceof NestingError) return { status: 'failed', error: createError('sql', error.message) };
    if (!signal.aborted) throw error;
    return { status: 'failed', error: createError('cancelled', CANCELLED.message) };
  } finally {
    removeFolder(folder);
  }
}

async function loadPrepared(
  loading: Loading,
  tables: readonly TableToLoad[],
  signal: AbortSignal,
): Promise<LoadOutcome> {
  const { home, ownFolders, kind } = loading;
  const { connection } = elementAt(tables, 0);
  const files = tables.flatMap((table) => table.files);
  const runSql = (run: Loading['run']): RunSql => {
    return (text, format, sink, runSignal) => {
      const target = { kind: 'sql', source: { name: 'load', text }, isGenerated: true } as const;
      return run({ target, params: {}, connection, overrides: {}, format }, sink, runSignal);
    };
  };
  const check = () => checkUnchanged(files);
  if (kind !== 'duckdb') {
    const [read, run] = [runSql(loading.runInMemory), runSql(loading.run)];
    const copy: Server['copy'] = (text, copied, copySignal) => {
      const target = { kind: 'sql', source: { name: 'load', text }, isGenerated: true, copied } as const;
      const request = { target, params: {}, connection, overrides: {}, format: 'json' } as const;
      return loading.run(request, { write: () => undefined }, copySignal);
    };
    const store = createServerStore({ kind, run, copy, read, checkUnchanged: check, signal });
    const runText = (text: string, write: Sink['write']) => read(text, 'json', { write }, signal);
    return loadTables(tables, { signal, store, checkUnchanged: check, run: runText });
  }
  const runText = (text: string, write: Sink['write']) =>
    runSql(loading.run)(text, 'json', { write }, signal);
  const load = (staged: readonly PreparedFile[]) => {
    const paths = new Map(files.map((file, at) => [file, elementAt(staged, at)]));
    const moved = tables.map((table) => ({
      ...table,
      files: table.files.map((file) => present(paths.get(file))),
    }));
    return loadTables(moved, { signal, store: undefined, checkUnchanged: check, run: runText });
  };
  const isServed = (await askServer(home, 'list', { input: null })) !== null;
  if (!isServed) return load(files);
  const { stageFiles } = await import('./stage-files.ts');
  return stageFiles({ home, files, ownFolders, signal }, load);
}

function createError(code: 'sql' | 'cancelled', message: string) {
  return { code, message, diagnostics: [], stuck: false };
}
