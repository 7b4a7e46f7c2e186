import { readKey, readText } from '../address.ts';

/** The kinds of connections, with the names of their products. */
export const CONNECTION_KINDS = {
  duckdb: 'DuckDB',
  postgresql: 'PostgreSQL',
  mysql: 'MySQL, MariaDB',
  trino: 'Trino',
  semantic: 'Semantic model',
} as const;

/** What the list of connections shows, in the address. */
export interface ConnectionsSearch {
  readonly q?: string | undefined;
  readonly kind?: keyof typeof CONNECTION_KINDS | undefined;
  /** The connection that the panel shows. */
  readonly connection?: string | undefined;
}

/** Reads the search parameters of an address; ignores invalid ones. */
export function readConnectionsSearch(search: Record<string, unknown>): ConnectionsSearch {
  return {
    q: readText(search.q),
    kind: readKey(CONNECTION_KINDS, search.kind),
    connection: readText(search.connection),
  };
}

/** The product of a kind; a later version may have stored an unknown one. */
export function printConnectionKind(kind: string): string {
  return Object.entries(CONNECTION_KINDS).find(([known]) => known === kind)?.[1] ?? kind;
}
