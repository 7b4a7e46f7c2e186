import { elementAt } from '../../invariants/must.ts';
import type { Source } from './source.ts';
import type { Span } from './span.ts';

/** The starts of the lines of one source: ascending UTF-16 offsets. */
export interface LineMap {
  readonly starts: Uint32Array;
  readonly length: number;
}

/** A position in a source: both numbers are 1-based, `column` counts UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = 0xfeff;
const LINE_END = /[\n\r]/g;
/** How many characters are compared one by one; for longer lines, a search is faster. */
const NEAR = 128;

/**
 * Finds the lines of a source; `\n`, `\r\n` and a lone `\r` each end a line.
 *
 * @internal
 */
export function createLineMap(text: string): LineMap {
  let starts = new Uint32Array(256);
  // A byte order mark does not belong to the first line.
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) starts[0] = 1;
  let count = 1;
  for (let at = findLineEnd(text, 0); at < text.length; at = findLineEnd(text, at + 1)) {
    if (text.charCodeAt(at) === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED) at += 1;
    if (count === starts.length) starts = grow(starts);
    starts[count] = at + 1;
    count += 1;
  }
  return { starts: starts.subarray(0, count), length: text.length };
}

/** The first end of a line at or after `from`; the end of the string if there is no further line. */
function findLineEnd(text: string, from: number): number {
  const near = Math.min(from + NEAR, text.length);
  for (let at = from; at < near; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) return at;
  }
  LINE_END.lastIndex = near;
  return LINE_END.exec(text)?.index ?? text.length;
}

function grow(starts: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(starts.length * 2);
  larger.set(starts);
  return larger;
}

const lineMaps = new WeakMap<Source, LineMap>();

/** The line map of a source, created once, so that a thousand diagnostics in one large file stay cheap. */
export function getLineMap(source: Source): LineMap {
  const cachedMap = lineMaps.get(source);
  if (cachedMap !== undefined) return cachedMap;
  const map = createLineMap(source.text);
  lineMaps.set(source, map);
  return map;
}

/** The line and column of an offset; an offset outside the source is clamped. */
export function findPosition(map: LineMap, offset: number): Position {
  const at = Math.min(Math.max(offset, 0), map.length);
  let low = 0;
  let high = map.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (elementAt(map.starts, middle) <= at) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(1, at - elementAt(map.starts, low) + 1) };
}

/** The span of a 1-based line of a source, without its line end. */
export function findLine(map: LineMap, text: string, line: number): Span {
  const start = elementAt(map.starts, line - 1);
  const next = map.starts[line];
  if (next === undefined) return { start, end: text.length };
  const crlf = next - start >= 2 && text.charCodeAt(next - 2) === CARRIAGE_RETURN;
  return { start, end: crlf ? next - 2 : next - 1 };
}
