import type { Chunk, Column } from '../../result/columns/column.ts';
import { CancelLoop } from '../contract/cancel-loop.ts';
import { DatabaseError } from '../contract/connection.ts';
import type { TextDecoder } from '../text/field.ts';
import type { Stoppable } from './cancel.ts';
import { createCancelled, INTERRUPTED, toDatabaseError, toLostError } from './errors.ts';
import {
  ANSWER,
  COMMAND,
  type Completion,
  type FieldDescription,
  isRow,
  readColumnCount,
  readEnd,
  readField,
  readOk,
  readServerError,
  type ServerError,
} from './messages.ts';
import { RowReader } from './row-reader.ts';
import { createDecoder } from './types.ts';
import type { Wire } from './wire.ts';

const LOCAL_FILE =
  'LOAD DATA LOCAL has no file to read here: load the file with `quern load`, or without LOCAL.';
/** Bytes of another one would go out as they are, and be no text. */
const OTHER_CHARSET = 'character_set_results has to stay utf8mb4: answers are written in it.';
/** A request to stop that came too late would stop the next statement: this one is there for it. */
const NOTHING = 'DO 0';

/** What the session is known to be in, as the server tells it with each answer. */
export interface SessionState {
  inTransaction: boolean;
  autocommit: boolean;
  schema: string | null;
  timeZone: string;
}

/** What an exchange is about, and what it is done with. */
export interface ExchangeOptions {
  readonly wire: Wire;
  readonly statement: string;
  readonly signal: AbortSignal;
  /** Whether descriptions of columns are MariaDB's longer ones. */
  readonly isExtended: boolean;
  readonly state: SessionState;
  /** Asks the server to stop something; resolves when that has been passed on. Never rejects. */
  readonly requestCancel: (what: Stoppable) => Promise<void>;
}

/** What comes next: the beginning of a result, so many descriptions of columns and their end, or rows. */
type Expected = 'result' | 'columns' | 'rows';

