import type { Home } from './home.ts';
import { loadTable } from './load-table.ts';
import { connectToServer } from './server-connection.ts';
import type { LoadOutcome, LoadRequest, WorkspaceApi } from './workspace-api.ts';

interface Loading {
  readonly home: Home;
  /** Folders to remove when this process is about to be ended. */
  readonly ownFolders: Set<string>;
  readonly run: WorkspaceApi['run'];
}

/** Loads data files into a DuckDB connection; a server that runs on the home is handed them for as long as it takes. */
export async function loadFiles(
  { home, ownFolders, run }: Loading,
  request: LoadRequest,
  signal: AbortSignal,
): Promise<LoadOutcome> {
  const { connection } = request;
  const load = (files: readonly string[]) =>
    loadTable({ ...request, files }, (text, write) => {
      const target = { kind: 'text', source: { name: 'load', text } } as const;
      return run({ target, params: {}, connection, overrides: {}, format: 'json' }, { write }, signal);
    });
  const server = await connectToServer(home);
  if (server === null) return load(request.files);
  server.leave();
  const { lendFiles } = await import('./lend-files.ts');
  return lendFiles({ home, files: request.files, ownFolders, signal }, load);
}
