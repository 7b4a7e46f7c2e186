// Runs the bodies of blocks. A called block becomes a relation of the session before the statement that reads it, and
// the relation ends after that statement. `SessionRelations` decides whether it is a part of the statement, a view or
// a table.

import { elementAt, notNull } from '../../../invariants/must.ts';
import type { Connection, StatementResult } from '../../connection/contract/connection.ts';
import type { Column } from '../../result/columns/column.ts';
import { createReader } from '../../result/columns/read-value.ts';
import { checkCycle, createEmptyBlockError, createNoRowsError } from '../../script/evaluate/call-errors.ts';
import { settleDefaults } from '../../script/evaluate/evaluate.ts';
import { printCallKey } from '../../script/evaluate/print-call.ts';
import { listSteps, type Statement, takeStep } from '../../script/evaluate/steps.ts';
import { toOriginalSpan } from '../../script/params/params.ts';
import { type BlockDefinition, createScriptError, describeDefinition } from '../../script/program/program.ts';
import { type BlockCall, type BlockRead, isEffect, type Request } from '../../script/values/request.ts';
import { createScope, type RunContext, type Scope } from '../../script/values/scope.ts';
import { createMap, type Value } from '../../script/values/value.ts';
import { createDiagnostic, DiagnosticError, type Warn } from '../../text/diagnostic.ts';
import { finishInPieces } from '../../text/finish-in-pieces.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import { checkInSandbox, locateStatement, StatementError } from '../outcome/statement-error.ts';
import { checkStatements } from './check-text.ts';
import { findMade, makesTemporary, makesView } from './compose.ts';
import { explainMissing } from './explain-missing.ts';
import { inlineBlock } from './inline-block.ts';
import { isQuery, mayWrite } from './is-query.ts';
import { type PendingStatement, SessionRelations } from './session-relations.ts';
import { toScriptValue } from './to-script-value.ts';
import { TransactionWatch } from './transaction-watch.ts';
import { mayBeUntyped } from './typed-query.ts';

/** Maximum rows of a loop over a block (docs/reference/expressions.md#loops). */
const MAX_ROWS = 10_000;

/** Dependencies of a runner; `effect` executes the requests of the library (publications, tests). */
export interface BlockRunnerOptions {
  readonly connection: Connection;
  readonly context: RunContext;
  readonly lexicalRules: LexicalRules;
  readonly signal: AbortSignal;
  readonly warn: Warn;
  readonly effect: (request: Extract<Request, { kind: 'publish' | 'test' }>) => Promise<void>;
  /** Called when a loop requests the rows of a block. */
  readonly onRows?: () => void;
  readonly copies?: CallCopies;
}

/** Relations that replace what the calls of a test read (docs/reference/can-fail.md). */
export interface CallCopies {
  /** Their names, by the key of the call. While there are some, no statement changes data. */
  readonly names: ReadonlyMap<string, string>;
  /** Is informed of each call of the test itself, and not of those in the blocks that it calls. */
  readonly note: (read: BlockRead) => void;
}

/** A body that has run up to its last statement, which has not run. */
export interface Walked {
  readonly last: PendingStatement | null;
  /** How many statements and other steps came before the last statement. */
  readonly before: number;
}

/** The relations for the calls of one statement, including the calls in blocks whose queries it reads. */
interface StatementCalls {
  /** The relation of each call, by its key. */
  readonly names: Map<string, string>;
  /** All relations, in the order of their creation. */
  readonly relations: string[];
}

type RunOne = (pending: PendingStatement) => Promise<void>;

/**
 * Runs blocks in one session: callees first, each just before the statement that calls it
 * (docs/reference/calls.md#rows-of-a-block).
 */
export class BlockRunner {
  readonly #options: BlockRunnerOptions;
  readonly #relations: SessionRelations;
  readonly transaction: TransactionWatch;
  /** The calls that are running, the outermost first. */
  readonly #open: BlockCall[] = [];

