import type { Source } from '../text/source.ts';
import type { Span } from '../text/span.ts';

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

/** Lists the names that parameters could replace in texts, wherever they stand in them. */
export function listParamNames(sources: Iterable<Source>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { text } of sources) {
    for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', at + 1)) {
      const reference = readReference(text, at);
      if (reference !== undefined) names.add(reference.name);
    }
  }
  return names;
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
