import { listSemanticFunctions } from '../../semantic/translate/list-functions.ts';
import type { DatabaseFunction } from './database-function.ts';
import { type FunctionRow, findFunctionQuery, groupSignatures } from './function-queries.ts';
import { listMysqlFunctions } from './mysql-functions.ts';

/** How long the list of a database is kept, in milliseconds. */
const KEPT_MS = 10 * 60_000;
/** The number of connections whose lists are kept. */
const MAX_LISTS = 20;

/** A connection, as the service of connections returns it. */
interface ListedConnection {
  readonly name: string;
  readonly kind: string;
  readonly revision: number;
}

interface KeptList {
  readonly key: string;
  readonly until: number;
  readonly functions: readonly DatabaseFunction[];
}

/** The functions of connections; what a database has listed is kept for ten minutes. */
export class FunctionLists {
  readonly #clock: () => Date;
  readonly #kept = new Map<string, KeptList>();

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  /** The functions that SQL on a connection can call; `ask` runs a statement on it. Throws as `ask` does. */
  async list(
    { name, kind, revision }: ListedConnection,
    ask: (sql: string) => Promise<readonly FunctionRow[]>,
  ): Promise<readonly DatabaseFunction[]> {
    if (kind === 'semantic') return SEMANTIC;
    if (kind === 'mysql') return listMysqlFunctions();
    const query = findFunctionQuery(kind);
    if (query === null) return [];
    const now = this.#clock().getTime();
    const key = `${kind} ${revision}`;
    const kept = this.#kept.get(name);
    if (kept?.key === key && kept.until > now) return kept.functions;
    const functions = groupSignatures((await ask(query.sql)).map(query.toRow));
    this.#kept.delete(name);
    this.#kept.set(name, { key, until: now + KEPT_MS, functions });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_LISTS && oldest !== undefined) this.#kept.delete(oldest);
    return functions;
  }
}

/** The functions of Semantic SQL. */
const SEMANTIC: readonly DatabaseFunction[] = listSemanticFunctions().map(({ name, kind, takes }) => ({
  name,
  kind,
  signatures: [],
  description: takes === null ? null : `Takes ${takes}`,
}));
