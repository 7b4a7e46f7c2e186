import { setTimeout as sleep } from 'node:timers/promises';
import { serialize } from 'pg-protocol';
import type { Chunk, Column } from '../../result/columns/column.ts';
import type { BoundValue } from '../contract/bound-value.ts';
import { DatabaseError } from '../contract/connection.ts';
import { createCancelled } from '../server/errors.ts';
import { ServerExchange } from '../server/exchange.ts';
import { MAX_BYTES, MAX_ROWS, RowPlaces, type TextDecoder } from '../text/field.ts';
import { findOid, printBound } from './bound-values.ts';
import { isCancelled, toDatabaseError } from './errors.ts';
import {
  type CountedRows,
  type ErrorResponse,
  type FieldDescription,
  MESSAGE,
  readErrorResponse,
  readRowDescription,
  readSetting,
  readTag,
} from './messages.ts';
import { createDecoder } from './types.ts';
import type { Message, PostgresqlWire } from './wire.ts';

/** Number of rows that are requested at once inside a transaction, because a cancellation would end the transaction. */
const PORTION = 8192;
/** Maximum time for the rest of a portion before the statement is cancelled after all, in milliseconds. */
const PORTION_PATIENCE = 500;
const IDLE = 0x49;
const FAILED = 0x45;
/** Rolls back uncommitted changes of a statement. */
const ROLLBACK: readonly Buffer[] = [
  serialize.parse({ name: '', text: 'ROLLBACK', types: [] }),
  serialize.bind({ portal: '', statement: '', values: [], binary: false }),
  serialize.execute({ portal: '', rows: 0 }),
];
const COPY_IN = 'COPY FROM STDIN has nothing to read here.';
const COPY_OUT =
  'COPY TO STDOUT has nowhere to write here: run the query itself, in the format that you want.';
/** Bytes of another encoding would be returned unconverted, and not be valid text. */
const OTHER_ENCODING = 'client_encoding must stay UTF8, the encoding of results.';

/** Parameters of an exchange. */
interface ExchangeOptions {
  readonly wire: PostgresqlWire;
  readonly statement: string;
  /** The rows of COPY FROM STDIN. */
  readonly copied: string | undefined;
  /** The values of `$1`, `$2`, … */
  readonly values: readonly BoundValue[];
  readonly signal: AbortSignal;
  /** Whether the session is in a transaction that the user has started. */
  readonly inTransaction: boolean;
  /** Asks the server to cancel the session's work; resolves when the request was passed on. Never rejects. */
  readonly requestCancel: () => Promise<void>;
}

/**
 * One statement and the server's complete answer, until it is ready for the next statement (protocol 3). Outside a
 * transaction, the server commits at Sync, which is sent when all rows have been read: changes are rolled back if rows
 * cannot be read or are abandoned.
 */
export class PostgresqlExchange extends ServerExchange {
  readonly #options: ExchangeOptions;
  readonly #portion: number;
  #fields: readonly FieldDescription[] = [];
  #columns: readonly Column[] | null = null;
  #rows: RowReader | null = null;
  #counted: CountedRows = { changed: 0, stored: null };
  /** Whether Sync has been sent. */
  #isSynced = false;
  #status = IDLE;

  constructor(options: ExchangeOptions) {
    const { wire, signal, requestCancel } = options;
    super({ signal, wait: () => wire.wait(), requestCancel, giveUp: () => wire.destroy() });
    this.#options = options;
    this.#portion = options.inTransaction ? PORTION : 0;
  }

  get columns(): readonly Column[] | null {
    return this.#columns;
  }

  /** The columns as the server describes them. */
  get fields(): readonly FieldDescription[] {
    return this.#fields;
  }

  get rowsChanged(): number {
    return this.#counted.changed;
  }

  get rowsStored(): number | null {
    return this.#counted.stored;
  }

  /** Whether the session is in a transaction after the exchange. */
  get inTransaction(): boolean {
    return this.#status !== IDLE;
  }

  /** Whether that transaction only accepts its end. */
  get hasFailed(): boolean {
    return this.#status === FAILED;
  }

  protected send(): void {
    const { wire, statement, values } = this.#options;
    wire.write(
      serialize.parse({ name: '', text: statement, types: values.map(findOid) }),
      serialize.bind({ portal: '', statement: '', values: values.map(printBound), binary: false }),
      serialize.describe({ type: 'P', name: '' }),
      ...this.#execute(),
    );
  }

  protected get failsNext(): boolean {
    return this.#options.wire.peek()?.type === MESSAGE.error;
  }

  protected readRows(): Chunk | null {
    return this.#rows?.read() ?? null;
  }

  protected takeArrived(): boolean {
    const { wire } = this.#options;
    const message = wire.peek();
    if (message === null) return false;
    wire.take(message);
    this.#handle(message);
    return true;
  }

  protected async afterCancel(): Promise<void> {}

