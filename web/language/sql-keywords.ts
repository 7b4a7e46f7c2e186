import {
  RESERVED_DUCKDB,
  RESERVED_MYSQL,
  RESERVED_POSTGRESQL,
  RESERVED_TRINO,
} from '../../src/engine/text/reserved-words.ts';

/** The kinds of databases whose SQL the editor knows. */
export type EditorDialect = 'duckdb' | 'postgresql' | 'mysql' | 'trino';

/** The SQL of a kind of connection. Semantic SQL has the words of PostgreSQL. */
export function toDialect(kind: string): EditorDialect {
  if (kind === 'postgresql' || kind === 'semantic') return 'postgresql';
  return kind === 'mysql' || kind === 'trino' ? kind : 'duckdb';
}

/** Common words of SQL that are not reserved, and so are valid names. */
const UNRESERVED = `
  action add after alter attach begin between bigint boolean by cascade coalesce comment commit copy current
  date decimal delete desc detach drop escape exclude exists explain extension filter first following force
  function if increment index insert install int integer interval key last left load macro materialized merge
  nulls numeric over overwrite partition percent pragma preceding precision prepare procedure range recursive
  refresh rename replace reset respect restrict right rollback row rows sample schema sequence session set
  start table temp temporary text time timestamp transaction truncate type unbounded unlogged update use vacuum
  values varchar view views within without work`
  .trim()
  .split(/\s+/);

const withUnreserved = (reserved: ReadonlySet<string>) => new Set([...reserved, ...UNRESERVED]);

/** The keywords of each kind of database, in lower case. */
export const SQL_KEYWORDS: Readonly<Record<EditorDialect, ReadonlySet<string>>> = {
  duckdb: withUnreserved(RESERVED_DUCKDB),
  postgresql: withUnreserved(RESERVED_POSTGRESQL),
  mysql: withUnreserved(RESERVED_MYSQL),
  trino: withUnreserved(RESERVED_TRINO),
};
