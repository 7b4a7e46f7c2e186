import type { Chunk, Column } from '../../result/columns/column.ts';
import { DatabaseError } from '../contract/connection.ts';
import { createCancelled } from '../server/errors.ts';
import { ServerExchange } from '../server/exchange.ts';
import { MAX_BYTES, MAX_ROWS, RowPlaces, type TextDecoder } from '../text/field.ts';
import type { Stoppable } from './cancel.ts';
import { DEADLOCK, INTERRUPTED, toDatabaseError } from './errors.ts';
import {
  ANSWER,
  COMMAND,
  type ColumnDefinition,
  type Completion,
  type ErrorPacket,
  isRow,
  readColumnCount,
  readColumnDefinition,
  readEnd,
  readErrorPacket,
  readOk,
} from './messages.ts';
import { createDecoder } from './types.ts';
import { HEAD, MAX_LENGTH, type MysqlWire } from './wire.ts';

const LOCAL_FILE =
  'LOAD DATA LOCAL has no file to read here: load the file with `quern load`, or without LOCAL.';
/** Bytes of another character set would be returned unconverted, and not be valid text. */
const OTHER_CHARSET = 'character_set_results must stay utf8mb4, the encoding of results.';
/** A late cancellation would stop the next statement; this statement takes its place. */
const NOTHING = 'DO 0';

/** The state of the session, which the server reports with each answer. */
export interface SessionState {
  inTransaction: boolean;
  autocommit: boolean;
  schema: string | null;
  timeZone: string;
}

/** Parameters of an exchange. */
interface ExchangeOptions {
  readonly wire: MysqlWire;
  readonly statement: string;
  readonly signal: AbortSignal;
  /** Whether column descriptions have MariaDB's extended form. */
  readonly isExtended: boolean;
  readonly state: SessionState;
  /** Asks the server to cancel something; resolves when the request was passed on. Never rejects. */
  readonly requestCancel: (what: Stoppable) => Promise<void>;
}

/** The next part of the answer: the start of a result, a number of column descriptions with their end, or rows. */
type Expected = 'result' | 'columns' | 'rows';

/** One statement and the server's complete answer. */
export class MysqlExchange extends ServerExchange {
  readonly #options: ExchangeOptions;
  #expected: Expected = 'result';
  #missing = 0;
  #fields: ColumnDefinition[] = [];
  #columns: readonly Column[] | null = null;
  /** Null when rows are discarded: those of a procedure's later results. */
  #rows: RowReader | null = null;
  #rowsChanged = 0;

  constructor(options: ExchangeOptions) {
    const { wire, signal, requestCancel } = options;
    super({
      signal,
      wait: () => wire.wait(),
      requestCancel: () => requestCancel('QUERY'),
      giveUp: () => {
        void requestCancel('CONNECTION');
        wire.destroy();
      },
    });
    this.#options = options;
  }

  get columns(): readonly Column[] | null {
    return this.#columns;
  }

  get rowsChanged(): number {
    return this.#rowsChanged;
  }

  protected send(): void {
    const { wire, statement } = this.#options;
    wire.send(Buffer.concat([Buffer.from([COMMAND.query]), Buffer.from(statement)]));
  }

  protected get failsNext(): boolean {
    const { wire } = this.#options;
    const next = wire.peek();
    return next !== null && wire.bytes[next.start] === ANSWER.error;
  }

  protected readRows(): Chunk | null {
    return this.#expected === 'rows' ? (this.#rows?.read() ?? null) : null;
  }

  /** An answer that has already arrived needs no cancellation. */
  protected async leaveEarly(): Promise<boolean> {
    this.takeArrived();
    return false;
  }

