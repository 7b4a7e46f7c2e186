import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import type { Sink } from '../../engine/result/columns/sink.ts';
import { CANCELLED } from '../../execution/contract/cancellation.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import type { LoadOutcome, LoadRequest, RunRequest } from '../api/workspace-api.ts';
import { type Home, removeFolder } from '../home/home.ts';
import { askServer } from '../services/call-server.ts';
import { NestingError } from './check-nesting.ts';
import { loadErrors } from './errors.ts';
import { loadTable } from './load-table.ts';
import { type PreparedFile, type PreparedInputs, prepareInputs } from './prepare-inputs.ts';

interface Loading {
  readonly home: Home;
  /** The temporary folder of this process, removed at its end. */
  readonly runFolder: string;
  /** Folders to remove when this process is about to end. */
  readonly ownFolders: Set<string>;
  readonly run: (request: RunRequest, sink: Sink, signal: AbortSignal) => Promise<ExecutionOutcome>;
}

/**
 * Loads data into a DuckDB connection. Streams are first read to their end, into the home's temporary folder. A server
 * that runs on the home gets access to the files during the load. Throws a ServiceError for data that cannot be loaded.
 */
export async function loadFiles(
  loading: Loading,
  request: LoadRequest,
  signal: AbortSignal,
): Promise<LoadOutcome> {
  const folder = mkdtempSync(path.join(loading.runFolder, 'load-'));
  try {
    const { tmp } = loading.home;
    const { inputs, format, settings } = request;
    const prepared = await prepareInputs(inputs, { folder, tmp, format, settings, signal });
    if (request.replace && prepared.empty.length === inputs.length) {
      throw loadErrors.allEmpty(prepared.empty, request.table);
    }
    return await loadPrepared(loading, request, prepared, signal);
  } catch (error) {
    if (error instanceof NestingError) return { status: 'failed', error: createError('sql', error.message) };
    if (!signal.aborted) throw error;
    return { status: 'failed', error: createError('cancelled', CANCELLED.message) };
  } finally {
    removeFolder(folder);
  }
}

async function loadPrepared(
  { home, ownFolders, run }: Loading,
  request: LoadRequest,
  prepared: PreparedInputs,
  signal: AbortSignal,
): Promise<LoadOutcome> {
  const { connection } = request;
  const load = (files: readonly PreparedFile[]) =>
    loadTable({ ...request, ...prepared, files }, (text, write) => {
      const target = { kind: 'sql', source: { name: 'load', text }, isGenerated: true } as const;
      return run({ target, params: {}, connection, overrides: {}, format: 'json' }, { write }, signal);
    });
  const isServed = (await askServer(home, 'list', { input: null })) !== null;
  if (!isServed) return load(prepared.files);
  const { stageFiles } = await import('./stage-files.ts');
  return stageFiles({ home, files: prepared.files, ownFolders, signal }, load);
}

function createError(code: 'sql' | 'cancelled', message: string) {
  return { code, message, diagnostics: [], stuck: false };
}