  #execute(): readonly Buffer[] {
    return [serialize.execute({ portal: '', rows: this.#portion }), serialize.flush()];
  }

  #handle(message: Message): void {
    const { wire } = this.#options;
    const body = wire.bytes.subarray(message.start, message.end);
    switch (message.type) {
      case MESSAGE.rowDescription:
        this.#describe(body);
        return;
      case MESSAGE.commandComplete:
        this.#complete(body);
        return;
      case MESSAGE.emptyQuery:
        this.#sync();
        return;
      case MESSAGE.suspended:
        wire.write(...this.#execute());
        return;
      case MESSAGE.error:
        this.#failWith(readErrorResponse(body));
        this.#sync();
        return;
      case MESSAGE.parameterStatus:
        this.#checkSetting(body);
        return;
      case MESSAGE.copyIn:
        this.#copyIn();
        return;
      case MESSAGE.copyOut:
      case MESSAGE.copyBoth:
        this.fail(() => new DatabaseError('sql', COPY_OUT));
        this.cancel();
        return;
      case MESSAGE.readyForQuery:
        this.#status = body[0]!;
        this.end();
        return;
      default:
    }
  }

  #copyIn(): void {
    const { wire, copied } = this.#options;
    if (copied === undefined) {
      this.fail(() => new DatabaseError('sql', COPY_IN));
      wire.write(serialize.copyFail(COPY_IN));
      return;
    }
    // Without Flush, the server keeps its answer back.
    wire.write(serialize.copyData(Buffer.from(copied)), serialize.copyDone(), serialize.flush());
  }

  #checkSetting(body: Buffer): void {
    const [name, value] = readSetting(body);
    if (name === 'client_encoding' && value !== 'UTF8')
      this.fail(() => new DatabaseError('sql', OTHER_ENCODING));
  }

  #describe(body: Buffer): void {
    this.#fields = readRowDescription(body);
    const decoders: readonly TextDecoder[] = this.#fields.map(createDecoder);
    this.#columns = this.#fields.map(({ name }, i) => ({ name, type: decoders[i]!.type }));
    this.#rows = new RowReader(this.#options.wire, decoders);
  }

  /** The statement has succeeded; its changes are kept only if its rows are read. */
  #complete(body: Buffer): void {
    if (this.#isSynced) return;
    this.#counted = readTag(body);
    if (this.isStopped && !this.#options.inTransaction) this.#options.wire.write(...ROLLBACK);
    this.#sync();
  }

  #sync(): void {
    if (this.#isSynced) return;
    this.#isSynced = true;
    this.#options.wire.write(serialize.sync());
  }

  #failWith(error: ErrorResponse): void {
    const { statement } = this.#options;
    this.fail(() =>
      isCancelled(error) ? createCancelled() : toDatabaseError(error, statement, this.isLate),
    );
  }

  /** Between two portions, the rest can be dropped without an error, which would end the transaction. */
  protected async leaveEarly(): Promise<boolean> {
    if (this.#portion === 0 || this.#options.signal.aborted) return false;
    const { wire } = this.#options;
    const late = sleep(PORTION_PATIENCE, 'late' as const, { ref: false });
    for (let message = wire.peek(); message?.type !== MESSAGE.suspended; message = wire.peek()) {
      if (message !== null && message.type !== MESSAGE.dataRow) return false;
      if (message !== null) wire.take(message);
      else if ((await Promise.race([wire.wait().catch(() => 'lost'), late])) !== undefined) return false;
    }
    wire.take(wire.peek()!);
    wire.write(serialize.close({ type: 'P', name: '' }));
    this.#sync();
    await this.read().catch(() => {});
    return true;
  }
}

/** Cuts the rows that have arrived into chunks. */
class RowReader {
  readonly #wire: PostgresqlWire;
  readonly #places: RowPlaces;

  constructor(wire: PostgresqlWire, decoders: readonly TextDecoder[]) {
    this.#wire = wire;
    this.#places = new RowPlaces(decoders);
  }

  /** Reads the rows that have arrived, up to the first other message; null when there are no rows. */
  read(): Chunk | null {
    const { bytes } = this.#wire;
    let rows = 0;
    let size = 0;
    for (let message = this.#wire.peek(); message?.type === MESSAGE.dataRow; message = this.#wire.peek()) {
      this.#place(bytes, message.start + 2, rows);
      this.#wire.take(message);
      rows += 1;
      size += message.end - message.start;
      if (rows === MAX_ROWS || size >= MAX_BYTES) break;
    }
    return rows === 0 ? null : this.#places.decode(bytes, rows);
  }

  /** Records the positions of the values of a row. */
  #place(bytes: Buffer, start: number, row: number): void {
    const { starts, lengths } = this.#places;
    let at = start;
    for (let column = 0; column < starts.length; column += 1) {
      const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
      at += 4;
      starts[column]![row] = at;
      lengths[column]![row] = length;
      if (length >= 0) at += length;
      else this.#places.setNull(column, row);
    }
  }
}
