import type { AuditLog } from '../identity/audit/audit.ts';
import type { Announcements } from '../identity/context/announcements.ts';
import type { ConnectionPermissions } from '../identity/principal/permissions.ts';
import type { Principal } from '../identity/principal/principal.ts';
import type { Secrets } from '../identity/secrets/secrets.ts';
import type { Database } from '../store/database.ts';
import type { Clock } from '../store/values/clock.ts';
import type { NewId } from '../store/values/uuid.ts';
import type { ConnectionStore } from './store.ts';

/** Dependencies of the connection service. */
export interface ConnectionServiceOptions {
  readonly database: Database;
  readonly permissions: ConnectionPermissions;
  readonly secrets: Secrets;
  readonly audit: AuditLog;
  readonly announcements: Announcements;
  readonly clock: Clock;
  readonly newId: NewId;
  /** The file of the connection `duckdb`. */
  readonly duckdbFile: string;
  /** Throws 404 when the principal may not view an item on the way to a path of the catalog. */
  readonly checkVisible: (principal: Principal, path: string) => void;
}

/** The context of each operation. */
export interface ConnectionContext extends ConnectionServiceOptions {
  readonly store: ConnectionStore;
}
