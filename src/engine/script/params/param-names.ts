import { type Interruptible, isPause } from '../../text/interruptible.ts';
import type { Source } from '../../text/source.ts';
import type { Span } from '../../text/span.ts';

const DOLLAR = 36;

/** A `$name` or `$$name` in a text; `name` is without `$`. */
export interface ParamReference extends Span {
  readonly name: string;
}

/** Reads the `$name` or `$$name` that begins at `start`, its name taken whole. */
export function readReference(text: string, start: number): ParamReference | undefined {
  if (text.charAt(start) !== '$') return undefined;
  const nameStart = text.charAt(start + 1) === '$' ? start + 2 : start + 1;
  const end = findNameEnd(text, nameStart);
  return end === nameStart ? undefined : { name: text.slice(nameStart, end), start, end };
}

/** Whether a text is a parameter's name (language section 4). */
export function isParamName(text: string): boolean {
  return text !== '' && findNameEnd(text, 0) === text.length;
}

/** A parameter's name without the `$` or `$$` with which a caller may write it. */
export function toParamName(key: string): string {
  return key.replace(/^\${1,2}/, '');
}

/** How many `$name`s are looked at in a text that is given parameters: each takes a while. */
export const MAX_REFERENCES = 200_000;

/**
 * Lists the names that parameters could replace in texts, wherever they stand in them; of a text with too many, those
 * that come first.
 */
export function* listParamNames(sources: Iterable<Source>): Interruptible<ReadonlySet<string>> {
  const names = new Set<string>();
  let passed = 0;
  for (const { text } of sources) {
    let count = 0;
    for (let at = findDollar(text, 0); at !== -1 && count <= MAX_REFERENCES; ) {
      const reference = readReference(text, at);
      if (reference !== undefined) {
        names.add(reference.name);
        count += 1;
      }
      at = findDollar(text, reference?.end ?? at + 1);
      passed += 1;
      if (isPause(passed)) yield;
    }
  }
  return names;
}

/** Where the next `$` or `$$` stands before which there is none, or the last two of more; -1 for none. */
export function findDollar(text: string, from: number): number {
  const first = text.indexOf('$', from);
  let last = first;
  if (first !== -1) while (text.charCodeAt(last + 1) === DOLLAR) last += 1;
  return Math.max(first, last - 1);
}

/** Where the `[A-Za-z_][A-Za-z0-9_]*` that begins at `start` ends; `start` itself where none does. */
function findNameEnd(text: string, start: number): number {
  let at = start;
  while (isNameCode(text.charCodeAt(at), at > start)) at += 1;
  return at;
}

function isNameCode(code: number, digits: boolean): boolean {
  if (code >= 48 && code <= 57) return digits;
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}
