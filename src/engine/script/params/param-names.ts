import { type Interruptible, isPause } from '../../text/interruptible.ts';
import type { Source } from '../../text/source.ts';
import type { Span } from '../../text/span.ts';

const DOLLAR = 36;

/** A `$name` or `$$name` in a source; `name` is without `$`. */
export interface ParamReference extends Span {
  readonly name: string;
}

/** Reads the `$name` or `$$name` that starts at `start`, with the longest possible name. */
export function readReference(text: string, start: number): ParamReference | undefined {
  if (text.charAt(start) !== '$') return undefined;
  const nameStart = text.charAt(start + 1) === '$' ? start + 2 : start + 1;
  const end = findNameEnd(text, nameStart);
  return end === nameStart ? undefined : { name: text.slice(nameStart, end), start, end };
}

/** Whether a string is a valid parameter name (docs/reference/parameters.md#replacement). */
export function isParamName(text: string): boolean {
  return text !== '' && findNameEnd(text, 0) === text.length;
}

/** A parameter name without the optional `$` or `$$` before it. */
export function toParamName(key: string): string {
  return key.replace(/^\${1,2}/, '');
}

/** Maximum number of `$name` references in a source: each costs time. */
export const MAX_REFERENCES = 200_000;

/**
 * Lists the names of all parameter references in sources. In a source with too many references, only the first ones
 * count.
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

/** The offset of the next `$` or `$$`; in a longer sequence of `$`, that of the last two; -1 if there is no `$`. */
export function findDollar(text: string, from: number): number {
  const first = text.indexOf('$', from);
  let last = first;
  if (first !== -1) while (text.charCodeAt(last + 1) === DOLLAR) last += 1;
  return Math.max(first, last - 1);
}

/** The end of the `[A-Za-z_][A-Za-z0-9_]*` that starts at `start`; `start` itself if no name starts there. */
function findNameEnd(text: string, start: number): number {
  let at = start;
  while (isNameCode(text.charCodeAt(at), at > start)) at += 1;
  return at;
}

function isNameCode(code: number, digits: boolean): boolean {
  if (code >= 48 && code <= 57) return digits;
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}
