import { DatabaseError, type Publishing } from '../contract/connection.ts';
import { ServerSession, type StartedStatement } from '../server/session.ts';
import { createAside } from './aside.ts';
import { Exchange } from './exchange.ts';
import { createTrinoPublishing } from './publish/publishing.ts';
import type { QueryContext } from './query.ts';
import { createRelations, type TrinoRelations } from './relations/relations.ts';
import { isBlank } from './statement.ts';

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
    super({ finish, closed: ended.promise, destroy });
    this.#context = context;
    const run = (statement: string, signal: AbortSignal) => this.run(statement, signal);
    const aside = createAside(context);
    this.relations = createRelations({ run, aside, state });
    this.publishing = createTrinoPublishing({ run, aside, state });
  }

  get inTransaction(): boolean {
    return this.#context.state.inTransaction;
  }

  /** Drops the stored rows of the session, and then closes it. */
  override close(): Promise<void> {
    this.#ending ??= this.relations.end().then(() => super.close());
    return this.#ending;
  }

  protected check(): void {}

  protected async start(statement: string, signal: AbortSignal): Promise<StartedStatement> {
    this.#statement = statement;
    const exchange = new Exchange({ ...this.#context, statement, signal });
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
  const exchange = new Exchange({ ...context, statement: 'ROLLBACK', signal });
  await exchange.begin().catch(() => {});
  await exchange.leave();
}