  protected takeArrived(): boolean {
    const { wire } = this.#options;
    let isAny = false;
    for (let packet = wire.peek(); packet !== null && !this.isOver; packet = wire.peek()) {
      if (this.#expected === 'rows' && isRow(wire.bytes, packet.start, packet.end)) {
        if (this.#rows !== null && !this.isStopped) return true;
      } else {
        this.#handle(wire.bytes.subarray(packet.start, packet.end), wire.bytes[packet.start - 1]!);
      }
      wire.skipTo(packet.end);
      isAny = true;
    }
    return isAny;
  }

  /** A late cancellation would stop the next statement. */
  protected afterCancel(): Promise<void> {
    return runNothing(this.#options.wire);
  }

  /** Handles a packet that is not a row; `number` is the server's sequence number. */
  #handle(body: Buffer, number: number): void {
    if (body[0] === ANSWER.error) {
      this.#failWith(readErrorPacket(body));
      this.end();
    } else if (this.#expected === 'rows') {
      this.#complete(readEnd(body));
    } else if (this.#expected === 'columns') {
      this.#handleColumn(body);
    } else if (body[0] === ANSWER.ok) {
      this.#complete(readOk(body));
    } else if (body[0] === ANSWER.localFile) {
      this.fail(() => new DatabaseError('sql', LOCAL_FILE));
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
      if (this.#columns === null) this.#fields.push(readColumnDefinition(body, isExtended));
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
    if (!charset.startsWith('utf8')) this.fail(() => new DatabaseError('sql', OTHER_CHARSET));
    this.#expected = 'result';
    if (!hasMore) this.end();
  }

  #failWith(error: ErrorPacket): void {
    const { statement, state } = this.#options;
    // An error does not report the state.
    if (error.errno === DEADLOCK) state.inTransaction = false;
    this.fail(() =>
      error.errno === INTERRUPTED ? createCancelled() : toDatabaseError(error, statement, this.isLate),
    );
  }
}

/** Runs a statement without effect, ignoring its error. */
async function runNothing(wire: MysqlWire): Promise<void> {
  wire.send(Buffer.concat([Buffer.from([COMMAND.query]), Buffer.from(NOTHING)]));
  try {
    while (wire.peek() === null) await wire.wait();
    wire.skipTo(wire.peek()!.end);
  } catch {
    // The next statement reports a closed connection.
  }
}

const NULL = 0xfb;

/** Cuts the rows that have arrived into chunks. */
class RowReader {
  readonly #wire: MysqlWire;
  readonly #places: RowPlaces;

  constructor(wire: MysqlWire, decoders: readonly TextDecoder[]) {
    this.#wire = wire;
    this.#places = new RowPlaces(decoders);
  }

  /** Reads the rows that have arrived, up to the first other packet; null when there are no rows. */
  read(): Chunk | null {
    const { bytes, at: from, end: arrived } = this.#wire;
    const last = Math.min(arrived, from + MAX_BYTES);
    let at = from;
    let rows = 0;
    while (rows < MAX_ROWS && at + HEAD < last) {
      const start = at + HEAD;
      const length = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
      const end = start + length;
      if (end > arrived || length === MAX_LENGTH || !isRow(bytes, start, end)) break;
      this.#place(bytes, start, rows);
      at = end;
      rows += 1;
    }
    if (rows === 0) return this.#readLong();
    this.#wire.skipTo(at);
    return this.#places.decode(bytes, rows);
  }

  /** Reads a row that is longer than a packet. */
  #readLong(): Chunk | null {
    const packet = this.#wire.peek();
    const { bytes } = this.#wire;
    if (packet === null || packet.end - packet.start < MAX_LENGTH) return null;
    this.#place(bytes, packet.start, 0);
    this.#wire.skipTo(packet.end);
    return this.#places.decode(bytes, 1);
  }

  /** Records the positions of the values of a row. */
  #place(bytes: Buffer, start: number, row: number): void {
    const { starts, lengths } = this.#places;
    let at = start;
    for (let column = 0; column < starts.length; column += 1) {
      let length = bytes[at]!;
      at += 1;
      if (length === NULL) {
        length = -1;
        this.#places.setNull(column, row);
      } else if (length > NULL) {
        const width = length === 0xfc ? 2 : length === 0xfd ? 3 : 8;
        length = bytes.readUIntLE(at, Math.min(width, 4));
        at += width;
      }
      starts[column]![row] = at;
      lengths[column]![row] = length;
      if (length > 0) at += length;
    }
  }
}
