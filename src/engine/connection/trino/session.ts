import type { Chunk } from '../../result/columns/column.ts';
import { trinoRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import { DatabaseError, type Publishing, type StatementInput } from '../contract/connection.ts';
import type { Run } from '../contract/run-inner.ts';
import { ServerSession, type StartedStatement } from '../server/session.ts';
import { TrinoExchange } from './exchange.ts';
import { createTrinoPublishing } from './publish/publishing.ts';
import type { QueryContext } from './query.ts';
import { createRelations, type TrinoRelations } from './relations/relations.ts';

/** One session: the server keeps its queries, and this side keeps its state. */
export class TrinoSession extends ServerSession {
  readonly #context: QueryContext;
  #statement = '';
  #ending: Promise<void> | null = null;

  readonly relations: TrinoRelations;
  readonly publishing: Publishing;

  constructor(context: QueryContext) {
    const { server, state } = context;
    const ended = Promise.withResolvers<void>();
    const destroy = () => {
      server.close();
      ended.resolve();
    };
    const finish = () => void rollBack(context).finally(destroy);
    super({ finish, closed: ended.promise, destroy, isOver: () => false });
    this.#context = context;
    const run = (statement: string, signal: AbortSignal) => this.run(statement, signal);
    const aside = createAside(context);
    this.relations = createRelations({ run, aside, state });
    this.publishing = createTrinoPublishing({ run, aside, state });
  }

  get inTransaction(): boolean {
    return this.#context.state.inTransaction;
  }

  protected get hasFailed(): boolean {
    return this.#context.state.hasFailed;
  }

  /** Drops the stored rows of the session, and then closes it. */
  override close(): Promise<void> {
    this.#ending ??= this.relations.end().then(() => super.close());
    return this.#ending;
  }

  protected check(): void {}

  protected async start(
    statement: string,
    signal: AbortSignal,
    { values }: StatementInput,
  ): Promise<StartedStatement> {
    this.#statement = statement;
    const exchange = new TrinoExchange({ ...this.#context, statement, values, signal });
    return { exchange, rows: exchange };
  }

  protected complete(_statement: string, rowsChanged: number): number {
    return rowsChanged;
  }

  protected isNothing(error: unknown): boolean {
    return error instanceof DatabaseError && error.code === 'sql' && isBlank(this.#statement);
  }

  protected onEnd(): void {}
}

/** Ends a transaction that the user has left open. */
async function rollBack(context: QueryContext): Promise<void> {
  if (!context.state.inTransaction) return;
  const signal = new AbortController().signal;
  const exchange = new TrinoExchange({ ...context, statement: 'ROLLBACK', signal });
  await exchange.begin().catch(() => {});
  await exchange.leave();
}

/**
 * Runs statements as the user of a session, with its settings, while a statement of the session itself runs. The rows
 * must fit into memory.
 */
function createAside(context: QueryContext): Run {
  const quiet = { ...context, noteQueued: () => {} };
  return async (statement, signal) => {
    const exchange = new TrinoExchange({ ...quiet, state: context.state.fork(), statement, signal });
    try {
      const all: Chunk[] = [];
      for (let next = await exchange.begin(); next !== null; next = await exchange.next()) all.push(next);
      const { columns, rowsChanged } = exchange;
      return columns === null
        ? { kind: 'done', rowsChanged }
        : { kind: 'rows', columns, chunks: iterate(all) };
    } finally {
      await exchange.leave();
    }
  };
}

async function* iterate(chunks: readonly Chunk[]): AsyncGenerator<Chunk, void, undefined> {
  yield* chunks;
}

/** Whether a text has no statement: it is empty, or has only comments. */
function isBlank(text: string): boolean {
  return [...scanSql(text, trinoRules)].every(({ kind }) => kind === 'space' || kind === 'comment');
}
