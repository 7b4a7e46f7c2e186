import { DatabaseError } from '../contract/connection.ts';
import { hasBlanks, removeBlanks, skipValue } from './json-bytes.ts';

/** The type of a column as the server describes it; `arguments` are types, lengths and named types. */
export interface TypeSignature {
  readonly rawType: string;
  readonly arguments: readonly TypeArgument[];
}

export type TypeArgument =
  | { readonly kind: 'TYPE'; readonly value: TypeSignature }
  | { readonly kind: 'LONG'; readonly value: number }
  | {
      readonly kind: 'NAMED_TYPE';
      readonly value: {
        readonly fieldName?: { readonly name: string };
        readonly typeSignature: TypeSignature;
      };
    }
  | { readonly kind: 'VARIABLE'; readonly value: string };

export interface ColumnDescription {
  readonly name: string;
  readonly type: string;
  readonly typeSignature?: TypeSignature;
}

/** An error as the server describes it; lines and columns begin at 1. */
export interface QueryError {
  readonly message: string;
  readonly errorName?: string;
  readonly errorLocation?: { readonly lineNumber: number; readonly columnNumber: number };
}

/** Parts of a result outside of the answer. */
export interface SpooledData {
  readonly encoding: string;
  readonly segments: readonly Segment[];
}

/** One part of a result: in the answer, or in a storage. A part without an uncompressed size is not compressed. */
export type Segment = { readonly metadata: { readonly uncompressedSize?: number | string } } & (
  | { readonly type: 'inline'; readonly data: string }
  | {
      readonly type: 'spooled';
      readonly uri: string;
      readonly ackUri?: string;
      readonly headers?: Readonly<Record<string, readonly string[]>>;
    }
);

/** An answer of the server about a query, without rows in it. */
export interface Envelope {
  readonly id: string;
  readonly nextUri?: string;
  readonly columns?: readonly ColumnDescription[];
  /** Names what a statement has changed; missing for a query. */
  readonly updateType?: string;
  readonly updateCount?: number;
  readonly error?: QueryError;
  readonly stats?: { readonly state?: string };
  /** Rows that are not in the answer, by the spooling protocol. */
  readonly data?: SpooledData;
}

/**
 * Rows as JSON arrays in `bytes[start .. end]`, separated by commas; a bracket follows, unless they are partial. `free`
 * frees their memory, which nothing else uses; otherwise it waits for the garbage collector, with that of several later
 * parts.
 */
export interface Rows {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Whether the last row may end in the next rows. */
  readonly isPartial?: boolean;
  readonly free?: () => void;
}

/** An answer, whose rows are in it by the direct protocol. */
export interface ResultPage extends Rows {
  readonly envelope: Envelope;
}

const DATA = '"data":';
const AFTER_DATA = '],"stats":';
const OPEN = 0x5b;

/** Bytes of the rows that show whether the server's JSON has blanks between its signs. */
const SHOWN_BYTES = 1_000;

/** Reads an answer without reading its rows. Throws a DatabaseError. */
export function readPage(answer: Buffer): ResultPage {
  const rows = findRows(answer);
  // Trino writes none, but a gateway can format what it passes on.
  if (hasBlanks(answer, rows.start + SHOWN_BYTES)) return readPage(removeBlanks(answer));
  return toPage(answer, rows);
}

function toPage(bytes: Buffer, { start, end }: Pick<ResultPage, 'start' | 'end'>): ResultPage {
  const { data, ...envelope } = readEnvelope(bytes.toString('utf8', 0, start) + bytes.toString('utf8', end));
  const isSpooled = data !== undefined && 'segments' in data;
  return { envelope: isSpooled ? { ...envelope, data } : envelope, bytes, start, end };
}

/**
 * The position of the rows, behind the first bracket and before the last one; an empty range at the end without rows.
 * A quote within a text has a backslash before it, so that a text cannot contain these keys.
 */
function findRows(bytes: Buffer): { start: number; end: number } {
  const key = bytes.indexOf(DATA);
  const start = key + DATA.length + 1;
  if (key === -1 || bytes[start - 1] !== OPEN) return { start: bytes.length, end: bytes.length };
  const close = bytes.lastIndexOf(AFTER_DATA);
  return { start, end: close >= start ? close : skipValue(bytes, start - 1) - 1 };
}

function readEnvelope(text: string): Envelope {
  let envelope: unknown;
  try {
    envelope = JSON.parse(text);
  } catch (cause) {
    throw createUnreadableAnswer(text, cause);
  }
  if (typeof envelope !== 'object' || envelope === null || !('id' in envelope))
    throw createUnreadableAnswer(text);
  return envelope as Envelope;
}

/** The error for an answer that is not one of Trino. */
function createUnreadableAnswer(text: string, cause?: unknown): DatabaseError {
  const excerpt = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  const message = `The server's answer is not one of Trino: ${JSON.stringify(excerpt)}.`;
  return new DatabaseError('unreachable', message, undefined, { cause });
}