/** One statement and all that the server answers. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #cancel: CancelLoop;
  #expected: Expected = 'result';
  #missing = 0;
  #fields: FieldDescription[] = [];
  #columns: readonly Column[] | null = null;
  /** Null where no rows are wanted: those of a procedure's later results. */
  #rows: RowReader | null = null;
  #rowsChanged = 0;
  /** Whether rows have been handed out, so that an error comes late. */
  #isLate = false;
  #failure: ServerError | DatabaseError | null = null;
  #isOver = false;
  #isLeft = false;
  #reading: Promise<unknown> | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const { wire, requestCancel } = options;
    this.#cancel = new CancelLoop(
      () => requestCancel('QUERY'),
      () => {
        void requestCancel('CONNECTION');
        wire.destroy();
      },
    );
  }

  /** Null for a statement without a result set. */
  get columns(): readonly Column[] | null {
    return this.#columns;
  }

  get rowsChanged(): number {
    return this.#rowsChanged;
  }

  /** Sends the statement; resolves with its first rows, null for none. Rejects with a DatabaseError. */
  async begin(): Promise<Chunk | null> {
    const { wire, statement, signal } = this.#options;
    signal.addEventListener('abort', this.#onAbort, { once: true });
    wire.send(Buffer.concat([Buffer.from([COMMAND.query]), Buffer.from(statement)]));
    const chunk = await this.#read();
    // What has failed at once has failed before its rows.
    const next = chunk === null ? null : wire.peek();
    if (next !== null && wire.bytes[next.start] === ANSWER.error) await this.#read();
    this.#isLate = chunk !== null;
    return chunk;
  }

  /** The next rows, null at the good end. Rejects with a DatabaseError. */
  async next(): Promise<Chunk | null> {
    if (this.#isLeft) throw new Error('this result has been left');
    await this.#reading?.catch(() => {});
    return this.#read();
  }

  /** Ends the exchange, wherever it is; never rejects. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    if (this.#reading === null) this.#takeArrived();
    if (!this.#isOver) this.#cancel.start();
    await this.#reading?.catch(() => {});
    if (!this.#isOver) await this.#read().catch(() => {});
    await this.#settle();
  }

  /** What nobody reads any more is taken, since a server that waits for its reader does not stop. */
  readonly #onAbort = () => {
    this.#cancel.start();
    if (this.#reading === null) void this.#read().catch(() => {});
  };

  async #read(): Promise<Chunk | null> {
    const reading = this.#readOn();
    this.#reading = reading;
    try {
      return await reading;
    } finally {
      this.#reading = null;
    }
  }

  /** Reads up to some rows, or to the end. */
  async #readOn(): Promise<Chunk | null> {
    while (!this.#isOver) {
      const chunk = this.#expected === 'rows' && !this.#isStopped ? (this.#rows?.read() ?? null) : null;
      if (chunk !== null) return chunk;
      if (!this.#takeArrived()) await this.#wait();
    }
    await this.#settle();
    this.#check();
    return null;
  }

  get #isStopped(): boolean {
    return this.#isLeft || this.#options.signal.aborted;
  }

  /** Handles what is there, up to rows that are wanted; false when there was nothing. */
  #takeArrived(): boolean {
    const { wire } = this.#options;
    let isAny = false;
    for (let packet = wire.peek(); packet !== null && !this.#isOver; packet = wire.peek()) {
      if (this.#expected === 'rows' && isRow(wire.bytes, packet.start, packet.end)) {
        if (this.#rows !== null && !this.#isStopped) return true;
      } else {
        this.#handle(wire.bytes.subarray(packet.start, packet.end), wire.bytes[packet.start - 1]!);
      }
      wire.skipTo(packet.end);
      isAny = true;
    }
    return isAny;
  }

  async #wait(): Promise<void> {
    try {
      await this.#options.wire.wait();
    } catch (error) {
      this.#end();
      throw this.#isStopped ? createCancelled() : toLostError(error as Error);
    }
  }

  /** Handles a packet that is no row; `number` is the server's. */
  #handle(body: Buffer, number: number): void {
    if (body[0] === ANSWER.error) {
      this.#failure ??= readServerError(body);
      this.#end();
    } else if (this.#expected === 'rows') {
      this.#complete(readEnd(body));
    } else if (this.#expected === 'columns') {
      this.#handleColumn(body);
    } else if (body[0] === ANSWER.ok) {
      this.#complete(readOk(body));
    } else if (body[0] === ANSWER.localFile) {
      this.#failure = new DatabaseError('sql', LOCAL_FILE);
      this.#options.wire.send(Buffer.alloc(0), number + 1);
    } else {
      this.#missing = readColumnCount(body);
      this.#expected = 'columns';
    }
  }

  #handleColumn(body: Buffer): void {
    const { isExtended } = this.#options;
    if (this.#missing > 0) {
      this.#missing -= 1;
      if (this.#columns === null) this.#fields.push(readField(body, isExtended));
      return;
    }
    this.#expected = 'rows';
    this.#rows = this.#columns === null ? this.#describe() : null;
  }

  #describe(): RowReader {
    const { wire, state } = this.#options;
    const decoders: readonly TextDecoder[] = this.#fields.map((field) =>
      createDecoder(field, state.timeZone),
    );
    this.#columns = this.#fields.map(({ name }, i) => ({ name, type: decoders[i]!.type }));
    return new RowReader(wire, decoders);
  }

  #complete({
    rowsChanged,
    inTransaction,
    autocommit,
    hasMore,
    schema,
    timeZone,
    charset = 'utf8mb4',
  }: Completion): void {
    const { state } = this.#options;
    this.#rowsChanged = rowsChanged;
    state.inTransaction = inTransaction;
    state.autocommit = autocommit;
    state.schema = schema ?? state.schema;
    state.timeZone = timeZone ?? state.timeZone;
    if (!charset.startsWith('utf8')) this.#failure ??= new DatabaseError('sql', OTHER_CHARSET);
    this.#expected = 'result';
    if (!hasMore) this.#end();
  }

  #end(): void {
    this.#isOver = true;
    this.#cancel.end();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
  }

  /** Waits for a request to stop, and sees to it that it stops nothing else. */
  async #settle(): Promise<void> {
    if (await this.#cancel.settle()) await runNothing(this.#options.wire);
  }

  /** Throws what went wrong in an exchange that is over. */
  #check(): void {
    const failure = this.#failure;
    if (this.#isStopped) throw createCancelled();
    if (failure === null) return;
    if (failure instanceof DatabaseError) throw failure;
    if (failure.errno === INTERRUPTED) throw createCancelled();
    throw toDatabaseError(failure, this.#options.statement, this.#isLate);
  }
}

/** Runs what does nothing, whether the server lets it or not. */
async function runNothing(wire: Wire): Promise<void> {
  wire.send(Buffer.concat([Buffer.from([COMMAND.query]), Buffer.from(NOTHING)]));
  try {
    while (wire.peek() === null) await wire.wait();
    wire.skipTo(wire.peek()!.end);
  } catch {
    // A connection that is no more is told of by the next statement.
  }
}
