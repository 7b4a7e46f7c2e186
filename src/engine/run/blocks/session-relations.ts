// The rows of called blocks in one session. A query becomes a part of the statements that read it, a view, or a
// table: a table where its rows must stay the same. The driver says which objects its database has for that.

import { randomUUID } from 'node:crypto';
import { entryOf, notNull } from '../../../invariants/must.ts';
import type { Connection, TemporaryObject } from '../../connection/contract/connection.ts';
import { SELECT_ALL, type Statement } from '../../script/evaluate/steps.ts';
import { createDiagnostic, DiagnosticError } from '../../text/diagnostic.ts';
import { finishInPieces } from '../../text/finish-in-pieces.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { locateStatement, StatementError } from '../outcome/statement-error.ts';
import {
  compose,
  countWord,
  findLoose,
  hasName,
  isInString,
  joinStatements,
  MAX_INLINE_LENGTH,
  replaceNames,
} from './compose.ts';
import { isQuery } from './is-query.ts';
import { typeNulls } from './typed-query.ts';

/** Maximum queries that a query can depend on before its rows are stored in a table: databases have limits. */
const MAX_DEPENDENCIES = 200;
/** Maximum queries inside one statement; beyond it, views are created. */
const MAX_INLINE_QUERIES = 500;

/**
 * The relation of a call: a `query`, which becomes a part of the statements that read it, or an object of the database.
 * `reads` lists the relations that the query names.
 */
type Relation = FreeQuery | (RelationQuery & { readonly type: 'view' }) | { readonly type: 'table' };

interface RelationQuery {
  readonly query: Statement;
  readonly reads: readonly string[];
}

/** A query that runs as a part of other statements. */
interface FreeQuery extends RelationQuery {
  readonly type: 'query';
  /** Whether it can return different rows each time; null as long as that makes no difference. */
  readonly isOnce: boolean | null;
}

/** A statement, and the relations that only this statement reads. It can also read relations that exist longer. */
export interface PendingStatement {
  readonly statement: Statement;
  readonly relations: readonly string[];
}

/** The relations of calls in one session, and the temporary objects that scripts create. */
export class SessionRelations {
  readonly #connection: Connection;
  readonly #lexicalRules: LexicalRules;
  readonly #signal: AbortSignal;
  /** A prefix that user names do not have. */
  readonly #prefix = `quern_${randomUUID().slice(0, 8)}`;
  readonly #relations = new Map<string, Relation>();
  /**
   * Objects of void blocks and of the script, which exist until the session ends (docs/reference/calls.md#sessions).
   */
  readonly #lastingNames = new Set<string>();
  #count = 0;
  /** The names of all temporary objects; null if a statement can have changed them. */
  #objectNames: ReadonlySet<string> | null = null;

  constructor(connection: Connection, lexicalRules: LexicalRules, signal: AbortSignal) {
    this.#connection = connection;
    this.#lexicalRules = lexicalRules;
    this.#signal = signal;
  }

  /**
   * Creates a relation for a query, and resolves with its name. With the mode `table`, the query runs now. Rejects with
   * a StatementError.
   */
  async create(pending: PendingStatement, mode: 'any' | 'table'): Promise<string> {
    const { statement, relations: callRelations } = pending;
    const { relations } = this.#connection;
    this.#count += 1;
    const name = `${this.#prefix}_${this.#count}`;
    const reads = this.#findNames(statement);
    const isSmall = this.#listQueries(reads).size < MAX_DEPENDENCIES;
    const isFree = mode === 'any' && isSmall && this.#canStandInside(statement);
    const query = await this.type(statement);
    // Where a query that is read once runs once, only a second reader needs to know.
    const isOnce = !isFree || (relations.runsOnce === 'read once' ? null : await this.#changes(statement));
    if (isOnce !== true || (isFree && relations.runsOnce === 'all')) {
      this.#relations.set(name, { type: 'query', query, reads, isOnce });
      return name;
    }
    await this.settle(statement, callRelations);
    await this.#createTable(name, await this.compose(query));
    await this.drop(callRelations);
    return name;
  }

  /** Whether a query can return different rows each time, by its text and by the views that it reads. */
  async #changes({ sql }: Statement): Promise<boolean> {
    return !(await this.#connection.relations.isRepeatable(sql, this.#signal));
  }

  /** As `#changes`, for a relation; asks the database once, and only if that is unknown. */
  async #isOnce(name: string): Promise<boolean> {
    const relation = this.#findQuery(name);
    if (relation === null) return false;
    const isOnce = relation.isOnce ?? (await this.#changes(relation.query));
    this.#relations.set(name, { ...relation, isOnce });
    return isOnce;
  }

  /** Whether a statement stays one query when it is embedded into other SQL. */
  #canStandInside({ sql }: Statement): boolean {
    if (sql.length > MAX_INLINE_LENGTH) return false;
    return isQuery(sql, this.#lexicalRules) && findLoose(sql, this.#lexicalRules) === null;
  }

  /** A query whose untyped NULL columns have the type text. Rejects with a StatementError. */
  type(query: Statement): Promise<Statement> {
    return typeNulls(
      query,
      (statement) => this.compose(statement),
      this.#connection.relations.nulls,
      this.#signal,
    );
  }

  /** The relation of this name if it is a query. */
  #findQuery(name: string): FreeQuery | null {
    const relation = this.#relations.get(name);
    return relation?.type === 'query' ? relation : null;
  }

