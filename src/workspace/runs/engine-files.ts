import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from '../../connections/record.ts';
import type { ConnectionService } from '../../connections/service.ts';
import type { ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import { type Confinement, createConfinement } from '../../execution/engine-process/confinement.ts';
import { findLandlockFault } from '../../execution/engine-process/landlock.ts';
import type { ProcessHost } from '../../execution/engine-process/process-host.ts';
import type { ExecutionRegistry } from '../../execution/registry/registry.ts';
import { runErrors } from '../api/errors.ts';
import type { Home } from '../home/home.ts';
import { createDatabaseFileRelease, type ReleaseDatabaseFiles } from '../home/release-database-files.ts';

/** How long an execution on a new connection waits until others have ended, in milliseconds. */
const WAIT_MS = 10_000;

/**
 * Confines engine processes to what executions open in a home and elsewhere
 * (docs/reference/server-sql.md#what-the-operating-system-enforces); all else in the home is closed.
 */
export function planConfinement(
  home: Home,
  runFolder: string,
  connections: Pick<ConnectionService, 'listFiles'>,
  log: (line: string) => void,
): Confinement {
  const findFiles = () => {
    // A place must exist when a process is confined to it.
    appendFileSync(home.published, '', { mode: 0o600 });
    return {
      read: [home.files],
      write: [path.dirname(home.duckdb), home.staging, home.publish, home.published, runFolder],
      connections: connections.listFiles(),
      closed: home.folder,
    };
  };
  return createConfinement(findFiles, log);
}

/** Describes whether the system lets a server confine its engine process. */
export async function describeConfinement(): Promise<string> {
  const fault = await findLandlockFault({ execute: ['/'], read: [], write: [] });
  return fault === null ? 'confined on a server' : `not confined on a server: ${fault}`;
}

/** The access of executions to files of new connections, and of other processes to all database files. */
export interface FileAccess {
  /**
   * Makes sure that the engine process may open the files of a connection. For a new connection, it ends the process
   * when running executions have ended, so that the next one may. Rejects with a ServiceError 503 if they do not end.
   */
  openFiles(connection: Pick<ConnectionSpec, 'kind' | 'options'>): Promise<void>;
  readonly holdFiles: ReleaseDatabaseFiles;
}

export function createFileAccess(
  registry: ExecutionRegistry,
  host: ProcessHost,
  confinement: Confinement,
): FileAccess {
  const holdFiles = createDatabaseFileRelease(registry, host);
  return {
    holdFiles,
    async openFiles(connection) {
      if (!confinement.needsRestart(listFiles(connection))) return;
      const held = new AbortController();
      const running = await holdFiles(WAIT_MS, () => held.abort(), held.signal);
      if (running > 0) throw runErrors.filesNotOpen(running);
    },
  };
}
