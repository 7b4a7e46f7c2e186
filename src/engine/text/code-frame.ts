import { toPrintable } from '../../text/printable.ts';
import { findLine, findPosition, getLineMap } from './line-map.ts';
import type { Source } from './source.ts';
import type { Span } from './span.ts';

const LINES_BEFORE = 2;
const MAX_LINE_LENGTH = 120;
const BEFORE_CARET = 60;

/**
 * The line of a span with up to two lines before it, their numbers, and a caret below, without colours and
 * without control characters. A long line is cut to a window around the caret; of a span over several
 * lines, the part on its first line is marked.
 */
export function printCodeFrame(source: Source, span: Span): string {
  const { text } = source;
  const map = getLineMap(source);
  const { line } = findPosition(map, span.start);
  const gutter = String(line).length;
  const rows: string[] = [];
  for (let number = Math.max(1, line - LINES_BEFORE); number < line; number += 1) {
    rows.push(printRow(gutter, String(number), printContext(text, findLine(map, text, number))));
  }
  const marked = printMarked(text, findLine(map, text, line), span);
  rows.push(printRow(gutter, String(line), marked.line));
  rows.push(printRow(gutter, '', marked.caret));
  return rows.join('\n');
}

function printRow(gutter: number, label: string, content: string): string {
  return `${label.padStart(gutter)} | ${content}`.trimEnd();
}

function printContext(text: string, line: Span): string {
  if (line.end - line.start <= MAX_LINE_LENGTH) return toPrintable(text.slice(line.start, line.end), 0).text;
  const end = snap(text, line.start + MAX_LINE_LENGTH);
  return `${toPrintable(text.slice(line.start, end), 0).text}…`;
}

function printMarked(text: string, line: Span, span: Span): { line: string; caret: string } {
  const start = snap(text, clamp(span.start, line.start, line.end));
  const window = findWindow(text, line, start);
  const end = snap(text, clamp(span.end, start, window.end));
  const cutBefore = window.start > line.start ? '…' : '';
  const cutAfter = window.end < line.end ? '…' : '';
  const before = toPrintable(text.slice(window.start, start), cutBefore.length);
  const indent = cutBefore.length + before.width;
  const marked = toPrintable(text.slice(start, end), indent);
  const after = toPrintable(text.slice(end, window.end), indent + marked.width);
  return {
    line: `${cutBefore}${before.text}${marked.text}${after.text}${cutAfter}`,
    caret: `${' '.repeat(indent)}^${'~'.repeat(Math.max(0, marked.width - 1))}`,
  };
}

function findWindow(text: string, line: Span, caret: number): Span {
  if (line.end - line.start <= MAX_LINE_LENGTH) return line;
  const latest = line.end - MAX_LINE_LENGTH;
  const start = clamp(caret - BEFORE_CARET, line.start, latest);
  return { start: snap(text, start), end: snap(text, start + MAX_LINE_LENGTH) };
}

/** The offset; the one before it if the offset would split a surrogate pair. */
function snap(text: string, offset: number): number {
  const code = text.codePointAt(offset - 1);
  return code !== undefined && code > 0xffff ? offset - 1 : offset;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
