import { serialize } from 'pg-protocol';
import {
  DatabaseError,
  type Publishing,
  type Relations,
  type StatementInput,
} from '../contract/connection.ts';
import { ServerSession, type StartedStatement } from '../server/session.ts';
import { PostgresqlExchange } from './exchange.ts';
import { createPostgresqlPublishing } from './publishing.ts';
import { createRelations } from './relations.ts';
import type { PostgresqlWire } from './wire.ts';

/** One session of a server. */
export class PostgresqlSession extends ServerSession {
  readonly #wire: PostgresqlWire;
  readonly #requestCancel: () => Promise<void>;
  #exchange: PostgresqlExchange | null = null;

  readonly relations: Relations;
  readonly publishing: Publishing = createPostgresqlPublishing(
    (statement, signal) => this.run(statement, signal),
    () => this.#inTransaction,
    () => this.#exchange?.fields ?? [],
  );
  #inTransaction = false;
  #hasFailed = false;

  /** `version` is the server's version number, such as 15.18. */
  constructor(wire: PostgresqlWire, version: number, requestCancel: () => Promise<void>) {
    const finish = () => {
      wire.write(serialize.end());
      wire.end();
    };
    super({ finish, closed: wire.closed, destroy: () => wire.destroy(), isOver: () => wire.isOver });
    this.relations = createRelations((statement, signal) => this.run(statement, signal), version);
    this.#wire = wire;
    this.#requestCancel = requestCancel;
  }

  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  protected get hasFailed(): boolean {
    return this.#hasFailed;
  }

  protected check(statement: string): void {
    const nul = statement.indexOf('\0');
    if (nul !== -1) throw new DatabaseError('sql', 'A statement cannot contain a NUL character.', nul);
  }

  protected async start(
    statement: string,
    signal: AbortSignal,
    { copied, values = [] }: StatementInput,
  ): Promise<StartedStatement> {
    const exchange = new PostgresqlExchange({
      wire: this.#wire,
      statement,
      copied,
      values,
      signal,
      inTransaction: this.#inTransaction,
      requestCancel: this.#requestCancel,
    });
    this.#exchange = exchange;
    return { exchange, rows: exchange };
  }

  protected complete(_statement: string, rowsChanged: number): number {
    return rowsChanged;
  }

  protected isNothing(): boolean {
    return false;
  }

  protected onEnd(): void {
    this.#inTransaction = this.#exchange?.inTransaction ?? false;
    this.#hasFailed = this.#exchange?.hasFailed ?? false;
    this.#exchange = null;
  }
}