  /** The relations that a statement names. */
  #findNames({ sql }: Pick<Statement, 'sql'>): readonly string[] {
    if (this.#relations.size === 0) return [];
    const words = sql.match(new RegExp(`\\b${this.#prefix}_\\d+\\b`, 'g')) ?? [];
    return [...new Set(words)].filter((name) => this.#relations.has(name));
  }

  /** A statement together with the queries that it reads. Rejects with a StatementError. */
  async compose(statement: Statement): Promise<Statement> {
    if (this.#relations.size === 0) return statement;
    await this.#materializeAll(await this.#listRunAgain(statement));
    const composed = this.#inline(statement);
    if (composed !== null) return this.#qualify(composed);
    const names = this.#findNames(statement);
    await this.#materializeAll([...(await this.#listShared(names)), ...names]);
    return this.#qualify(statement);
  }

  /** Replaces the names of stored rows that statements read by another name. */
  #qualify(statement: Statement): Statement {
    const { scratch } = this.#connection.relations;
    if (scratch === null) return statement;
    const names = this.#findNames(statement).filter((name) => this.#relations.get(name)?.type === 'table');
    return replaceNames(statement, new Map(names.map((name) => [name, scratch.print(name)])));
  }

  /**
   * The queries that a database without `AS MATERIALIZED` would run several times although their rows can change. A
   * common table expression of the user can be read several times, too.
   */
  async #listRunAgain(statement: Statement): Promise<readonly string[]> {
    if (this.#connection.relations.runsOnce !== 'read once') return [];
    const queries = this.#listQueries(this.#findNames(statement));
    const texts = [statement, ...[...queries.values()].map(({ query }) => query)].map(({ sql }) => sql);
    const readAgain = [...queries.keys()].filter((name) => {
      const readers = texts.filter((text) => countWord([text], name) > 0);
      return countWord(readers, name) > 1 || readers.some((text) => /\bwith\b/i.test(text));
    });
    return this.#findChanging(readAgain);
  }

  /** As `compose`, for a statement that creates a view, which cannot read other objects. Rejects with a DiagnosticError. */
  async composeView(statement: Statement): Promise<Statement> {
    const composed = (await this.#listRunAgain(statement)).length === 0 ? this.#inline(statement) : null;
    const isFree = (name: string) => this.#findQuery(name) !== null;
    if (composed !== null && this.#findNames(composed).every(isFree)) return composed;
    const [name = ''] = this.#findNames(statement);
    const start = statement.sql.indexOf(name);
    const { rendered, span } = notNull(statement.findOrigin({ start, end: start + name.length }));
    const message =
      'the rows of this call need a temporary table, and a view cannot depend on one: create a table, or write the block as one query';
    throw new DiagnosticError([createDiagnostic(rendered.source, span, message, 'sql')]);
  }

  /** A statement together with the queries that it reads; null if they cannot be inserted. */
  #inline(statement: Statement): Statement | null {
    const names = this.#findNames(statement);
    const alone = this.#findAlone(statement, names);
    if (alone !== null) return this.#inline(alone);
    const queries = this.#listQueries(names);
    if (queries.size > 0 && statement.sql.length > MAX_INLINE_LENGTH) return null;
    if (queries.size > MAX_INLINE_QUERIES) return null;
    if (isInString([...queries.keys()], statement.sql, this.#lexicalRules)) return null;
    const runsQueriesOnce = this.#connection.relations.runsOnce === 'all';
    const namedQueries = [...queries.values()].map((query) => ({
      ...query,
      isOnce: runsQueriesOnce && query.isOnce === true,
    }));
    return compose(statement, namedQueries, this.#lexicalRules);
  }

  /** The query of a block if the statement only selects all its rows: inside a statement, it could lose its order. */
  #findAlone({ sql }: Statement, [name = '']: readonly string[]): Statement | null {
    return sql === `${SELECT_ALL}${name}` ? (this.#findQuery(name)?.query ?? null) : null;
  }

  /**
   * Finds the position of an error without an offset: plans each query of the statement, and returns the error of the
   * query that fails with the same message.
   */
  async place(statement: Statement, error: unknown): Promise<unknown> {
    const cause = error instanceof StatementError ? error.cause : null;
    if (cause === null || cause.code !== 'sql' || cause.offset !== undefined) return error;
    for (const { query } of this.#listQueries(this.#findNames(statement)).values()) {
      const failure = await this.#plan(query).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (failure instanceof StatementError && failure.message === cause.message) return failure;
    }
    return error;
  }

  async #plan(query: Statement): Promise<void> {
    const composed = await this.compose(query);
    const explain = joinStatements(['EXPLAIN ', composed], composed);
    await locateStatement(explain, async () => {
      const result = await this.#connection.run(explain.sql, this.#signal);
      if (result.kind === 'rows') for await (const _ of result.chunks);
    });
  }

  /** The queries among the relations and the queries that they read; each comes after the queries that it reads. */
  #listQueries(names: readonly string[]): ReadonlyMap<string, FreeQuery & { readonly name: string }> {
    const queries = new Map<string, FreeQuery & { readonly name: string }>();
    const add = (name: string) => {
      const relation = this.#findQuery(name);
      if (relation === null || queries.has(name)) return;
      for (const dependency of relation.reads) add(dependency);
      queries.set(name, { ...relation, name });
    };
    for (const name of names) add(name);
    return queries;
  }

  /** The queries of a statement that are read several times and can return different rows each time. */
  async #listShared(names: readonly string[]): Promise<readonly string[]> {
    const queries = this.#listQueries(names);
    const readers = new Map<string, number>();
    const count = (name: string) => readers.set(name, (readers.get(name) ?? 0) + 1);
    for (const name of names) count(name);
    for (const { reads } of queries.values()) for (const dependency of reads) count(dependency);
    return this.#findChanging([...queries.keys()].filter((name) => entryOf(readers, name) > 1));
  }

  /** Those of some queries that can return different rows each time, or read one that can. */
  async #findChanging(names: readonly string[]): Promise<readonly string[]> {
    const changing = new Set<string>();
    for (const [name, { reads }] of this.#listQueries(names)) {
      if (reads.some((dependency) => changing.has(dependency)) || (await this.#isOnce(name)))
        changing.add(name);
    }
    return names.filter((name) => changing.has(name));
  }

  /**
   * Runs queries now that can return different rows each time: those that a statement names, except the `exceptions`. Other
   * statements can read them, too, and must get the same rows.
   */
  async settle(text: Pick<Statement, 'sql'>, exceptions: readonly string[] = []): Promise<void> {
    if (this.#relations.size === 0) return;
    const exceptionNames = new Set(exceptions);
    for (const name of this.#listQueries(this.#findNames(text)).keys()) {
      if (!exceptionNames.has(name) && (await this.#isOnce(name))) await this.#materialize(name);
    }
  }

  async #materializeAll(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#materialize(name);
  }

  /** Creates a database object from a query. */
  async #materialize(name: string): Promise<void> {
    const relation = this.#findQuery(name);
    if (relation === null) return;
    const { createView } = this.#connection.relations;
    const isView = createView !== null && (await this.#findChanging([name])).length === 0;
    const composed = await this.compose(relation.query);
    if (!isView) return this.#createTable(name, composed);
    await locateStatement(composed, () => createView(name, composed.sql, this.#signal));
    this.#relations.set(name, { ...relation, type: 'view' });
  }

  async #createTable(name: string, query: Statement): Promise<void> {
    await locateStatement(query, () => this.#connection.relations.createTable(name, query.sql, this.#signal));
    this.#relations.set(name, { type: 'table' });
  }

  /** Drops relations, the last one first: it can depend on the earlier ones. */
  async drop(names: readonly string[]): Promise<void> {
    const objects: TemporaryObject[] = [];
    for (const name of names.toReversed()) {
      const type = this.#relations.get(name)?.type ?? 'query';
      if (type !== 'query') objects.push({ type, name });
      this.#relations.delete(name);
    }
    if (objects.length > 0) await this.#connection.relations.dropTemporary(objects, this.#signal);
  }

  /**
   * Stores the rows of all relations before a write, because they must not see the change. No later statement names the
   * relations of a `closed` statement, so only those that it reads itself are stored; the statement of a new view
   * contains their queries.
   */
  async freeze(closed: PendingStatement | null, isView = false): Promise<void> {
    this.#objectNames = null;
    await this.#dropViews();
    const dependencies = closed === null || isView ? [] : this.#findNames(closed.statement);
    await this.#materializeAll(await this.#listShared(dependencies));
    const unread = new Set(closed?.relations);
    const isInside = closed !== null && this.#canInsert(closed);
    if (!isInside) for (const name of dependencies) unread.delete(name);
    for (const [name, relation] of [...this.#relations]) {
      if (relation.type === 'query' && !unread.has(name))
        await this.#createTable(name, await this.compose(relation.query));
    }
  }

  /** Whether a statement only adds rows and can read queries inside it, which do not see these rows. */
  #canInsert({ statement }: PendingStatement): boolean {
    const { insertsAtEnd } = this.#connection.relations;
    return insertsAtEnd && /^insert\b/i.test(statement.sql) && this.#inline(statement) !== null;
  }

  /** Converts views back to queries. */
  async #dropViews(): Promise<void> {
    const views = [...this.#relations].flatMap(([name, relation]) =>
      relation.type === 'view' ? [{ ...relation, name }] : [],
    );
    await this.#connection.relations.dropTemporary(views.toReversed(), this.#signal);
    for (const { name, query, reads } of views) {
      this.#relations.set(name, { type: 'query', query, reads, isOnce: false });
    }
  }

  /** Whether a new object of this name could hide an object that a relation reads. */
  mayRead(name: string): Promise<boolean> {
    return finishInPieces(this.#mayRead(name), this.#signal);
  }

  *#mayRead(name: string): Interruptible<boolean> {
    for (const relation of this.#relations.values()) {
      if (relation.type !== 'table' && (yield* hasName(relation.query, name, this.#lexicalRules)))
        return true;
    }
    return false;
  }

  /** Records that a statement creates an object that no relation reads. */
  forget(): void {
    this.#objectNames = null;
  }

  /** Runs work and drops the temporary objects that it leaves, even if it fails. */
  async isolate<T>(work: () => Promise<T>, keep: (result: T) => readonly string[] = () => []): Promise<T> {
    const objectsBefore = await this.#listNames();
    const relationsBefore = [...this.#relations.keys()];
    let keptNames: readonly string[] = [];
    try {
      const result = await work();
      keptNames = keep(result);
      return result;
    } finally {
      const lastingRelations = new Set([...relationsBefore, ...keptNames]);
      const leftRelations = [...this.#relations.keys()].filter((name) => !lastingRelations.has(name));
      // The error of the work matters more; the session drops the remaining objects when it ends.
      await this.drop(leftRelations).catch(() => {});
      await this.#dropNew(objectsBefore).catch(() => {});
    }
  }

  async #dropNew(objectsBefore: ReadonlySet<string>): Promise<void> {
    if (this.#objectNames === objectsBefore) return;
    const { relations } = this.#connection;
    const objects = await relations.listTemporary(this.#signal);
    const isLeft = (name: string) =>
      !objectsBefore.has(name) && !this.#lastingNames.has(name) && !this.#relations.has(name);
    await relations.dropTemporary(
      objects.filter(({ name }) => isLeft(name)),
      this.#signal,
    );
    this.#objectNames = null;
  }

  /** Runs the work of a void block, whose temporary objects stay. */
  async keepAll<T>(work: () => Promise<T>): Promise<T> {
    const before = await this.#listNames();
    try {
      return await work();
    } finally {
      const after = this.#objectNames === before ? before : await this.#listNames().catch(() => before);
      for (const name of after)
        if (!before.has(name) && !this.#relations.has(name)) this.#lastingNames.add(name);
    }
  }

  async #listNames(): Promise<ReadonlySet<string>> {
    if (this.#objectNames !== null) return this.#objectNames;
    const objects = await this.#connection.relations.listTemporary(this.#signal);
    const names = new Set(objects.map(({ name }) => name).filter((name) => !this.#relations.has(name)));
    this.#objectNames = names;
    return names;
  }
}
