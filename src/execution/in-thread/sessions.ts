import type { Connection, Driver } from '../../engine/connection/contract/connection.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { SessionLimits } from './session-limits.ts';

/** The sessions of one execution. */
export interface Sessions {
  /** Opens the first one, when the connection has room for it. Rejects with a DatabaseError. */
  connect(): Promise<Connection>;
  /** Opens one more; null where the connection has no room now. Rejects with a DatabaseError. */
  connectMore(): Promise<Connection | null>;
  /** Ends all; never rejects. */
  close(): Promise<void>;
}

export function createSessions(
  { connection, owner, limits }: Pick<ExecutionRequest, 'connection' | 'owner' | 'limits'>,
  { driver, sessionLimits }: { readonly driver: Driver; readonly sessionLimits: SessionLimits },
  signal: AbortSignal,
): Sessions {
  const ends: (() => Promise<void>)[] = [];
  const wanted = { connection: connection.name, owner, most: limits.maxSessions };

  async function open(release: () => void): Promise<Connection> {
    try {
      const opened = await driver.connect(connection, signal);
      ends.push(() => opened.close().finally(release));
      return opened;
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    connect: async () => open(await sessionLimits.enter(wanted, signal)),
    async connectMore() {
      const release = sessionLimits.tryEnter(wanted);
      return release === null ? null : open(release);
    },
    async close() {
      for (const end of ends) await end();
    },
  };
}
