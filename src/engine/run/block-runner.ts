import { type Connection, DatabaseError, type StatementResult } from '../connection/connection.ts';
import { createReader } from '../result/read-value.ts';
import { checkNoCircle, createEmptyFault } from '../script/call-faults.ts';
import { printCallKey } from '../script/print-call.ts';
import { type BlockDefinition, createFault, describeDefinition } from '../script/program.ts';
import type { BlockCall, Request } from '../script/request.ts';
import { createScope, type RunContext, type Scope } from '../script/scope.ts';
import { listSteps, type Statement } from '../script/steps.ts';
import { createMap, type Value } from '../script/value.ts';
import type { SqlLexis } from '../text/sql-lexis.ts';
import { scanSql } from '../text/sql-scanner.ts';
import { checkStatement } from './check-text.ts';
import { isQuery } from './is-query.ts';
import { SessionRelations } from './session-relations.ts';
import { locateError } from './statement-error.ts';
import { toScriptValue } from './to-script-value.ts';

/** A loop over the rows of a block may have so many (language 5). */
const MOST_ROWS = 10_000;

/** What a runner needs; `effect` does what the library asks for (publications, tests). */
export interface BlockRunnerOptions {
  readonly connection: Connection;
  readonly context: RunContext;
  readonly lexis: SqlLexis;
  readonly signal: AbortSignal;
  readonly effect: (request: Extract<Request, { kind: 'publish' | 'test' }>) => Promise<void>;
}

/** A body up to its last statement, which has not run, and the relations that it needs. */
export interface Walked {
  readonly last: Statement | null;
  readonly relations: readonly string[];
  /** How many statements, and other things to do, stood before the last one. */
  readonly before: number;
}

type RunOne = (statement: Statement) => Promise<void>;

/** Runs blocks in one session: callees first, each just before the statement that calls it (language 5). */
export class BlockRunner {
  readonly #options: BlockRunnerOptions;
  readonly #relations: SessionRelations;
  /** The calls that are being run, the outermost first. */
  readonly #open: BlockCall[] = [];

  constructor(options: BlockRunnerOptions) {
    this.#options = options;
    this.#relations = new SessionRelations(options.connection, options.signal);
  }

  /**
   * Runs a body but for its last statement; each other one goes to `run`. Rejects with a DiagnosticError, a
   * StatementError or what `run` rejects with.
   */
  async walk(
    block: BlockDefinition,
    args: ReadonlyMap<string, Value>,
    run: RunOne,
    publication: Scope['publication'] = null,
  ): Promise<Walked> {
    const { context, lexis } = this.#options;
    const scope = createScope(context, block, args, publication);
    const steps = listSteps(block.declaration.body, scope, lexis);
    let pending: { statement: Statement; relations: readonly string[] } | null = null;
    let known = new Map<string, string>();
    let owned: string[] = [];
    let before = 0;
    const flush = async () => {
      if (pending === null) return;
      const { statement, relations } = pending;
      pending = null;
      before += 1;
      await run(statement);
      await this.drop(relations);
    };
    for (let next = steps.next(); !next.done; ) {
      const step = next.value;
      await flush();
      if (step.kind === 'request') {
        if (step.request.kind !== 'call') before += 1;
        next = steps.next(await this.#answer(step.request, known, owned));
        continue;
      }
      if (step.kind === 'statement') {
        pending = { statement: step.statement, relations: owned };
      } else {
        before += 1;
        await this.#runVoid(step.call);
      }
      known = new Map();
      owned = [];
      next = steps.next(null);
    }
    // Assigned in the loop, which the compiler does not see here.
    const last = pending as { statement: Statement; relations: readonly string[] } | null;
    return { last: last?.statement ?? null, relations: last?.relations ?? owned, before };
  }

  /**
   * A body that is one query, with the queries of all blocks that it calls inside of it, for what may not
   * stand on temporary objects. Throws a DiagnosticError where that cannot be.
   */
  inline(call: BlockCall): Statement {
    const { context, lexis } = this.#options;
    checkNoCircle(this.#open, call);
    this.#open.push(call);
    try {
      const scope = createScope(context, call.block, call.args);
      const steps = listSteps(call.block.declaration.body, scope, lexis);
      const statements: Statement[] = [];
      for (let next = steps.next(); !next.done; ) {
        const step = next.value;
        if (step.kind === 'statement') statements.push(step.statement);
        if (step.kind === 'void' || (step.kind === 'request' && step.request.kind !== 'call')) {
          throw createInlineFault(call);
        }
        const inner = step.kind === 'request' && step.request.kind === 'call' ? step.request.call : null;
        next = steps.next(
          inner === null ? null : { kind: 'relation', name: `(${this.inline(inner).sql}\n)` },
        );
      }
      const [statement] = statements;
      if (statement === undefined || statements.length > 1) throw createInlineFault(call);
      checkStatement(statement, lexis);
      return statement;
    } finally {
      this.#open.pop();
    }
  }

  /** A temporary object that a query names; null where it names none. */
  async findTemporary({ sql }: Statement): Promise<string | null> {
    const { connection, lexis, signal } = this.#options;
    const objects = await connection.relations.listTemporary(signal);
    const names = new Map(objects.map(({ name }) => [name.toLowerCase(), name]));
    for (const { kind, start, end } of scanSql(sql, lexis)) {
      const text = sql.slice(start, end).toLowerCase();
      const found = names.get(kind === 'quoted-name' ? text.slice(1, -1) : text);
      if (found !== undefined && (kind === 'word' || kind === 'quoted-name')) return found;
    }
    return null;
  }

  /** Checks every statement of a body without expressions. Throws a DiagnosticError. */
  checkPlain(block: BlockDefinition): void {
    const { context, lexis } = this.#options;
    const steps = listSteps(block.declaration.body, createScope(context, block, new Map()), lexis);
    for (let next = steps.next(); !next.done; next = steps.next(null)) {
      if (next.value.kind === 'statement') checkStatement(next.value.statement, lexis);
    }
  }

  /** Runs a statement for its effect alone. Rejects with a StatementError. */
  async execute(statement: Statement): Promise<void> {
    const result = await this.run(statement);
    if (result.kind === 'rows') for await (const _ of result.chunks);
  }

  /** Runs a statement; errors while its rows are read are placed with `locate`. */
  async run(statement: Statement): Promise<StatementResult> {
    const { connection, signal } = this.#options;
    await this.prepare(statement);
    return this.locate(statement, () => connection.run(statement.sql, signal));
  }

  /** To be called before a statement runs: checks it, and lets no relation see what it writes. */
  async prepare(statement: Statement): Promise<void> {
    const { lexis } = this.#options;
    checkStatement(statement, lexis);
    if (isQuery(statement.sql, lexis)) return;
    if (/^create\b(?!\s+or\s+replace\b)/i.test(statement.sql)) this.#relations.forget();
    else await this.#relations.freeze();
  }

  /** To be called before something else writes. */
  freeze(): Promise<void> {
    return this.#relations.freeze();
  }

  /** Does some work for which nothing temporary may stay. */
  isolate<T>(work: () => Promise<T>): Promise<T> {
    return this.#relations.isolate(work);
  }

  /** Puts the place in a script to what a database finds wrong with a statement. */
  async locate<T>(statement: Statement, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof DatabaseError ? locateError(error, statement) : error;
    }
  }

  drop(relations: readonly string[]): Promise<void> {
    return this.#relations.drop(relations);
  }

  async #answer(request: Request, known: Map<string, string>, owned: string[]): Promise<Value> {
    switch (request.kind) {
      case 'call': {
        const key = printCallKey(request.call);
        const name = known.get(key) ?? (await this.#materialize(request.call, owned));
        known.set(key, name);
        return { kind: 'relation', name };
      }
      case 'rows':
        return this.#readRows(request);
      default:
        await this.#options.effect(request);
        return null;
    }
  }

  async #runVoid(call: BlockCall): Promise<void> {
    const work = async () => {
      const { last, relations } = await this.walk(call.block, call.args, (own) => this.execute(own));
      if (last !== null) await this.execute(last);
      await this.drop(relations);
    };
    await this.#within(call, () => this.#relations.keepAll(work));
  }

