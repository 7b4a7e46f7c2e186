import type { ConnectionKind } from './connection.ts';
import { duckdbKind } from './duckdb/kind.ts';
import type { KindDefinition } from './kind.ts';
import { mysqlKind } from './mysql/kind.ts';
import { postgresqlKind } from './postgresql/kind.ts';

/** Every kind of connection. */
export const KINDS: Readonly<Record<ConnectionKind, KindDefinition>> = {
  duckdb: duckdbKind,
  postgresql: postgresqlKind,
  mysql: mysqlKind,
};
