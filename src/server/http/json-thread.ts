import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hasTooManyNames } from './json-excess.ts';
import { type JsonOptions, type JsonReading, readJson } from './json-reading.ts';
import { pickTexts } from './pick-texts.ts';

// The program of the thread in which large bodies are read.

/** A body in pieces, as it arrived. */
export interface JsonCall extends JsonOptions {
  readonly pieces: readonly Uint8Array[];
  /** The only fields that count, all of them texts; left out: all of it counts. */
  readonly texts?: readonly string[] | undefined;
}

/** What has become of it. */
export type JsonAnswer = JsonReading | { readonly fault: 'names' };

/** By how much the server's own thread, for which everybody waits, comes first: a difference of nice values. */
const NICER = 4;

letServerFirst();
parentPort!.on('message', (call: JsonCall) => parentPort!.postMessage(answer(call)));

function answer({ pieces, texts, ...options }: JsonCall): JsonAnswer {
  const reading = readJson(Buffer.concat(pieces), options);
  if (reading.fault !== undefined) return reading;
  if (texts !== undefined) return { value: pickTexts(reading.value, texts) };
  return hasTooManyNames(reading.value) ? { fault: 'names' } : reading;
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
