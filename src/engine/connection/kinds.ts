import type { KindDefinition, KindName } from './contract/kind.ts';
import { duckdbKind } from './duckdb/instance/kind.ts';
import { mysqlKind } from './mysql/kind.ts';
import { postgresqlKind } from './postgresql/kind.ts';
import { semanticKind } from './semantic-kind.ts';
import { trinoKind } from './trino/kind.ts';

/** Every kind of connection. */
export const KINDS: Readonly<Record<KindName, KindDefinition>> = {
  duckdb: duckdbKind,
  postgresql: postgresqlKind,
  mysql: mysqlKind,
  trino: trinoKind,
  semantic: semanticKind,
};
