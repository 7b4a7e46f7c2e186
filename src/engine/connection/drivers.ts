import type { ConnectionKind, Driver } from './contract/connection.ts';

/** How each kind's driver is loaded; what it imports is heavy, so it is imported when first asked for. */
const DRIVERS: Readonly<Record<ConnectionKind, () => Promise<Driver>>> = {
  duckdb: async () => (await import('./duckdb/driver.ts')).duckdbDriver,
  postgresql: async () => (await import('./postgresql/driver.ts')).postgresqlDriver,
  mysql: async () => (await import('./mysql/driver.ts')).mysqlDriver,
};

/** The one driver of this kind in this process. */
export function loadDriver(kind: ConnectionKind): Promise<Driver> {
  return DRIVERS[kind]();
}
