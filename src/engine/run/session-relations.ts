import { randomUUID } from 'node:crypto';
import type { Connection, TemporaryObject } from '../connection/connection.ts';
import type { Statement } from '../script/steps.ts';
import { createDiagnostic, DiagnosticError } from '../text/diagnostic.ts';
import type { SqlLexis } from '../text/sql-lexis.ts';
import { compose, findLoose, isInString, joinStatements, type NamedQuery } from './compose.ts';
import { isQuery } from './is-query.ts';
import { locate, StatementError } from './statement-error.ts';
import { typeNulls } from './typed-query.ts';

/** How many queries one may bring along before its rows are written down: databases have limits. */
const MOST_BROUGHT = 200;
/** How many queries one statement may hold; behind more stand views. */
const MOST_HELD = 500;

/**
 * What stands for a call under a name: a `query`, which becomes a part of the statements that read it, or an
 * object of the database. `needs` go when it goes.
 */
type Kept = { readonly needs: readonly string[] } & (
  | { readonly type: 'query'; readonly query: Statement; readonly size: number; readonly isOnce: boolean }
  | { readonly type: 'view'; readonly query: Statement }
  | { readonly type: 'table' }
);

/** A statement, and the relations that were made for it; it may read others, whose names it was given. */
export interface PendingStatement {
  readonly statement: Statement;
  readonly relations: readonly string[];
}

/** The relations that stand for calls in one session, and the temporary objects that scripts make. */
export class SessionRelations {
  readonly #connection: Connection;
  readonly #lexis: SqlLexis;
  readonly #signal: AbortSignal;
  /** No name of a user's is like ours. */
  readonly #prefix = `quern_${randomUUID().slice(0, 8)}`;
  readonly #live = new Map<string, Kept>();
  /** Objects of void blocks and of the script, which live as long as the session (language 5). */
  readonly #lasting = new Set<string>();
  #count = 0;
  /** The names of all temporary objects; null when a statement may have changed them. */
  #names: ReadonlySet<string> | null = null;

  constructor(connection: Connection, lexis: SqlLexis, signal: AbortSignal) {
    this.#connection = connection;
    this.#lexis = lexis;
    this.#signal = signal;
  }

