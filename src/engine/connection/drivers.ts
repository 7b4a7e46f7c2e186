import type { ConnectionKind, Driver } from './contract/connection.ts';

/** Loads the driver of each kind on first use, because its imports are large. */
const DRIVERS: Readonly<Record<ConnectionKind, () => Promise<Driver>>> = {
  duckdb: async () => (await import('./duckdb/driver.ts')).duckdbDriver,
  postgresql: async () => (await import('./postgresql/driver.ts')).postgresqlDriver,
  mysql: async () => (await import('./mysql/driver.ts')).mysqlDriver,
  trino: async () => (await import('./trino/driver.ts')).trinoDriver,
};

/** The driver of this kind, one per process. */
export function loadDriver(kind: ConnectionKind): Promise<Driver> {
  return DRIVERS[kind]();
}
