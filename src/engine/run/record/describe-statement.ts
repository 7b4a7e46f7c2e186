import type { Statement } from '../../script/evaluate/steps.ts';
import { findPosition, getLineMap } from '../../text/line-map.ts';
import type { RecordedStatement } from './result-frames.ts';

/** Maximum characters of a statement's text. */
const MAX_TEXT = 500;
/** The names of relations that replace calls of blocks. */
const RELATION = /\bquern_[\da-f]{8}_\d+\b/;

/**
 * Describes a statement for its author: the SQL with the values of its expressions, or the source if the SQL contains
 * names that the author does not know.
 */
export function describeStatement({ sql, start, findOrigin }: Statement): RecordedStatement {
  const text = sql.slice(start, start + MAX_TEXT);
  const first = findOrigin({ start, end: sql.length });
  if (first === null) return { text, file: null, line: null, column: null };
  const { source } = first.rendered;
  const place = { file: source.name, ...findPosition(getLineMap(source), first.span.start) };
  const last = findOrigin({ start: Math.max(start, sql.length - 1), end: sql.length });
  const isOneSource = last?.rendered.source === source && last.span.end > first.span.start;
  if (!RELATION.test(text) || !isOneSource) return { text, ...place };
  return { text: source.text.slice(first.span.start, last.span.end).slice(0, MAX_TEXT), ...place };
}
