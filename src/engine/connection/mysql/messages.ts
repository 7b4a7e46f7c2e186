/** The commands that the driver sends, by first byte. */
export const COMMAND = { quit: 0x01, query: 0x03 } as const;

/** Kinds of answers by first byte; any other byte starts a number of columns. */
export const ANSWER = { ok: 0x00, localFile: 0xfb, end: 0xfe, error: 0xff } as const;

/** Bits of the server status. */
const IN_TRANSACTION = 0x0001;
const AUTOCOMMIT = 0x0002;
const MORE_RESULTS = 0x0008;
const STATE_CHANGED = 0x4000;

/** The end packet of a result is shorter than any row with the same first byte. */
const MAX_END_LENGTH = 9;
const NULL = 0xfb;

/** Whether `bytes[start .. end]` is a row, at a position where rows are possible. */
export function isRow(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start];
  return first !== ANSWER.error && (first !== ANSWER.end || end - start >= MAX_END_LENGTH);
}

/** Reads numbers and strings in sequence. */
class Reader {
  readonly #bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  number(width: number): number {
    const value = this.#bytes.readUIntLE(this.at, width);
    this.at += width;
    return value;
  }

  /** Reads an integer with variable width. */
  length(): number {
    const first = this.number(1);
    if (first < NULL) return first;
    if (first === 0xfc) return this.number(2);
    if (first === 0xfd) return this.number(3);
    const value = Number(this.#bytes.readBigUInt64LE(this.at));
    this.at += 8;
    return value;
  }

  /** Reads a length and that number of bytes. */
  part(): Buffer {
    const length = this.length();
    const part = this.#bytes.subarray(this.at, this.at + length);
    this.at += length;
    return part;
  }

  text(): string {
    return this.part().toString('utf8');
  }
}

/** The server's report at the end of a statement. */
export interface Completion {
  readonly rowsChanged: number;
  readonly inTransaction: boolean;
  readonly autocommit: boolean;
  /** Whether another result follows. */
  readonly hasMore: boolean;
  /** The current schema and time zone of the session; undefined when unchanged. */
  readonly schema?: string;
  readonly timeZone?: string;
  /** The character set of results, '' for the original one of each column; undefined when unchanged. */
  readonly charset?: string;
}

type State = Pick<Completion, 'schema' | 'timeZone' | 'charset'>;

/** The tracked variables, and their names here. */
const VARIABLES: ReadonlyMap<string, 'timeZone' | 'charset'> = new Map([
  ['time_zone', 'timeZone'],
  ['character_set_results', 'charset'],
]);

function readStatus(status: number): Pick<Completion, 'inTransaction' | 'autocommit' | 'hasMore'> {
  return {
    inTransaction: (status & IN_TRANSACTION) !== 0,
    autocommit: (status & AUTOCOMMIT) !== 0,
    hasMore: (status & MORE_RESULTS) !== 0,
  };
}

/** Reads the answer to a statement without rows. */
export function readOk(body: Buffer): Completion {
  const reader = new Reader(body);
  reader.at = 1;
  const rowsChanged = reader.length();
  reader.length();
  const status = reader.number(2);
  reader.number(2);
  if ((status & STATE_CHANGED) === 0 || reader.isAtEnd) return { rowsChanged, ...readStatus(status) };
  reader.part();
  return { rowsChanged, ...readStatus(status), ...readState(reader.part()) };
}

/** Changes of the session: variables, and the current schema. */
function readState(part: Buffer): State {
  const reader = new Reader(part);
  let state: State = {};
  while (!reader.isAtEnd) {
    const type = reader.number(1);
    const entry = new Reader(reader.part());
    if (type === 1) state = { ...state, schema: entry.text() };
    const variable = type === 0 ? VARIABLES.get(entry.text()) : undefined;
    if (variable !== undefined) state = { ...state, [variable]: entry.text() };
  }
  return state;
}

/** Reads the end of a result's rows. */
export function readEnd(body: Buffer): Completion {
  return { rowsChanged: 0, ...readStatus(body.length < 5 ? AUTOCOMMIT : body.readUInt16LE(3)) };
}

export function readColumnCount(body: Buffer): number {
  return new Reader(body).length();
}

/** A column as the server describes it. */
export interface ColumnDefinition {
  readonly name: string;
  /** The number of its character set; 63 for bytes and for types other than text. */
  readonly charset: number;
  /** Maximum bytes of a value. */
  readonly length: number;
  readonly type: number;
  readonly flags: number;
  readonly decimals: number;
  /** MariaDB's additional type information: the name of a type, the format of a string. */
  readonly extension: { readonly type?: string; readonly format?: string };
}

/** Reads the description of a column; MariaDB's `isExtended` form has more fields. */
export function readColumnDefinition(body: Buffer, isExtended: boolean): ColumnDefinition {
  const reader = new Reader(body);
  for (let skipped = 0; skipped < 4; skipped += 1) reader.part();
  const name = reader.text();
  reader.part();
  const extension = isExtended ? readExtension(reader.part()) : {};
  reader.length();
  const [charset, length, type, flags, decimals] = [2, 4, 1, 2, 1].map((width) => reader.number(width));
  return {
    name,
    charset: charset!,
    length: length!,
    type: type!,
    flags: flags!,
    decimals: decimals!,
    extension,
  };
}

function readExtension(part: Buffer): ColumnDefinition['extension'] {
  const reader = new Reader(part);
  let extension: ColumnDefinition['extension'] = {};
  while (!reader.isAtEnd) {
    const key = reader.number(1);
    const value = reader.text();
    if (key === 0) extension = { ...extension, type: value };
    if (key === 1) extension = { ...extension, format: value };
  }
  return extension;
}

/** An error of the server. */
export interface ErrorPacket {
  readonly errno: number;
  /** The SQLSTATE. */
  readonly sqlState: string;
  readonly message: string;
}

/** Reads an error. */
export function readErrorPacket(body: Buffer): ErrorPacket {
  const hasState = body[3] === 0x23;
  return {
    errno: body.readUInt16LE(1),
    sqlState: hasState ? body.toString('latin1', 4, 9) : '',
    message: body.toString('utf8', hasState ? 9 : 3),
  };
}
