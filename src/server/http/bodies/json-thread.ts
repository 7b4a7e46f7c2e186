import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { notNull } from '../../../invariants/must.ts';
import { hasTooManyNames } from './json-excess.ts';
import { type JsonOptions, type JsonReading, readJson } from './json-reading.ts';

/** More characters than any stored string can have; a string cut here is refused like the full one. */
const MORE_THAN_KEPT = 15 * 1024 ** 2 + 1;

/** Minimum characters for which a string is passed as UTF-8 bytes, because bytes can be transferred without a copy. */
const LONG_TEXT = 1024 ** 2;

const utf8 = new TextEncoder();

/**
 * Picks the string fields that a route reads from its body. Cuts strings that are longer than allowed, and empties a
 * list or an object found instead of a string. Long, well-formed strings in `byteNames` become UTF-8 bytes.
 */
function pickTexts(body: unknown, names: readonly string[], byteNames: readonly string[] = []): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return empty(body);
  const picked = names.filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(
    picked.map((name) => {
      const value = empty((body as Record<string, unknown>)[name]);
      return [name, byteNames.includes(name) ? toBytes(value) : value];
    }),
  );
}

function toBytes(value: unknown): unknown {
  const isLong = typeof value === 'string' && value.length > LONG_TEXT;
  return isLong && value.isWellFormed() ? utf8.encode(value) : value;
}

function empty(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MORE_THAN_KEPT);
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : value;
}

// The program of the thread that parses large bodies and serializes long responses.

/** A request to the thread. */
export type JsonCall = ParseCall | PrintCall;

/** A value to serialize as JSON; byte arrays in it are strings in UTF-8. The result is bytes. */
interface PrintCall {
  readonly kind: 'print';
  readonly value: unknown;
}

/** A body, whose chunks are received from a port. */
export interface ParseCall extends JsonOptions {
  readonly kind: 'read';
  readonly port: MessagePort;
  /** The fields to read, all strings; if absent, the whole value is read. */
  readonly texts?: readonly string[] | undefined;
  /** The fields that are returned as UTF-8 bytes if they are long. */
  readonly byteTexts?: readonly string[] | undefined;
}

/** The result of a call. */
export type ParseAnswer = JsonReading | { readonly error: 'names' };

/** A response of the thread. */
export type JsonAnswer = ParseAnswer | Uint8Array;

/** Priority of the server's main thread over this one, as a difference of nice values. */
const NICER = 8;

letServerFirst();
notNull(parentPort).on('message', (call: JsonCall) => {
  if (call.kind === 'read') {
    const answer = read(call);
    notNull(parentPort).postMessage(answer, listBytes(answer));
    return;
  }
  const bytes = new TextEncoder().encode(JSON.stringify(call.value, toText));
  notNull(parentPort).postMessage(bytes, [bytes.buffer]);
});

function read({ port, texts, byteTexts = [], ...options }: ParseCall): ParseAnswer {
  const reading = readJson(Buffer.concat(receiveAll(port)), options);
  if (reading.error !== undefined) return reading;
  if (texts !== undefined) return { value: pickTexts(reading.value, texts, byteTexts) };
  return hasTooManyNames(reading.value) ? { error: 'names' } : reading;
}

/** All chunks that wait at a port; closes it. */
function receiveAll(port: MessagePort): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    pieces.push(next.message);
  }
  port.close();
  return pieces;
}

/** The buffers to transfer instead of copying. */
function listBytes(answer: ParseAnswer): ArrayBuffer[] {
  const value = answer.error === undefined ? answer.value : null;
  const fields = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return fields.filter((field) => field instanceof Uint8Array).map(({ buffer }) => buffer as ArrayBuffer);
}

function toText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
}

/** Lowers the priority of this thread; only Linux has a priority for each thread. */
function letServerFirst(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority(thread) + NICER, constants.priority.PRIORITY_LOW));
  } catch {
    // Other systems do not support this.
  }
}