  /** Keeps the rows of a block under a new name, which goes to `owned`. */
  async #materialize(call: BlockCall, owned: string[]): Promise<string> {
    const work = async () => {
      const { last, relations, before } = await this.walk(call.block, call.args, (own) => this.execute(own));
      if (last === null) throw createEmptyFault(call);
      checkStatement(last, this.#options.lexis);
      const mode = before === 0 ? 'any' : 'table';
      return this.locate(last, () => this.#relations.create(last.sql, mode, relations));
    };
    const name = await this.#within(call, () => this.#relations.isolate(work, (own) => [own]));
    owned.push(name);
    return name;
  }

  async #readRows({ call, target }: Extract<Request, { kind: 'rows' }>): Promise<Value> {
    const { connection, signal } = this.#options;
    if (target !== null) return this.#collect(call, await connection.run(`SELECT * FROM ${target}`, signal));
    const work = async () => {
      const { last, relations } = await this.walk(call.block, call.args, (own) => this.execute(own));
      if (last === null) throw createEmptyFault(call);
      const rows = await this.locate(last, async () => this.#collect(call, await this.run(last)));
      await this.drop(relations);
      return rows;
    };
    return this.#within(call, () => this.#relations.isolate(work));
  }

  async #collect({ block, site }: BlockCall, result: StatementResult): Promise<Value> {
    if (result.kind === 'done') {
      throw createFault(
        site.file.file,
        site,
        `${describeDefinition(block)} has no rows: it ends with no query`,
      );
    }
    const { columns, chunks } = result;
    const rows: Value[] = [];
    for await (const chunk of chunks) {
      const readers = columns.map(({ type }, i) => createReader(type, chunk.vector(i)));
      for (let row = 0; row < chunk.rows; row += 1) {
        if (rows.length === MOST_ROWS) {
          throw createFault(
            site.file.file,
            site,
            `a loop may have ${MOST_ROWS} rows, and ${describeDefinition(block)} has more`,
          );
        }
        rows.push(
          createMap(columns.map(({ name, type }, i) => [name, toScriptValue(type, readers[i]!(row))])),
        );
      }
    }
    return rows;
  }

  /** Does some work for a call, unless the call is already being run. */
  async #within<T>(call: BlockCall, work: () => Promise<T>): Promise<T> {
    checkNoCircle(this.#open, call);
    this.#open.push(call);
    try {
      return await work();
    } finally {
      this.#open.pop();
    }
  }
}

function createInlineFault({ block, site }: BlockCall) {
  const message = `a published view may not stand on temporary objects, so ${describeDefinition(block)} must be one query, without void blocks and loops over rows`;
  return createFault(site.file.file, site, message);
}
