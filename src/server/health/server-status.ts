import type { Principal } from '../../identity/principal/principal.ts';
import type { SettingValues } from '../../settings/read-settings.ts';
import type { ServerStatusBody } from '../../workspace/api/status-body.ts';
import type { Instance } from '../../workspace/instance/instance.ts';
import type { LogState } from '../log/log.ts';
import { readHealth } from './read-health.ts';

/** Reads the state of a running server. Rejects with a ServiceError 403 unless the principal manages accounts. */
export type ReadStatus = (principal: Principal) => Promise<ServerStatusBody>;

declare module 'fastify' {
  interface FastifyInstance {
    readonly readStatus: ReadStatus;
    readonly startedAt: Date;
  }
}

/** What a server knows about itself. */
interface ServerFacts {
  readonly instance: Instance;
  readonly settings: SettingValues;
  readonly version: string;
  readonly logState?: LogState | undefined;
  readonly startedAt: Date;
  readonly countConnections: () => number;
}

/** The state of a server: its health, the sizes of its home, and the use of its limits. */
export function createServerStatus(facts: ServerFacts): ReadStatus {
  const { instance, settings, version, logState, startedAt, countConnections } = facts;
  return async (principal) => ({
    version,
    started_at: startedAt.toISOString(),
    address: settings.baseUrl ?? null,
    ...(await instance.measure(principal, settings, countConnections())),
    health: readHealth(instance, logState),
  });
}
