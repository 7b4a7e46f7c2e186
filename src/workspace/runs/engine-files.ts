import path from 'node:path';
import type { ConnectionService } from '../../connections/service.ts';
import { type Confinement, createConfinement } from '../../execution/engine-process/confinement.ts';
import { findLandlockFault } from '../../execution/engine-process/landlock.ts';
import type { Home } from '../home/home.ts';

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
    return {
      read: [home.files],
      write: [path.dirname(home.duckdb), home.staging, home.publish, runFolder],
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