  /**
   * Keeps the rows of a query, and resolves with the name for them; `mode` may demand that the query runs
   * now. Rejects with a StatementError.
   */
  async create({ statement, relations: needs }: PendingStatement, mode: 'any' | 'table'): Promise<string> {
    const { relations } = this.#connection;
    this.#count += 1;
    const name = `${this.#prefix}_${this.#count}`;
    const size = this.#sizeOf(statement);
    const isFree = mode === 'any' && size <= MOST_BROUGHT && this.#canStandInside(statement);
    const query = await this.type(statement);
    const isRepeatable = isFree && (await relations.isRepeatable(statement.sql, this.#signal));
    if (isRepeatable || (isFree && relations.canHoldOnce)) {
      this.#live.set(name, { type: 'query', query, needs, size, isOnce: !isRepeatable });
      return name;
    }
    await this.#createTable(name, await this.compose(query));
    await this.drop(needs);
    return name;
  }

  /** How many queries a statement brings along, itself among them. */
  #sizeOf(statement: Statement): number {
    const sizes = this.#findNames(statement).map((name) => {
      const kept = this.#live.get(name);
      return kept?.type === 'query' ? kept.size : 0;
    });
    return sizes.reduce((sum, size) => sum + size, 1);
  }

  /** Whether a text is one query whatever stands around it. */
  #canStandInside({ sql }: Statement): boolean {
    return isQuery(sql, this.#lexis) && findLoose(sql, this.#lexis) === null;
  }

  /** A query whose columns of bare NULLs are texts. Rejects with a StatementError. */
  type(query: Statement): Promise<Statement> {
    return typeNulls(query, (own) => this.compose(own), this.#connection.relations.nulls, this.#signal);
  }

  /** The relations that a statement names. */
  #findNames({ sql }: Pick<Statement, 'sql'>): readonly string[] {
    const words = sql.match(new RegExp(`\\b${this.#prefix}_\\d+\\b`, 'g')) ?? [];
    return [...new Set(words)].filter((name) => this.#live.has(name));
  }

  /** A statement with the queries in it that it reads. Rejects with a StatementError. */
  async compose(statement: Statement): Promise<Statement> {
    const composed = this.#hold(statement);
    if (composed !== null) return composed;
    for (const name of this.#findNames(statement)) await this.#realize(name);
    return statement;
  }

  /** The same for a view to be made, which may stand on nothing else. Throws a DiagnosticError. */
  composeView(statement: Statement): Statement {
    const composed = this.#hold(statement);
    const isKept = (name: string) => this.#live.get(name)?.type !== 'query';
    if (composed !== null && !this.#findNames(composed).some(isKept)) return composed;
    const [name = ''] = this.#findNames(statement);
    const start = statement.sql.indexOf(name);
    const { rendered, span } = statement.findOrigin({ start, end: start + name.length })!;
    const message =
      'the rows of this call need a temporary table, and no view may stand on one: make a table, or let the block be one query';
    throw new DiagnosticError([createDiagnostic(rendered.source, span, message, 'sql')]);
  }

  /** A statement with the queries in it that it reads; null where they cannot be. */
  #hold(statement: Statement): Statement | null {
    const queries = new Map<string, NamedQuery>();
    this.#addQueries(statement, queries);
    const isLookedUp = isInString([...queries.keys()], statement.sql, this.#lexis);
    const isHeld = queries.size <= MOST_HELD && !isLookedUp;
    return isHeld ? compose(statement, [...queries.values()], this.#lexis) : null;
  }

  /**
   * What a statement failed with that says no place: where it comes from one of the queries that the statement
   * holds, and shows when that is planned, the place is there.
   */
  async place(statement: Statement, error: unknown): Promise<unknown> {
    const cause = error instanceof StatementError ? error.cause : null;
    if (cause === null || cause.code !== 'sql' || cause.offset !== undefined) return error;
    const queries = new Map<string, NamedQuery>();
    this.#addQueries(statement, queries);
    for (const { query } of queries.values()) {
      const found = await this.#plan(query).then(
        () => null,
        (own: unknown) => own,
      );
      if (found instanceof StatementError && found.message === cause.message) return found;
    }
    return error;
  }

  async #plan(query: Statement): Promise<void> {
    const whole = await this.compose(query);
    const explain = joinStatements(['EXPLAIN ', whole], whole);
    await locate(explain, async () => {
      const result = await this.#connection.run(explain.sql, this.#signal);
      if (result.kind === 'rows') for await (const _ of result.chunks);
    });
  }

  /** Adds the queries that a statement reads, each after those that it reads itself. */
  #addQueries(statement: Statement, queries: Map<string, NamedQuery>): void {
    for (const name of this.#findNames(statement)) {
      const kept = this.#live.get(name);
      if (kept?.type !== 'query' || queries.has(name)) continue;
      this.#addQueries(kept.query, queries);
      queries.set(name, { name, query: kept.query, isOnce: kept.isOnce });
    }
  }

  /** To be called for names that several statements may read: what would be others each time runs now. */
  async settle(text: string): Promise<void> {
    for (const name of this.#findNames({ sql: text })) {
      const kept = this.#live.get(name);
      if (kept?.type === 'query' && kept.isOnce) await this.#realize(name);
    }
  }

  /** Makes an object of the database of a query. */
  async #realize(name: string): Promise<void> {
    const kept = this.#live.get(name);
    if (kept?.type !== 'query') return;
    const whole = await this.compose(kept.query);
    const { relations } = this.#connection;
    if (kept.isOnce || relations.createView === null) {
      await this.#createTable(name, whole);
      return this.drop(kept.needs);
    }
    const { createView } = relations;
    await locate(whole, () => createView(name, whole.sql, this.#signal));
    this.#live.set(name, { type: 'view', query: kept.query, needs: kept.needs });
  }

  async #createTable(name: string, query: Statement): Promise<void> {
    await locate(query, () => this.#connection.relations.createTable(name, query.sql, this.#signal));
    this.#live.set(name, { type: 'table', needs: [] });
  }

  /** Drops relations, and what they need. */
  async drop(names: readonly string[]): Promise<void> {
    const all = names.flatMap((name) => this.#listWithNeeds(name));
    const objects: TemporaryObject[] = [];
    for (const name of all) {
      const type = this.#live.get(name)?.type ?? 'query';
      if (type !== 'query') objects.push({ type, name });
      this.#live.delete(name);
    }
    if (objects.length > 0) await this.#connection.relations.dropTemporary(objects, this.#signal);
  }

  #listWithNeeds(name: string): readonly string[] {
    const kept = this.#live.get(name);
    return kept === undefined ? [] : [name, ...kept.needs.flatMap((own) => this.#listWithNeeds(own))];
  }

  /**
   * To be called before a statement that may write: nothing that stands for rows may see what is written, but what
   * `reader` reads.
   */
  async freeze(reader: Statement | null): Promise<void> {
    this.#names = null;
    const needed = new Set([...this.#live.values()].flatMap((kept) => kept.needs));
    const read = new Set(reader === null ? [] : this.#findNames(reader));
    for (const [name, kept] of [...this.#live]) {
      if (kept.type === 'table' || needed.has(name) || read.has(name)) continue;
      if (kept.type === 'view')
        await this.#connection.relations.dropTemporary([{ ...kept, name }], this.#signal);
      await this.#createTable(name, await this.compose(kept.query));
      await this.drop(kept.needs);
    }
  }

  /** To be called before a statement that makes something new and writes to nothing. */
  forget(): void {
    this.#names = null;
  }

  /** Does some work, and drops the temporary objects that it leaves, also when it fails. */
  async isolate<T>(work: () => Promise<T>, keep: (result: T) => readonly string[] = () => []): Promise<T> {
    const before = await this.#listNames();
    const live = new Set(this.#live.keys());
    let kept: readonly string[] = [];
    try {
      const result = await work();
      kept = keep(result).flatMap((name) => this.#listWithNeeds(name));
      return result;
    } finally {
      const names = new Set(kept);
      const left = [...this.#live.keys()].filter((name) => !live.has(name) && !names.has(name));
      // What went wrong has been said; what cannot be dropped now ends with the session.
      await this.drop(left).catch(() => {});
      await this.#dropNew(before).catch(() => {});
    }
  }

  async #dropNew(before: ReadonlySet<string>): Promise<void> {
    if (this.#names === before) return;
    const { relations } = this.#connection;
    const objects = await relations.listTemporary(this.#signal);
    const isLeft = (name: string) => !before.has(name) && !this.#lasting.has(name) && !this.#live.has(name);
    await relations.dropTemporary(
      objects.filter(({ name }) => isLeft(name)),
      this.#signal,
    );
    this.#names = null;
  }

  /** Does the work of a void block, whose temporary objects stay. */
  async keepAll<T>(work: () => Promise<T>): Promise<T> {
    const before = await this.#listNames();
    try {
      return await work();
    } finally {
      const after = this.#names === before ? before : await this.#listNames().catch(() => before);
      for (const name of after) if (!before.has(name) && !this.#live.has(name)) this.#lasting.add(name);
    }
  }

  async #listNames(): Promise<ReadonlySet<string>> {
    if (this.#names !== null) return this.#names;
    const objects = await this.#connection.relations.listTemporary(this.#signal);
    const names = new Set(objects.map(({ name }) => name).filter((name) => !this.#live.has(name)));
    this.#names = names;
    return names;
  }
}
