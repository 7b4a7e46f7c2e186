import { substituteParams } from '../../src/engine/script/params/params.ts';
import type { ScriptFile } from '../../src/engine/script/syntax/ast.ts';
import { parseScript } from '../../src/engine/script/syntax/parse-script.ts';
import type { Span } from '../../src/engine/text/span.ts';

/** A block or a test of a script, as a run needs it. */
export interface ScriptBlock {
  readonly name: string;
  readonly params: readonly {
    readonly name: string;
    /** The expression of the default; null if a call needs the argument. */
    readonly default: string | null;
  }[];
}

/** The block or test of a script at an offset; null between them. */
export function findBlockAt(text: string, offset: number): ScriptBlock | null {
  const block = parse(text).blocks.find(({ start, end }) => start <= offset && offset <= end);
  if (!block?.name) return null;
  const params = block.params.map(({ name, default: value }) => ({
    name,
    default: value === null ? null : text.slice(value.start, value.end),
  }));
  return { name: block.name.name, params };
}

/**
 * A script that runs only a part of another one, and in which each position is the same: the statements outside of the
 * part become spaces. Imports, blocks, macros and constants stay, except for one that contains the part.
 */
export function keepPart(text: string, part: Span): string {
  const { blocks, macros } = parse(text);
  const isInside = (span: Span) => span.start <= part.start && part.end <= span.end;
  const statements = blocks.filter(({ kind }) => kind !== 'block');
  const around = [...blocks, ...macros].filter(isInside);
  const blanks = [...new Set<Span>([...statements, ...around])].toSorted(
    (one, other) => one.start - other.start,
  );
  let done = 0;
  const pieces: string[] = [];
  for (const { start, end } of blanks) {
    pieces.push(text.slice(done, start), blank(text, start, Math.min(end, Math.max(start, part.start))));
    pieces.push(
      text.slice(Math.max(start, Math.min(end, part.start)), Math.min(end, Math.max(start, part.end))),
    );
    pieces.push(blank(text, Math.max(start, Math.min(end, part.end)), end));
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

function parse(text: string): ScriptFile {
  return parseScript(substituteParams({ name: '', text }, {})).file;
}

/** As many spaces as characters; lines stay. */
function blank(text: string, start: number, end: number): string {
  return text.slice(start, end).replace(/[^\r\n]/g, ' ');
}