  constructor(options: BlockRunnerOptions, relations?: SessionRelations) {
    this.#options = options;
    this.#relations =
      relations ?? new SessionRelations(options.connection, options.lexicalRules, options.signal);
    this.transaction = new TransactionWatch(options.connection, options.lexicalRules);
  }

  /**
   * Runs a body except its last statement; passes each other statement to `run`. The first statement shares the calls
   * of the `caller`: nothing runs between the two. Rejects with a DiagnosticError, a StatementError or the error of
   * `run`.
   */
  async walk(
    block: BlockDefinition,
    args: ReadonlyMap<string, Value>,
    run: RunOne,
    publication: Scope['publication'] = null,
    caller: StatementCalls | null = null,
  ): Promise<Walked> {
    const { context, lexicalRules, signal } = this.#options;
    const scope = createScope(context, block, args, publication);
    const steps = listSteps(block.declaration.body, scope, lexicalRules);
    let pending: PendingStatement | null = null;
    let calls = caller ?? createCalls();
    const listOwn = () => (calls === caller ? [] : calls.relations);
    let before = 0;
    const flush = async () => {
      if (pending === null) return;
      const statement = pending;
      pending = null;
      before += 1;
      await run(statement);
    };
    for (let next = await takeStep(steps, null, signal); !next.done; ) {
      const step = next.value;
      await flush();
      if (step.kind === 'request') {
        const { request } = step;
        if (request.kind !== 'call') before += 1;
        next = await takeStep(steps, await this.#answer(request, calls), signal);
        if (isEffect(request)) calls = { ...createCalls(), relations: listOwn() };
        continue;
      }
      if (step.kind === 'statement') {
        pending = { statement: step.statement, relations: listOwn() };
      } else {
        before += 1;
        await this.#runVoid(step.call);
        await this.#relations.drop(listOwn());
      }
      calls = createCalls();
      next = await takeStep(steps, null, signal);
    }
    // The compiler does not see that the loop assigns it.
    const last = pending as PendingStatement | null;
    if (last === null) await this.#relations.drop(listOwn());
    return { last, before };
  }

  /** The query of a block without temporary objects. Rejects as `inlineBlock` does. */
  inline(call: BlockCall): Promise<Statement> {
    return inlineBlock(call, this.#options);
  }

  /** The first temporary object that a query names; null if it names no temporary object. */
  async findTemporary({ sql }: Statement): Promise<string | null> {
    const { connection, lexicalRules, signal } = this.#options;
    const objects = await connection.relations.listTemporary(signal);
    const names = new Map(objects.map(({ name }) => [name.toLowerCase(), name]));
    for (const { kind, start, end } of scanSql(sql, lexicalRules)) {
      const text = sql.slice(start, end).toLowerCase();
      const temporaryName = names.get(kind === 'quoted-name' ? text.slice(1, -1) : text);
      if (temporaryName !== undefined && (kind === 'word' || kind === 'quoted-name')) return temporaryName;
    }
    return null;
  }

  /** Checks every statement of a body without expressions. Rejects with a DiagnosticError or a StatementError. */
  checkPlain(block: BlockDefinition): Promise<void> {
    return finishInPieces(this.#checkPlain(block), this.#options.signal);
  }

  *#checkPlain(block: BlockDefinition): Interruptible<void> {
    const { connection, context, lexicalRules, warn } = this.#options;
    const steps = listSteps(block.declaration.body, createScope(context, block, new Map()), lexicalRules);
    for (let next = steps.next(); !next.done; next = steps.next(null)) {
      if (next.value.kind === 'work') yield* next.value.work;
      if (next.value.kind !== 'statement') continue;
      yield* checkStatements([next.value.statement], lexicalRules, warn);
      yield* checkInSandbox(connection, next.value.statement);
    }
  }

  /** A runner of the same session in which blocks have given rows. */
  withGiven(given: RunContext['given']): BlockRunner {
    const context = { ...this.#options.context, given };
    return new BlockRunner({ ...this.#options, context }, this.#relations);
  }

  /** A runner of the same session and the same relations for one execution of a test whose calls read copies. */
  withCopies(copies: CallCopies): BlockRunner {
    const { context: own } = this.#options;
    const context = { ...own, budget: own.budget.renew(), asksEachCall: true };
    return new BlockRunner({ ...this.#options, context, copies }, this.#relations);
  }

  /** What the runner was created with. */
  get session(): Pick<BlockRunnerOptions, 'connection' | 'context' | 'signal'> {
    return this.#options;
  }

  /** Stores the columns of a block without its rows, and resolves with the name of the relation. */
  async storeEmpty(block: BlockDefinition): Promise<string> {
    const args = settleDefaults(block, this.#options.context);
    const { last } = await this.walk(block, args, (pending) => this.execute(pending));
    if (last === null)
      throw createScriptError(block.file.file, block.declaration, `${describeDefinition(block)} has no rows`);
    return this.#storeQuery(last, `SELECT * FROM (\n${last.statement.sql}\n) AS b WHERE 1 = 0`);
  }

  /** Stores the columns of a query of one row without this row, for the block. */
  storeTyped(block: BlockDefinition, query: string): Promise<string> {
    return this.store(block, `SELECT * FROM (${query}) AS b WHERE 1 = 0`, 'table');
  }

  /** Creates a relation for a query that is generated for a block, and resolves with its name, as `create` does. */
  store(block: BlockDefinition, query: string, mode: 'any' | 'table'): Promise<string> {
    return this.#relations.create(toPending(block, query), mode);
  }

  /** Runs a query that is generated for a block, as `read` does. */
  readQuery<T>(
    block: BlockDefinition,
    query: string,
    use: (result: StatementResult) => Promise<T>,
  ): Promise<T> {
    return this.read(toPending(block, query), use);
  }

  /** The name of what a call reads; it exists until `drop`, or until the end of `isolate`. */
  async relate({ call, target }: BlockRead): Promise<string> {
    return target ?? this.#materialize(call, createCalls());
  }

  /** Drops relations of `store`. */
  drop(names: readonly string[]): Promise<void> {
    return this.#relations.drop(names);
  }

  #storeQuery({ statement, relations }: PendingStatement, sql: string): Promise<string> {
    const { findOrigin } = statement;
    const whole = { start: 0, end: statement.sql.length };
    return this.#relations.create(
      { statement: { sql, start: 0, findOrigin: () => findOrigin(whole) }, relations },
      'table',
    );
  }

  /** Runs a statement only for its effect. Rejects with a StatementError. */
  execute(pending: PendingStatement): Promise<void> {
    return this.read(pending, async (result) => {
      if (result.kind === 'rows') for await (const _ of result.chunks);
    });
  }

  /** Runs a statement and passes its result to `use`. Rejects with a StatementError. */
  read<T>(pending: PendingStatement, use: (result: StatementResult) => Promise<T>): Promise<T> {
    const { connection, signal } = this.#options;
    return this.use(pending, async ({ sql }) => use(await connection.run(sql, signal)));
  }

  /** The same query; its untyped NULL columns have the type text. Rejects with a StatementError. */
  async type(pending: PendingStatement): Promise<PendingStatement> {
    const { statement, relations } = pending;
    if (!mayBeUntyped(statement, this.#options.connection.relations.nulls)) return pending;
    await this.#check(statement);
    return { statement: await this.#relations.type(statement), relations };
  }

  /** Passes a statement in its executable form to `use`. Rejects with a StatementError. */
  async use<T>(pending: PendingStatement, use: (statement: Statement) => Promise<T>): Promise<T> {
    const { statement, relations } = pending;
    this.#checkOnCopies(statement);
    await this.#check(statement);
    const prepared = await this.#prepare(pending);
    const run = () => locateStatement(prepared, () => use(prepared));
    const result = await this.transaction.run(statement, run).catch(async (error: unknown) => {
      throw await this.#relations.place(statement, error);
    });
    await this.#relations.drop(relations);
    return result;
  }

  /** Throws a DiagnosticError for a statement that could bring damaged rows out of a test. */
  #checkOnCopies({ sql, start, findOrigin }: Statement): void {
    const { copies, lexicalRules } = this.#options;
    if (copies === undefined || copies.names.size === 0) return;
    if (!mayWrite(sql, lexicalRules) || makesTemporary(sql)) return;
    const { rendered, span } = notNull(findOrigin({ start, end: start + 1 }));
    const message = 'this statement can change data, so it does not run on copies';
    throw new DiagnosticError([createDiagnostic(rendered.source, span, message, 'rendering')]);
  }

  /** The executable form of a statement, after the rows that it must not change have been stored. */
  async #prepare(pending: PendingStatement): Promise<Statement> {
    const { statement, relations } = pending;
    const { connection, lexicalRules } = this.#options;
    const view = makesView(statement.sql, lexicalRules) ? await this.#relations.composeView(statement) : null;
    if (view === null) await this.#relations.settle(statement, relations);
    // Semantic SQL only reads.
    if (connection.physicalConnection === undefined && mayWrite(statement.sql, lexicalRules)) {
      const made = findMade(statement.sql, lexicalRules);
      if (made !== null && !(await this.#relations.mayRead(made))) this.#relations.forget();
      else await this.#relations.freeze(pending, view !== null);
    }
    return view ?? this.#relations.compose(statement);
  }

  /** Converts an error of this session for the author of the script. */
  explain(error: unknown): Promise<unknown> {
    return explainMissing(error, this.#options);
  }

  /** Whether a statement is a query. */
  isQuery({ statement }: PendingStatement): boolean {
    return isQuery(statement.sql, this.#options.lexicalRules);
  }

  /** Whether a statement can change data that others read. */
  mayWrite({ statement }: PendingStatement): boolean {
    return mayWrite(statement.sql, this.#options.lexicalRules);
  }

  /** Runs work and removes the temporary objects that it leaves. */
  isolate<T>(work: () => Promise<T>): Promise<T> {
    return this.#relations.isolate(work);
  }

  #check(statement: Statement): Promise<void> {
    const { lexicalRules, signal, warn } = this.#options;
    return finishInPieces(checkStatements([statement], lexicalRules, warn), signal);
  }

  async #answer(request: Request, calls: StatementCalls): Promise<Value> {
    switch (request.kind) {
      case 'call':
        return { kind: 'relation', name: await this.#findRelation(request, calls) };
      case 'rows':
        return this.#readRows(request);
      default:
        await this.#relations.freeze(null);
        await this.#options.effect(request);
        return null;
    }
  }

  /** The name of a relation with the rows of a call. */
  async #findRelation(read: BlockRead, calls: StatementCalls): Promise<string> {
    const { call } = read;
    const object = this.#findObject(read);
    if (object !== null) return object;
    // Before the lookup: whether a call is a cycle does not depend on earlier calls.
    checkCycle(this.#open, call);
    const key = printCallKey(call);
    await this.#relations.settle({ sql: key });
    const existingName = calls.names.get(key);
    if (existingName !== undefined) return existingName;
    const name = await this.#materialize(call, calls);
    calls.names.set(key, name);
    calls.relations.push(name);
    return name;
  }

  /** The object that has the rows of a call; null if the block runs. */
  #findObject(read: BlockRead): string | null {
    const { copies } = this.#options;
    if (copies === undefined || this.#open.length > 0) return read.target;
    copies.note(read);
    return copies.names.get(printCallKey(read.call)) ?? read.target;
  }

  async #runVoid(call: BlockCall): Promise<void> {
    const work = async () => {
      const { last } = await this.walk(call.block, call.args, (pending) => this.execute(pending));
      if (last !== null) await this.execute(last);
    };
    await this.#within(call, () => this.#relations.keepAll(work));
  }

  /** Stores the rows of a block under a new name. */
  async #materialize(call: BlockCall, calls: StatementCalls): Promise<string> {
    const { block, args } = call;
    const work = async () => {
      const { last, before } = await this.walk(block, args, (pending) => this.execute(pending), null, calls);
      if (last === null) throw createEmptyBlockError(call);
      await this.#check(last.statement);
      return this.#relations.create(last, before === 0 ? 'any' : 'table').catch((error: unknown) => {
        const isRefused = error instanceof StatementError && error.cause.code === 'sql';
        throw isRefused && !isQuery(last.statement.sql, this.#options.lexicalRules)
          ? createNoRowsError(call)
          : error;
      });
    };
    return this.#within(call, () => this.#relations.isolate(work, (name) => [name, ...calls.relations]));
  }

  async #readRows(read: BlockRead): Promise<Value> {
    const { call } = read;
    const { connection, signal, onRows } = this.#options;
    onRows?.();
    const object = this.#findObject(read);
    if (object !== null) {
      const query = await this.#relations.compose(toQuery(call, object));
      const physicalConnection = connection.physicalConnection ?? connection;
      return locateStatement(query, async () =>
        this.#collect(call, await physicalConnection.run(query.sql, signal)),
      );
    }
    const work = async () => {
      const { last } = await this.walk(call.block, call.args, (pending) => this.execute(pending));
      if (last === null) throw createEmptyBlockError(call);
      return this.read(last, (result) => this.#collect(call, result));
    };
    return this.#within(call, () => this.#relations.isolate(work));
  }

  async #collect(call: BlockCall, result: StatementResult): Promise<Value> {
    if (result.kind === 'done') throw createNoRowsError(call);
    const { block, site } = call;
    const { columns, chunks } = result;
    checkDistinct(columns, call);
    const rows: Value[] = [];
    for await (const chunk of chunks) {
      const readers = columns.map(({ type }, i) => createReader(type, chunk.vector(i)));
      for (let row = 0; row < chunk.rows; row += 1) {
        if (rows.length === MAX_ROWS) {
          throw createScriptError(
            site.file.file,
            site,
            `a loop is limited to ${MAX_ROWS} rows, and ${describeDefinition(block)} has more`,
          );
        }
        rows.push(
          createMap(
            columns.map(({ name, type }, i) => [name, toScriptValue(type, elementAt(readers, i)(row))]),
          ),
        );
      }
    }
    return rows;
  }

  /** Runs work for a call; throws if the same call is already running. */
  async #within<T>(call: BlockCall, work: () => Promise<T>): Promise<T> {
    checkCycle(this.#open, call);
    this.#open.push(call);
    try {
      return await work();
    } finally {
      this.#open.pop();
    }
  }
}

/** Refuses two columns of one name, because a row of a loop is a map. Throws a DiagnosticError. */
function checkDistinct(columns: readonly Column[], { block, site }: BlockCall): void {
  const indexByName = new Map<string, number>();
  for (const [index, { name }] of columns.entries()) {
    const first = indexByName.get(name);
    indexByName.set(name, index);
    if (first === undefined) continue;
    const message = `columns ${first + 1} and ${index + 1} of ${describeDefinition(block)} are both named \`${name}\`: rename one of them, because a loop reads columns by name`;
    throw createScriptError(site.file.file, site, message);
  }
}

/** A query that is generated for a block. */
function toPending({ file, declaration, name }: BlockDefinition, sql: string): PendingStatement {
  const origin = { rendered: file.file.rendered, span: declaration, block: name };
  return { statement: { sql, start: 0, findOrigin: () => origin }, relations: [] };
}

function createCalls(): StatementCalls {
  return { names: new Map(), relations: [] };
}

/** A query for all rows of the object that replaces a call. */
function toQuery({ block, site }: BlockCall, target: string): Statement {
  const { rendered } = site.file.file;
  const origin = { rendered, span: toOriginalSpan(rendered, site), block: block.name };
  return { sql: `SELECT * FROM ${target}`, start: 0, findOrigin: () => origin };
}
