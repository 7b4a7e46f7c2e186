import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { notNull } from '../../../invariants/must.ts';
import { hasTooManyNames } from './json-excess.ts';
import { type JsonOptions, type JsonReading, readJson } from './json-reading.ts';
import { pickTexts } from './pick-texts.ts';

// The program of the thread in which large bodies are read, and long answers written.

/** What the thread is to do. */
export type JsonCall = ReadCall | PrintCall;

/** A value of which JSON is to be made, in which bytes are the UTF-8 of texts; the answer is its bytes. */
interface PrintCall {
  readonly kind: 'print';
  readonly value: unknown;
}

/** A body in pieces, as it arrived. */
export interface ReadCall extends JsonOptions {
  readonly kind: 'read';
  readonly pieces: readonly Uint8Array[];
  /** The only fields that count, all of them texts; left out: all of it counts. */
  readonly texts?: readonly string[] | undefined;
  /** Those of them that are wanted as their UTF-8 where they are long. */
  readonly byteTexts?: readonly string[] | undefined;
}

/** What has become of it. */
export type ReadAnswer = JsonReading | { readonly fault: 'names' };

/** What the thread answers. */
export type JsonAnswer = ReadAnswer | Uint8Array;

/** By how much the server's own thread, for which everybody waits, comes first: a difference of nice values. */
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

function read({ pieces, texts, byteTexts = [], ...options }: ReadCall): ReadAnswer {
  const reading = readJson(Buffer.concat(pieces), options);
  if (reading.fault !== undefined) return reading;
  if (texts !== undefined) return { value: pickTexts(reading.value, texts, byteTexts) };
  return hasTooManyNames(reading.value) ? { fault: 'names' } : reading;
}

/** What need not be copied. */
function listBytes(answer: ReadAnswer): ArrayBuffer[] {
  const value = answer.fault === undefined ? answer.value : null;
  const fields = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return fields.filter((field) => field instanceof Uint8Array).map(({ buffer }) => buffer as ArrayBuffer);
}

function toText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
}

/** On Linux each thread has a priority of its own. */
function letServerFirst(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(getPriority(thread) + NICER, constants.priority.PRIORITY_LOW));
  } catch {
    // There is no such thing on other systems.
  }
}
