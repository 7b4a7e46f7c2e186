import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chunk, Column } from '../../result/columns/column.ts';
import type { BoundValue } from '../contract/bound-value.ts';
import { createCancelled } from '../server/errors.ts';
import { ServerExchange } from '../server/exchange.ts';
import { BEFORE_STATEMENT, printExecution } from './bound-values.ts';
import { isCancelled, toDatabaseError } from './errors.ts';
import type { ColumnDescription, QueryError } from './page.ts';
import { type Portion, type QueryContext, TrinoQuery } from './query.ts';
import { RowReader } from './row-reader.ts';
import { createDecoder } from './types.ts';

/** Parameters of an exchange. */
interface ExchangeOptions extends QueryContext {
  readonly statement: string;
  /** The values of its placeholders. */
  readonly values?: readonly BoundValue[] | undefined;
  readonly signal: AbortSignal;
}

/** One statement and the server's complete answer. */
export class TrinoExchange extends ServerExchange {
  readonly #query: TrinoQuery;
  readonly #statement: string;
  readonly #values: readonly BoundValue[];
  readonly #state: QueryContext['state'];
  #columns: readonly Column[] | null = null;
  #rows: RowReader | null = null;
  #rowsChanged = 0;
  /** Whether the rows that are read are the last ones. */
  #isLast = false;
  #error: QueryError | undefined;

  constructor(options: ExchangeOptions) {
    const { statement, values = [], signal, state } = options;
    const query = new TrinoQuery(options);
    super({
      signal,
      wait: () => query.wait(),
      requestCancel: () => query.cancel(),
      giveUp: () => query.abort(),
    });
    this.#query = query;
    this.#statement = statement;
    this.#values = values;
    this.#state = state;
  }

  get columns(): readonly Column[] | null {
    return this.#columns;
  }

  get rowsChanged(): number {
    return this.#rowsChanged;
  }

  /** Takes a turn of the event loop, so that the next answer is requested while the rows of this one are read. */
  protected override beforeRead(): Promise<void> {
    return nextTurn();
  }

  /** The statement, and the text before it in what was sent. */
  get #place() {
    return { before: this.#values.length > 0 ? BEFORE_STATEMENT : '', statement: this.#statement };
  }

  protected send(): void {
    const isBound = this.#values.length > 0;
    this.#query.start(isBound ? printExecution(this.#statement, this.#values) : this.#statement);
  }

  protected get failsNext(): boolean {
    if (this.#rows?.isEmpty === false) return false;
    return this.#error !== undefined || this.#query.failsNext;
  }

  protected readRows(): Chunk | null {
    return this.#rows?.read() ?? null;
  }

  /** All rows that have arrived have been read, or are not wanted, when this is called. */
  protected takeArrived(): boolean {
    if (this.#isLast) {
      this.#finish();
      return true;
    }
    const arrival = this.#query.take();
    if (arrival === null) return false;
    if ('portion' in arrival) {
      this.#handle(arrival.portion);
    } else {
      this.fail(() => arrival.failure);
      this.end();
    }
    return true;
  }

  protected async leaveEarly(): Promise<boolean> {
    return false;
  }

  /** A query is cancelled by its id, so that no other one is stopped. */
  protected async afterCancel(): Promise<void> {}

  #handle(portion: Portion): void {
    const { columns = [], updateType, updateCount = 0, error } = portion.envelope;
    this.#rowsChanged = updateCount;
    this.#error = error;
    this.#isLast = portion.isLast;
    // A statement that changes something has a column for the number of rows.
    const hasRows = updateType === undefined && columns.length > 0;
    if (hasRows && this.#rows === null) this.#describe(columns);
    if (this.#rows !== null && !this.isStopped) this.#rows.open(portion);
  }

  #describe(columns: readonly ColumnDescription[]): void {
    const decoders = columns.map(createDecoder);
    this.#columns = columns.map(({ name }, i) => ({ name, type: decoders[i]!.type }));
    this.#rows = new RowReader(decoders);
  }

  #finish(): void {
    const error = this.#error;
    if (error !== undefined) {
      this.#state.noticeFailure(error.errorName);
      this.fail(() =>
        isCancelled(error) ? createCancelled() : toDatabaseError(error, this.#place, this.isLate),
      );
    }
    this.end();
  }
}
